/* All settings side by side: an axis each, a line a run in the colour of the figure. A stretch that
 * is drawn along an axis filters; a double click takes the filter away. */
sweep.parallel = function (place, pass) {
  var d = sweep.draw, choices = sweep.choices, chosen = choices.chosen, figure = choices.figure();
  var notes = ["Draw along an axis to keep the runs of that stretch; double-click an axis to keep all again."];
  var anyFailed = sweep.failed.some(function (f, k) { return f && pass[k]; });
  var range = choices.figureRange(d.rangeOf(figure.values, pass, chosen.logz === "yes"), chosen.logz === "yes");
  var colours = d.numberScale(range.low, range.high, chosen.logz === "yes", 0);

  var list = sweep.settings.filter(function (s) { return s.values.length > 1; }).map(ofSetting);
  var most = 14;
  if (list.length > most) {
    notes.push("The first " + most + " of " + list.length + " settings are shown.");
    list = list.slice(0, most);
  }
  list.push(ofFigure(figure));
  chosen.also.split(",").forEach(function (name) {
    if (sweep.kindOf[name] && name !== chosen.figure)
      list.push(ofFigure(sweep.figure(name, chosen.of, choices.isAbsolute(name))));
  });

  /* An axis: where a run is on it (NaN: nowhere), and how it is filtered. */
  function ofSetting(s) {
    var scale = s.numeric ? d.numberScale(s.numbers[0], s.numbers[s.numbers.length - 1], chosen.logx === "yes", 0)
      : d.nameScale(s.values.map(function (v, k) { return sweep.valueText(s, k); }));
    var places = s.values.map(function (v, k) { return scale.at(s.numeric ? s.numbers[k] : k); });
    var f = choices.filters()[s.key];
    /* a few values are ticks themselves */
    if (s.numeric && s.values.length <= 10)
      scale.ticks = function () { return s.numbers.map(function (v, k) { return { value: v, text: s.values[k] }; }); };
    return { label: s.short, scale: scale, share: function (run) { return places[s.at[run]]; },
      kept: f && places.filter(function (p, k) {
        return Array.isArray(f) ? f.indexOf(s.values[k]) >= 0
          : !(s.numbers[k] < f.from) && !(s.numbers[k] > f.to);
      }),
      filter: function (low, high) {
        var values = s.values.filter(function (v, k) { return places[k] >= low && places[k] <= high; });
        choices.setFilter(s.key, low === null || !values.length || values.length === s.values.length ? null
          : s.values.length <= 12 || !s.numeric ? values
          : { from: Number(values[0]), to: Number(values[values.length - 1]) });
      } };
  }
  function ofFigure(f) {
    var r = d.rangeOf(f.values, null, chosen.logz === "yes"), scale = d.numberScale(r.low, r.high, chosen.logz === "yes", 0);
    var mine = (choices.filters()[""] || []).filter(function (one) { return one.figure === f.kind.name && one.of === f.of; })[0];
    return { label: f.title + (f.unit ? " (" + f.unit + ")" : ""), scale: scale, figure: f,
      share: function (run) { var v = f.values[run]; return chosen.logz === "yes" && !(v > 0) ? NaN : scale.at(v); },
      kept: mine && [mine.from === undefined ? 0 : scale.at(mine.from), mine.to === undefined ? 1 : scale.at(mine.to)],
      filter: function (low, high) {
        var others = (choices.filters()[""] || []).filter(function (one) { return one !== mine; });
        if (low !== null) others.push({ figure: f.kind.name, of: f.of, from: Number(scale.value(low).toPrecision(6)), to: Number(scale.value(high).toPrecision(6)) });
        choices.setFilter("", others.length ? others : null);
      } };
  }

  d.colourBar(place, colours, figure.label, false);
  var drawing = d.begin(place, "parallel", "", window.innerWidth < 640 ? 380 : 460, "all settings and " + figure.label);
  var c = drawing.context, top = 40, bottom = drawing.height - 46, left = 46, right = drawing.width - 60;
  list.forEach(function (axis, k) { axis.x = list.length > 1 ? left + (right - left) * k / (list.length - 1) : left; });
  function yOf(axis, run) {
    var share = axis.share(run);
    if (isFinite(share)) return bottom - share * (bottom - top);
    return sweep.failed[run] ? bottom + 34 : bottom + 18;
  }

  /* the best ones last, over the others */
  var order = [], sign = chosen.better === "higher" ? 1 : -1;
  for (var run = 0; run < sweep.count; run++) if (pass[run]) order.push(run);
  order.sort(function (a, b) {
    var one = figure.values[a], other = figure.values[b];
    return isNaN(other) - isNaN(one) || (isNaN(one) ? a - b : sign * (one - other));
  });
  /* more would be one patch of colour, and slow */
  var mostLines = 20000;
  if (order.length > mostLines) {
    notes.push("Of " + order.length + " runs " + mostLines + " are drawn.");
    order = order.filter(function (run, k) {
      return Math.floor(k * mostLines / order.length) !== Math.floor((k - 1) * mostLines / order.length);
    });
  }
  c.lineWidth = order.length > 500 ? 1 : 1.6;
  c.globalAlpha = order.length > 4000 ? 0.25 : order.length > 500 ? 0.45 : 0.85;
  order.forEach(function (run) {
    var v = figure.values[run];
    c.strokeStyle = isNaN(v) ? drawing.colours.failed : d.colourAt(colours.at(v));
    c.setLineDash(sweep.failed[run] ? [4, 3] : []);
    c.beginPath();
    list.forEach(function (axis, k) {
      var y = yOf(axis, run);
      if (k) c.lineTo(axis.x, y); else c.moveTo(axis.x, y);
    });
    c.stroke();
  });
  c.globalAlpha = 1;
  c.setLineDash([]);
  list.forEach(drawAxis);

  function drawAxis(axis, k) {
    var room = list.length > 1 ? (right - left) / (list.length - 1) : drawing.width;
    if (axis.kept && axis.kept.length) {
      var lowest = Math.min.apply(null, axis.kept), highest = Math.max.apply(null, axis.kept);
      c.fillStyle = drawing.colours.ink;
      c.globalAlpha = 0.18;
      c.fillRect(axis.x - 8, bottom - highest * (bottom - top) - 5, 16, (highest - lowest) * (bottom - top) + 10);
      c.globalAlpha = 1;
    }
    c.strokeStyle = drawing.colours.ink;
    c.lineWidth = 1.4;
    d.line(c, axis.x, top, axis.x, bottom);
    c.textAlign = "left";
    c.textBaseline = "middle";
    var ticks = axis.scale.ticks(8);
    if (axis.scale.names) ticks = ticks.filter(function (t, n) { return n % Math.ceil(ticks.length / 24) === 0; });
    var above = Infinity;
    ticks.forEach(function (t) {
      var y = bottom - axis.scale.at(t.value) * (bottom - top);
      d.line(c, axis.x - 3, y, axis.x + 3, y);
      if (above - y < 11) return; /* it would stand on the last one */
      above = y;
      halo(d.fit(c, t.text, Math.max(24, room - 16)), axis.x + 6, y);
    });
    if (axis.figure) {
      halo("no value", axis.x - 50, bottom + 18);
      if (anyFailed) halo("failed", axis.x - 50, bottom + 34);
    }
    /* names of neighbours stand on two lines; those at the ends keep within the drawing */
    var first = k === 0, last = k === list.length - 1;
    c.textAlign = first ? "left" : last ? "right" : "center";
    halo(d.fit(c, axis.label, Math.max(60, first || last ? room + 40 : 2 * room - 60)),
      first ? 4 : last ? drawing.width - 4 : axis.x, k % 2 ? 9 : 25);
  }
  function halo(text, x, y) {
    c.lineWidth = 3;
    c.strokeStyle = drawing.colours.paper;
    c.strokeText(text, x, y);
    c.fillStyle = drawing.colours.ink;
    c.fillText(text, x, y);
    c.strokeStyle = drawing.colours.ink;
    c.lineWidth = 1.4;
  }

  /* marks where the runs meet the axis of the figure */
  var last = list.find(function (a) { return a.figure; });
  order.forEach(function (run) {
    drawing.marks.push({ x: last.x, y: yOf(last, run), runs: function () { return [run]; },
      text: function () {
        return "run " + sweep.label(run) + "\n" + (sweep.failed[run] ? "failed: " + sweep.reason(run)
          : figure.title + ": " + sweep.shownWithUnit(figure.values[run], figure.unit));
      } });
  });

  /* a stretch along an axis */
  var grip = null;
  function near(x) { return list.find(function (axis) { return Math.abs(axis.x - x) < 16; }); }
  function shareAt(y) { return Math.max(0, Math.min(1, (bottom - y) / (bottom - top))); }
  drawing.canvas.addEventListener("pointerdown", function (e) {
    var axis = near(e.offsetX);
    grip = axis && e.offsetY < bottom + 8 ? { axis: axis, from: e.offsetY, to: e.offsetY } : null;
    if (grip) drawing.canvas.setPointerCapture(e.pointerId);
  });
  drawing.canvas.addEventListener("pointermove", function (e) {
    if (!grip) return;
    grip.to = e.offsetY;
    stretch.style.left = grip.axis.x - 8 + "px";
    stretch.style.top = Math.min(grip.from, grip.to) + "px";
    stretch.style.height = Math.abs(grip.to - grip.from) + "px";
    stretch.hidden = false;
  });
  drawing.canvas.addEventListener("pointerup", function () {
    var g = grip;
    grip = null;
    stretch.hidden = true;
    if (!g || Math.abs(g.to - g.from) < 6) return;
    var a = shareAt(g.from), b = shareAt(g.to);
    g.axis.filter(Math.min(a, b), Math.max(a, b));
  });
  drawing.canvas.addEventListener("dblclick", function (e) {
    var axis = near(e.offsetX);
    if (axis) axis.filter(null, null);
  });
  var box = drawing.canvas.parentNode, stretch = stictionPage.element("div", box, "stretch");
  box.style.position = "relative";
  stretch.hidden = true;
  place.dataset.panels = 1;
  place.dataset.axes = list.length;
  return notes;
};
