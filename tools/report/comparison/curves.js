// SPDX-License-Identifier: MIT
/* Curves of the runs that are ticked: position with the target, velocity, torques. */
(function () {
  var page = stictionPage, d = sweep.draw, choices = sweep.choices, chosen = choices.chosen;
  var raw = JSON.parse(document.getElementById("curves").textContent), most = 7;
  var decoded = {};

  function has(run) { return raw.runs[run] !== undefined; }
  function ticked() {
    return chosen.runs.split(",").filter(Boolean).map(Number).filter(function (run) {
      return run >= 0 && run < sweep.count;
    });
  }
  function tick(run, on) {
    var all = ticked().filter(function (r) { return r !== run; });
    if (on) all.push(run);
    choices.choose("runs", all.slice(-most).join(","));
  }
  function curve(run, joint) {
    var key = run + "\n" + joint, from = raw.runs[run][joint];
    if (decoded[key] || !from) return decoded[key];
    var made = { linear: from.linear };
    ["time", "position", "velocity", "command", "friction", "target"].forEach(function (name) {
      if (from[name] !== undefined) made[name] = sweep.floats(from[name]);
    });
    decoded[key] = made;
    return made;
  }
  function joints() {
    var names = [];
    Object.keys(raw.runs).forEach(function (run) { names = names.concat(Object.keys(raw.runs[run])); });
    return page.distinct(names);
  }

  /* What the three plots draw of a curve: its own line, and a second one in dashes. */
  var plots = [
    { title: "Position", name: "position", second: "target", unit: "rad", linear: "m", note: "dashed: the target" },
    { title: "Velocity", name: "velocity", unit: "rad/s", linear: "m/s", note: "" },
    { title: "Torque", name: "command", second: "friction", unit: "N m", linear: "N", note: "dashed: friction" }
  ];
  function draw(parent, plot, runs, joint) {
    var all = runs.map(function (run) { return curve(run, joint); }), low = Infinity, high = -Infinity, end = 0;
    var linear = all[0].linear, unit = linear ? plot.linear : plot.unit;
    all.forEach(function (c) {
      [plot.name, plot.second].forEach(function (name) {
        var r = c[name] ? d.rangeOf(c[name], null, false) : { low: Infinity, high: -Infinity };
        low = Math.min(low, r.low);
        high = Math.max(high, r.high);
      });
      end = Math.max(end, c.time[c.time.length - 1]);
    });
    var title = (linear && plot.name === "command" ? "Force" : plot.title) + ", " + joint;
    var drawing = d.begin(parent, "curve", title + (plot.note ? " (" + plot.note + ")" : ""), 260, title);
    var area = d.axes(drawing, d.numberScale(0, end, false, 0), d.numberScale(low, high, false, 0.06), "time (s)",
      (linear && plot.name === "command" ? "force" : plot.title.toLowerCase()) + " (" + unit + ")", 8);
    var c = drawing.context;
    c.save();
    c.beginPath();
    c.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    c.clip();
    all.forEach(function (one, k) {
      c.strokeStyle = d.lineStyle(k, runs.length, false, drawing.colours).colour;
      c.lineWidth = 1.8;
      trace(c, area, one.time, one[plot.name], []);
      if (plot.second && one[plot.second]) {
        c.lineWidth = 1.2;
        trace(c, area, one.time, one[plot.second], [6, 4]);
      }
      marks(drawing, area, one, plot, runs[k], unit);
    });
    c.restore();
  }
  function trace(c, area, x, y, dashes) {
    var down = false;
    if (!y) return;
    c.setLineDash(dashes);
    c.beginPath();
    for (var k = 0; k < x.length; k++) {
      if (!isFinite(y[k])) { down = false; continue; }
      if (down) c.lineTo(area.x(x[k]), area.y(y[k])); else c.moveTo(area.x(x[k]), area.y(y[k]));
      down = true;
    }
    c.stroke();
    c.setLineDash([]);
  }
  function marks(drawing, area, one, plot, run, unit) {
    if (!one[plot.name]) return;
    one.time.forEach(function (t, k) {
      var v = one[plot.name][k], second = plot.second && one[plot.second] ? one[plot.second][k] : NaN;
      if (isFinite(v)) drawing.marks.push({ x: area.x(t), y: area.y(v), text: function () {
        return "run " + sweep.label(run) + "\n" + sweep.shown(t, 5) + " s: " + sweep.shownWithUnit(v, unit) +
          (isFinite(second) ? "\n" + plot.second + " " + sweep.shownWithUnit(second, unit) : "");
      } });
    });
  }

  /* ---- the section ---- */

  function begin(root) {
    var section = page.element("section", root);
    section.id = "curves-section";
    page.element("h2", section, "", "Curves");
    var names = joints(), count = Object.keys(raw.runs).length;
    if (!count) {
      page.element("p", section, "note", raw.there ? "No curves could be read."
        : "No curves: the runs of this sweep kept their figures only, or none went well.");
      return;
    }
    var bar = page.element("div", section, "choosers"), select = choices.select(bar, "joint", "joint", choices.same(names));
    page.element("span", bar, "hint", "Tick runs in the table, or click a cell or a dot, to see their curves; up to " + most + ".");
    if (count < raw.there)
      page.element("p", section, "note", "The page has the curves of " + count + " of " + raw.there +
        " runs, the best ones among them; the folders of the others have theirs.");
    var place = page.element("div", section);
    place.id = "curves-drawing";
    function follow() {
      var figure = choices.figure(), joint = names.indexOf(chosen.joint) >= 0 ? chosen.joint
        : names.indexOf(figure.of) >= 0 ? figure.of : names[0];
      var wanted = ticked();
      if (!wanted.length) wanted = sweep.bestRuns().filter(has).slice(0, 3);
      var runs = wanted.filter(function (run) { return has(run) && curve(run, joint); });
      select.value = joint;
      place.textContent = "";
      place.dataset.runs = runs.join(",");
      if (runs.length < wanted.length)
        page.element("p", place, "note", "The page has no curves of " + wanted.filter(function (run) {
          return runs.indexOf(run) < 0;
        }).map(function (run) { return "run " + sweep.name(run); }).join(", ") + ", or they have no joint " + joint + ".");
      if (!runs.length) return;
      d.lineKeys(place, runs.map(sweep.label), runs.map(function (run, k) {
        return { colour: d.lineStyle(k, runs.length, false, d.theme()).colour, dashes: [] };
      }));
      var grid = page.element("div", place, "multiples wide-ones");
      plots.forEach(function (plot) { draw(grid, plot, runs, joint); });
    }
    choices.follow(follow);
  }

  sweep.curves = { has: has, ticked: ticked, tick: tick, begin: begin, most: most };
})();
