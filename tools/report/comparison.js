/* The page of a sweep: a figure over a parameter in the colours of another, and the position
 * curves of the runs that are ticked in the table. */
(function () {
  var page = stictionPage, root = document.getElementById("compare");
  if (!root) return;
  var data = JSON.parse(document.getElementById("comparison").textContent);
  var positions = JSON.parse(document.getElementById("positions").textContent);

  var distinct = page.distinct;
  function settings(parameter) {
    return distinct(data.runs.map(function (run) { return run.settings[parameter]; }));
  }
  function isNumeric(values) {
    return values.every(function (v) { return v.trim() !== "" && isFinite(v); });
  }
  function inOrder(values) {
    return isNumeric(values) ? values.sort(function (a, b) { return a - b; }) : values;
  }
  function fromHash(key, names, otherwise) {
    var index = names.indexOf(page.hash()[key]);
    return index < 0 ? otherwise : index;
  }

  /* ---- a figure over a parameter ---- */

  var chosen = { x: 0, y: 0, by: -1 };

  function series(values, numeric, by) {
    var groups = by < 0 ? [null] : inOrder(settings(by));
    return groups.map(function (group) {
      var points = [];
      data.runs.forEach(function (run) {
        if (by >= 0 && run.settings[by] !== group) return;
        var y = run.figures[chosen.y], at = run.settings[chosen.x];
        if (y !== null) points.push([numeric ? Number(at) : values.indexOf(at), y]);
      });
      points.sort(function (a, b) { return a[0] - b[0]; });
      /* a line through numbers of which each has one point, else dots */
      var single = points.every(function (p, k) { return !k || p[0] !== points[k - 1][0]; });
      return { label: group === null ? data.figures[chosen.y]
          : data.parameters[by] + " " + (group || "(not set)"),
        points: false, marked: true, dotsOnly: !single || !numeric,
        x: points.map(function (p) { return p[0]; }),
        y: points.map(function (p) { return p[1]; }) };
    }).filter(function (s) { return s.x.length; });
  }

  function drawFigure() {
    if (!data.parameters.length || !data.figures.length) return;
    var values = inOrder(settings(chosen.x)), numeric = isNumeric(values);
    var unit = data.units[chosen.y], figure = data.figures[chosen.y];
    page.drawAll(figurePlace, [{ title: figure + " over " + data.parameters[chosen.x],
      x: data.parameters[chosen.x], y: figure + (unit ? " (" + unit + ")" : ""),
      xNames: numeric ? null : values, bands: [], bandLabel: "", quietLegend: true,
      series: series(values, numeric, chosen.by === chosen.x ? -1 : chosen.by) }]);
  }

  page.element("h2", root, "", "A figure over a parameter");
  var bar = page.element("div", root, "choosers"), figurePlace = page.element("div", root);
  function choose(key, label, names, start, shift) {
    chosen[key] = fromHash(key, names, start) + shift;
    var select = page.chooser(bar, label, names, function (index) {
      chosen[key] = index + shift;
      page.remember(key, names[index]);
      drawFigure();
    });
    select.value = String(chosen[key] - shift);
  }
  choose("y", "figure", data.figures, 0, 0);
  choose("x", "over", data.parameters, 0, 0);
  choose("by", "coloured by", ["(nothing)"].concat(data.parameters),
    data.parameters.length > 1 ? 2 : 0, -1);
  drawFigure();

  /* ---- position curves ---- */

  var ticked = {}, names = Object.keys(positions);
  var joints = distinct([].concat.apply([], names.map(function (name) {
    return Object.keys(positions[name]);
  })));
  var joint = 0, curvePlace;

  function drawCurves() {
    var number = 0, lines = [], unit = "rad";
    names.forEach(function (name) {
      var curve = positions[name][joints[joint]];
      if (!ticked[name] || !curve) return;
      lines.push({ label: name, style: number++, points: false, x: curve.x, y: curve.y });
      unit = curve.unit;
    });
    if (lines.length)
      page.drawAll(curvePlace, [{ title: "Position, " + joints[joint], x: "time (s)",
        y: "position (" + unit + ")", bands: [], bandLabel: "", quietLegend: true, series: lines }]);
    else page.drawAll(curvePlace, []);
  }

  function addTicks() {
    var table = document.getElementById("runs");
    Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
      var name = row.dataset.run;
      if (!positions[name]) return;
      var tick = document.createElement("input");
      tick.type = "checkbox";
      tick.checked = !!ticked[name];
      tick.setAttribute("aria-label", "show the position curve of " + name);
      tick.addEventListener("change", function () {
        ticked[name] = tick.checked;
        drawCurves();
      });
      row.cells[0].insertBefore(tick, row.cells[0].firstChild);
    });
  }

  if (names.length) {
    page.element("h2", root, "", "Position curves");
    var curveBar = page.element("div", root, "choosers");
    /* that of the first figure, unless another is wanted */
    var first = (data.figures[0] || "").replace(/\.[^.]*$/, "");
    joint = fromHash("joint", joints, Math.max(joints.indexOf(first), 0));
    var select = page.chooser(curveBar, "joint", joints, function (index) {
      joint = index;
      page.remember("joint", joints[index]);
      drawCurves();
    });
    select.value = String(joint);
    page.element("span", curveBar, "hint", "Tick runs in the table below to see their curves.");
    curvePlace = page.element("div", root);
    names.slice(0, 4).forEach(function (name) { ticked[name] = true; });
    addTicks();
    drawCurves();
  }
})();
