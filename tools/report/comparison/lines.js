// SPDX-License-Identifier: MIT
/* A figure over a setting: a line for each value of another where the setting is ordered, dots where
 * it is not. A dot is a run; a line goes through the worst, mean or best of those at a value. */
sweep.lines = function (place, pass) {
  var d = sweep.draw, choices = sweep.choices, chosen = choices.chosen, figure = choices.figure();
  var x = choices.setting(chosen.x), by = choices.setting(chosen.by), wrap = choices.setting(chosen.wrap);
  if (!x) return [];
  if (wrap === x) wrap = null;
  if (by === x || by === wrap) by = null;
  var mostDots = 3000, notes = [];
  var one = { count: 1, at: new Uint8Array(sweep.count), labels: [""], numbers: null };
  var xs = sweep.groupsOf(x, 40, chosen.logx === "yes");
  var bys = by ? sweep.groupsOf(by, 8, false) : one, wraps = wrap ? sweep.groupsOf(wrap, 12, false) : one;
  var cells = sweep.cells(wraps.count * bys.count * xs.count, function (run) {
    return (wraps.at[run] * bys.count + bys.at[run]) * xs.count + xs.at[run];
  }, pass, figure.values, choices.better());

  var logY = chosen.logy === "yes", range = choices.figureRange(d.rangeOf(figure.values, pass, logY), logY);
  var yScale = d.numberScale(range.low, range.high, logY, 0.05);
  if (logY && d.rangeOf(figure.values, pass, false).low <= 0)
    notes.push("Values that are not above 0 have no place on a logarithmic axis and are left out.");
  var ordered = x.numeric, xScale = ordered
    ? d.numberScale(Math.min.apply(null, x.numbers), Math.max.apply(null, x.numbers), chosen.logx === "yes", 0.04)
    : d.nameScale(xs.labels);
  if (chosen.logx === "yes" && !xScale.log) notes.push(x.key + " has no logarithmic axis: not all its values are numbers above 0.");
  if (xs.stretched) notes.push(x.key + " has " + x.values.length + " values: lines go through " + xs.count + " stretches of them.");
  if (by && bys.stretched) notes.push(by.key + " is shown in " + bys.count + " groups.");
  var shownRuns = 0, k, anyFailed = false;
  for (k = 0; k < sweep.count; k++) {
    shownRuns += pass[k];
    anyFailed = anyFailed || (pass[k] && sweep.failed[k]);
  }
  var withDots = shownRuns <= mostDots;
  if (!withDots) notes.push("Dots of single runs are drawn up to " + mostDots + " runs.");

  function placeOf(run) { return ordered ? x.numbers[x.at[run]] : xs.at[run]; }
  function texts(w, b, g) {
    return [x.short + " " + xs.labels[g], by && by.short + " " + bys.labels[b], wrap && wrap.short + " " + wraps.labels[w]];
  }
  function panel(parent, w, height) {
    var title = wrap ? wrap.short + " " + wraps.labels[w] : "";
    var drawing = d.begin(parent, "lines", title, height, figure.label + " over " + x.label + " " + title);
    var area = d.axes(drawing, xScale, yScale, x.label, figure.label, anyFailed ? 26 : 8), c = drawing.context;
    if (anyFailed) {
      c.fillStyle = drawing.colours.failed;
      c.textAlign = "left";
      c.fillText("failed", area.left + 2, 9);
    }
    /* what is beyond the range ends at the frame; the row of failures is above it */
    c.save();
    c.beginPath();
    c.rect(area.left, anyFailed ? 10 : area.top, area.right - area.left, area.bottom - (anyFailed ? 10 : area.top));
    if (range.given) c.clip();
    for (var b = 0; b < bys.count; b++) panelLine(drawing, area, w, b);
    c.restore();
    return drawing;
  }
  function panelLine(drawing, area, w, b) {
    var c = drawing.context, style = styles[b], down = false;
    c.strokeStyle = c.fillStyle = style.colour;
    c.lineWidth = 2;
    if (withDots) {
      c.globalAlpha = shownRuns > 400 ? 0.35 : 0.7;
      for (var run = 0; run < sweep.count; run++)
        if (pass[run] && wraps.at[run] === w && bys.at[run] === b && isFinite(figure.values[run]))
          dot(c, area.x(placeOf(run)) + (ordered ? 0 : (b - (bys.count - 1) / 2) * 6), area.y(figure.values[run]), 2.5);
      c.globalAlpha = 1;
    }
    c.setLineDash(style.dashes);
    c.beginPath();
    var points = [];
    for (var g = 0; g < xs.count; g++) {
      var index = (w * bys.count + b) * xs.count + g, cell = cells.cell(index, chosen.over);
      if (cell.state === "empty") continue;
      var at = area.x(ordered ? xs.numbers[g] : g) + (ordered ? 0 : (b - (bys.count - 1) / 2) * 6);
      var y = cell.state === "value" ? area.y(cell.value) : NaN;
      if (isFinite(y)) {
        if (ordered) { if (down) c.lineTo(at, y); else c.moveTo(at, y); }
        down = true;
        points.push([at, y]);
        mark(drawing, at, y, index, [w, b, g]);
      } else down = false;
      if (cell.failed) {
        points.push([at, NaN]);
        mark(drawing, at, 18, index, [w, b, g]);
      }
    }
    c.stroke();
    c.setLineDash([]);
    points.forEach(function (p) { if (isNaN(p[1])) d.cross(c, p[0], 18, 4); else dot(c, p[0], p[1], 4); });
  }
  function mark(drawing, at, y, index, where) {
    drawing.marks.push({ x: at, y: y, runs: function () { return cells.members(index); },
      text: function () {
        return sweep.cellText(cells.cell(index, chosen.over), texts.apply(null, where), figure, chosen.over);
      } });
  }
  function dot(c, at, y, size) {
    c.beginPath();
    c.arc(at, y, size, 0, 2 * Math.PI);
    c.fill();
  }

  if (chosen.over === "worst" && pass.some(function (p, run) { return p && !sweep.failed[run]; })) {
    for (k = 0; k < cells.count && cells.cell(k, "worst").state !== "value"; k++);
    if (k === cells.count) notes.push(sweep.allFailed);
  }
  var styles = bys.labels.map(function (label, b) {
    return d.lineStyle(b, bys.count, by && by.numeric, d.theme());
  });
  if (by) d.lineKeys(place, bys.labels.map(function (label) { return by.short + " " + label; }), styles);
  sweep.multiples(place, wraps.count, panel);
  return notes;
};

/* A grid of drawings, one for each value; a single one is large. */
sweep.multiples = function (place, count, draw) {
  var grid = stictionPage.element("div", place, count > 1 ? count === 2 || count === 4 ? "multiples wide-ones" : "multiples" : "");
  var narrow = window.innerWidth < 640;
  for (var k = 0; k < count; k++) draw(grid, k, count > 1 ? 260 : narrow ? 320 : 440);
  place.dataset.panels = count;
};
