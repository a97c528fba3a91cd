// SPDX-License-Identifier: MIT
/* A figure over two settings, as colours of cells: which of them survive. Failed cells are hatched. */
sweep.heatMap = function (place, pass) {
  var d = sweep.draw, choices = sweep.choices, chosen = choices.chosen, figure = choices.figure();
  var x = choices.setting(chosen.x), y = choices.setting(chosen.y), wrap = choices.setting(chosen.wrap);
  if (!x || !y || x === y) return ["A heat map needs two settings that differ: choose another y."];
  if (wrap === x || wrap === y) wrap = null;
  var one = { count: 1, at: new Uint8Array(sweep.count), labels: [""] }, notes = [];
  var xs = sweep.groupsOf(x, 40, chosen.logx === "yes"), ys = sweep.groupsOf(y, 40, chosen.logy === "yes");
  if (xs.stretched && x.numeric) xs = sweep.groupsOf(x, 20, chosen.logx === "yes");
  if (ys.stretched && y.numeric) ys = sweep.groupsOf(y, 20, chosen.logy === "yes");
  var wraps = wrap ? sweep.groupsOf(wrap, 12, false) : one;
  var cells = sweep.cells(wraps.count * ys.count * xs.count, function (run) {
    return (wraps.at[run] * ys.count + ys.at[run]) * xs.count + xs.at[run];
  }, pass, figure.values, choices.better());
  /* two colours that remain distinct under red-green blindness */
  var twoColours = sweep.isWorks(figure) && chosen.over !== "mean", colours = ["#e69f00", "#009e73"];

  var all = [], low = Infinity, high = -Infinity, logZ = chosen.logz === "yes";
  for (var k = 0; k < cells.count; k++) {
    var cell = cells.cell(k, chosen.over);
    all.push(cell);
    if (cell.state !== "value" || (logZ && !(cell.value > 0))) continue;
    low = Math.min(low, cell.value);
    high = Math.max(high, cell.value);
  }
  var range = choices.figureRange({ low: low, high: high }, logZ);
  var scale = d.numberScale(range.low, range.high, logZ, 0);
  if (range.given) notes.push("Values beyond the ends of the colours have the colour of the end.");
  if (logZ && all.some(function (cell) { return cell.state === "value" && !(cell.value > 0); }))
    notes.push("Values that are not above 0 have the lowest colour of the logarithmic scale.");
  [[x, xs], [y, ys]].forEach(function (pair) {
    if (pair[1].stretched) notes.push(pair[0].key + " has " + pair[0].values.length + " values, which are shown in " + pair[1].count + " stretches.");
  });

  /* to scale where a logarithmic axis is wanted, else each value has the same room */
  function axisOf(s, groups, log) {
    if (!(log && s.numeric && s.numbers[0] > 0) || groups.count < 2) return steps(groups);
    var middles = groups.numbers, edges = groups.edges || middles.slice(1).map(function (v, k) { return Math.sqrt(v * middles[k]); });
    if (!groups.edges) {
      edges.unshift(middles[0] * middles[0] / edges[0]);
      edges.push(middles[middles.length - 1] * middles[middles.length - 1] / edges[edges.length - 1]);
    }
    var made = d.numberScale(edges[0], edges[edges.length - 1], true, 0);
    return { scale: made, from: function (k) { return made.at(edges[k]); }, to: function (k) { return made.at(edges[k + 1]); } };
  }
  function steps(groups) {
    return { scale: d.nameScale(groups.labels), from: function (k) { return k / groups.count; },
      to: function (k) { return (k + 1) / groups.count; } };
  }
  var xAxis = axisOf(x, xs, chosen.logx === "yes"), yAxis = axisOf(y, ys, chosen.logy === "yes");

  function panel(parent, w, height) {
    var title = wrap ? wrap.short + " " + wraps.labels[w] : "";
    var drawing = d.begin(parent, "heat", title, height, figure.label + " over " + x.label + " and " + y.label + " " + title);
    var area = d.axes(drawing, xAxis.scale, yAxis.scale, x.label, y.label, 8), c = drawing.context;
    var digits = digitsFor(c, (area.right - area.left) / xs.count);
    var hatch = d.hatching(c, drawing.colours), width = area.right - area.left, tall = area.bottom - area.top;
    for (var row = 0; row < ys.count; row++)
      for (var column = 0; column < xs.count; column++) {
        var left = Math.round(area.left + xAxis.from(column) * width), right = Math.round(area.left + xAxis.to(column) * width);
        var bottom = Math.round(area.bottom - yAxis.from(row) * tall), top = Math.round(area.bottom - yAxis.to(row) * tall);
        paint(drawing, hatch, (w * ys.count + row) * xs.count + column, left, top, right - left, bottom - top, [w, row, column], digits);
      }
    return drawing;
  }
  /* As many digits as all values have room for, three at the most; 0: none is written. */
  function digitsFor(c, room) {
    if (twoColours) return c.measureText("works").width <= room - 5 ? 3 : 0;
    return [3, 2].find(function (digits) {
      return all.every(function (cell) {
        return cell.state !== "value" || c.measureText(sweep.shown(cell.value, digits)).width <= room - 5;
      });
    }) || 0;
  }
  function paint(drawing, hatch, index, left, top, width, height, where, digits) {
    var c = drawing.context, cell = all[index], share = cell.state === "value" ? scale.at(cell.value) : 0;
    if (!isFinite(share)) share = 0;
    c.fillStyle = cell.state === "value" ? twoColours ? colours[cell.value] : d.colourAt(share) : cell.state === "failed" ? hatch
      : cell.state === "none" ? drawing.colours.empty : drawing.colours.paper;
    c.fillRect(left, top, width, height);
    c.fillStyle = cell.state === "value" ? d.isDark(share) && !twoColours ? "#fff" : "#000" : drawing.colours.ink;
    c.textAlign = "center";
    c.textBaseline = "middle";
    var text = cell.state === "value" && digits ? twoColours ? cell.value ? "works" : "no" : sweep.shown(cell.value, digits)
      : cell.state === "none" ? "\u2013" : "";
    if (height > 15 && width > 8) c.fillText(text, left + width / 2, top + height / 2 + 0.5);
    if (cell.state === "value" && cell.failed) {
      var size = Math.max(5, Math.min(12, width / 3, height / 3));
      c.fillStyle = drawing.colours.failed;
      c.beginPath();
      c.moveTo(left + width - size, top);
      c.lineTo(left + width, top);
      c.lineTo(left + width, top + size);
      c.fill();
    }
    if (cell.state === "empty") return;
    if (width > 6 && height > 6) {
      c.strokeStyle = drawing.colours.paper;
      c.lineWidth = 1;
      c.strokeRect(left + 0.5, top + 0.5, width, height);
    }
    drawing.marks.push({ x: left, y: top, width: width, height: height,
      runs: function () { return cells.members(index); },
      text: function () {
        return sweep.cellText(cell, [x.short + " " + xs.labels[where[2]], y.short + " " + ys.labels[where[1]],
          wrap && wrap.short + " " + wraps.labels[where[0]]], figure, chosen.over);
      } });
  }

  if (chosen.over === "worst" && all.every(function (cell) { return cell.state === "failed" || cell.state === "empty"; }) &&
      pass.some(function (p, run) { return p && !sweep.failed[run]; }))
    notes.push(sweep.allFailed);
  if (twoColours)
    d.lineKeys(place, ["works: " + figure.kind.description, "does not work"], [1, 0].map(function (k) {
      return { colour: colours[k], dashes: [] };
    }));
  else d.colourBar(place, scale, figure.label + (cellsHaveSeveral(all) ? ", " + chosen.over + " of the runs of a cell" : ""));
  sweep.multiples(place, wraps.count, panel);
  place.dataset.cells = all.filter(function (cell) { return cell.state !== "empty"; }).length;
  place.dataset.failed = all.filter(function (cell) { return cell.state === "failed"; }).length;
  return notes;
  function cellsHaveSeveral(cells) { return cells.some(function (cell) { return cell.runs > 1; }); }
};
