// SPDX-License-Identifier: MIT
/* Drawing on a canvas: colours of the page, scales, axes, colour bars, and marks that the mouse
 * and the arrow keys explain. */
(function () {
  var page = stictionPage, styles = JSON.parse(document.getElementById("styles").textContent);

  /* ---- colours ---- */

  function theme() {
    var style = getComputedStyle(document.documentElement);
    function of(name) { return style.getPropertyValue("--" + name).trim(); }
    return { paper: of("paper"), ink: of("ink"), faint: of("faint"), grid: of("grid"), empty: of("empty"),
      failed: of("failed"), font: getComputedStyle(document.body).fontFamily };
  }
  var darkScreen = window.matchMedia("(prefers-color-scheme: dark)");
  /* A share from 0 to 1 of what the scale has for this screen: its darkest part would not be seen. */
  function seen(share) {
    share = Math.max(0, Math.min(1, share));
    return darkScreen.matches ? 0.22 + 0.78 * share : share;
  }
  function colourAt(share) {
    var stops = sweep.scale, place = seen(share) * (stops.length - 1);
    var k = Math.min(Math.floor(place), stops.length - 2), t = place - k;
    return "rgb(" + [0, 1, 2].map(function (n) {
      return Math.round(stops[k][n] + t * (stops[k + 1][n] - stops[k][n]));
    }).join(",") + ")";
  }
  function isDark(share) { return seen(share) < 0.6; }
  /* Of line `k` of `count`: the colours of all pages for a few, the scale for ordered ones. */
  function lineStyle(k, count, ordered, colours) {
    if (ordered && count > 4) return { colour: colourAt(count > 1 ? 0.05 + 0.85 * k / (count - 1) : 0), dashes: [] };
    var s = styles[k % styles.length];
    return { colour: s.colour === "#333333" ? colours.ink : s.colour,
      dashes: s.dashes ? s.dashes.split(" ").map(Number) : [] };
  }
  function hatching(context, colours) {
    var tile = document.createElement("canvas"), size = 8;
    tile.width = tile.height = size;
    var c = tile.getContext("2d");
    c.fillStyle = colours.paper;
    c.fillRect(0, 0, size, size);
    c.strokeStyle = colours.failed;
    c.lineWidth = 1.6;
    for (var k = -1; k < 2; k++) {
      c.beginPath();
      c.moveTo(k * size - 1, size + 1);
      c.lineTo((k + 1) * size + 1, -1);
      c.stroke();
    }
    return context.createPattern(tile, "repeat");
  }

  /* ---- scales ---- */

  function niceStep(span, most) {
    var least = span / most, power = Math.pow(10, Math.floor(Math.log10(least)));
    var step = [1, 2, 5, 10].find(function (s) { return s * power >= least * (1 - 1e-9); });
    return step * power;
  }
  /* From low to high, as numbers or as logarithms: `at` gives the share of the way. */
  function numberScale(low, high, log, room) {
    if (!(low <= high)) { low = 0; high = 1; }
    log = log && low > 0;
    var way = log ? Math.log10 : Number, a = way(low), b = way(high);
    if (b - a <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)) || a === b) {
      var half = log ? 0.5 : Math.abs(a) / 2 || 1;
      a -= half;
      b += half;
    }
    var span = b - a;
    a -= span * room;
    b += span * room;
    return { log: log, at: function (v) { return (way(v) - a) / (b - a); },
      value: function (share) { var v = a + share * (b - a); return log ? Math.pow(10, v) : v; },
      ticks: function (most) { return log ? logTicks(a, b, most) : linearTicks(a, b, most); } };
  }
  function linearTicks(a, b, most) {
    var step = niceStep(b - a, most), ticks = [];
    for (var k = Math.ceil(a / step - 1e-9); k <= Math.floor(b / step + 1e-9); k++)
      ticks.push({ value: k * step, text: String(Number((k * step).toPrecision(8))) });
    return ticks;
  }
  function logTicks(a, b, most) {
    var parts = b - a > 3 ? [1] : b - a > 1 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
    var every = parts.length > 1 ? 1 : Math.ceil((b - a) / most), ticks = [];
    for (var d = Math.floor(a); d <= Math.ceil(b); d++)
      parts.forEach(function (p) {
        var value = p * Math.pow(10, d), at = Math.log10(value);
        if (at >= a - 1e-9 && at <= b + 1e-9 && d % every === 0)
          ticks.push({ value: value, text: String(Number(value.toPrecision(4))) });
      });
    return ticks;
  }
  /* A place for each name, the same room for all. */
  function nameScale(names) {
    return { names: names, at: function (k) { return (k + 0.5) / names.length; },
      ticks: function () { return names.map(function (text, k) { return { value: k, text: text }; }); } };
  }
  function rangeOf(values, pass, positive) {
    var low = Infinity, high = -Infinity;
    for (var k = 0; k < values.length; k++) {
      var v = values[k];
      if ((pass && !pass[k]) || !isFinite(v) || (positive && !(v > 0))) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return { low: low, high: high };
  }

  /* ---- a canvas with marks ---- */

  var tip = page.element("div", document.body, "tip");
  tip.id = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  function showTip(drawing, mark, x, y) {
    tip.textContent = mark.text();
    tip.hidden = false;
    var box = drawing.canvas.getBoundingClientRect();
    var left = Math.min(box.left + x + 14, window.innerWidth - tip.offsetWidth - 8);
    var top = box.top + y + 16;
    if (top + tip.offsetHeight > window.innerHeight) top = box.top + y - tip.offsetHeight - 12;
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = Math.max(4, top) + "px";
  }
  window.addEventListener("scroll", function () { tip.hidden = true; }, { passive: true });

  function markAt(drawing, x, y) {
    var found = null, nearest = 14;
    drawing.marks.forEach(function (m) {
      if (m.width !== undefined) {
        if (x >= m.x && x < m.x + m.width && y >= m.y && y < m.y + m.height) { found = m; nearest = -1; }
      } else {
        var distance = Math.hypot(m.x - x, m.y - y);
        if (distance < nearest) { found = m; nearest = distance; }
      }
    });
    return found;
  }
  function centre(m) { return m.width === undefined ? [m.x, m.y] : [m.x + m.width / 2, m.y + m.height / 2]; }
  /* The next mark in the direction of an arrow key. */
  function nextMark(drawing, key) {
    var from = drawing.marks[drawing.at] ? centre(drawing.marks[drawing.at]) : null, best = 0, least = Infinity;
    if (!from) return 0;
    var way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    best = drawing.at;
    drawing.marks.forEach(function (m, k) {
      var c = centre(m), along = (c[0] - from[0]) * way[0] + (c[1] - from[1]) * way[1];
      var aside = Math.abs((c[0] - from[0]) * way[1]) + Math.abs((c[1] - from[1]) * way[0]);
      if (k !== drawing.at && along > 0.5 && along + 3 * aside < least) { least = along + 3 * aside; best = k; }
    });
    return best;
  }

  /* A figure with a canvas of a height in CSS pixels, as wide as its place. */
  function begin(parent, kind, title, height, label) {
    var figure = page.element("figure", parent), canvas;
    figure.dataset.kind = kind;
    if (title) page.element("b", page.element("div", figure, "head"), "", title);
    canvas = page.element("canvas", figure);
    canvas.style.height = height + "px";
    var width = Math.max(canvas.clientWidth, 120), ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    var context = canvas.getContext("2d"), colours = theme();
    context.scale(ratio, ratio);
    context.font = "12px " + colours.font;
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, width, height);
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label + ". Arrow keys go from mark to mark, Enter picks its runs.");
    var drawing = { figure: figure, canvas: canvas, context: context, width: width, height: height,
      colours: colours, marks: [], at: -1 };
    canvas.addEventListener("pointermove", function (e) {
      var m = markAt(drawing, e.offsetX, e.offsetY);
      if (m) showTip(drawing, m, e.offsetX, e.offsetY); else tip.hidden = true;
    });
    canvas.addEventListener("pointerleave", function () { tip.hidden = true; });
    canvas.addEventListener("click", function (e) {
      var m = markAt(drawing, e.offsetX, e.offsetY);
      if (m && m.runs) sweep.pick(m.runs());
    });
    canvas.addEventListener("keydown", function (e) {
      if (/^Arrow/.test(e.key) && drawing.marks.length) {
        drawing.at = nextMark(drawing, e.key);
        var m = drawing.marks[drawing.at], c = centre(m);
        showTip(drawing, m, c[0], c[1]);
        e.preventDefault();
      } else if (e.key === "Enter" && drawing.marks[drawing.at] && drawing.marks[drawing.at].runs)
        sweep.pick(drawing.marks[drawing.at].runs());
      else if (e.key === "Escape") tip.hidden = true;
    });
    canvas.addEventListener("blur", function () { tip.hidden = true; });
    return drawing;
  }

  /* ---- axes ---- */

  /* As much of a text as fits: its beginning and its end. */
  function fit(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    for (var keep = text.length - 1; keep > 1; keep--) {
      var cut = text.slice(0, Math.ceil(keep / 2)) + "\u2026" + text.slice(text.length - Math.floor(keep / 2));
      if (context.measureText(cut).width <= width) return cut;
    }
    return "\u2026";
  }
  /* Of names only every n-th, as far as there is room. */
  function thinned(ticks, room, each) {
    var every = Math.max(1, Math.ceil(ticks.length * each / room));
    return ticks.filter(function (t, k) { return k % every === 0; });
  }
  function widest(context, ticks) {
    return ticks.reduce(function (w, t) { return Math.max(w, context.measureText(t.text).width); }, 0);
  }

  /* Frame, grid, ticks and labels around the area that they leave, which comes back; `top` is kept
   * free above it. */
  function axes(drawing, x, y, xLabel, yLabel, top) {
    var c = drawing.context, colours = drawing.colours, w = drawing.width, h = drawing.height;
    var yTicks = y.ticks(Math.max(2, Math.floor(h / 45)));
    var yWidth = Math.min(widest(c, yTicks), w * 0.3);
    var area = { left: yWidth + 30, right: w - 12, top: top || 8, bottom: h - 44 };
    var xTicks = x.ticks(Math.max(2, Math.floor((area.right - area.left) / 75)));
    var xWidth = widest(c, xTicks), slot = (area.right - area.left) / Math.max(1, xTicks.length);
    var slanted = x.names && xWidth > slot - 6 && xWidth > 40;
    if (slanted) area.bottom -= Math.min(xWidth, 110) * 0.5;
    if (x.names) xTicks = thinned(xTicks, area.right - area.left, slanted ? 16 : xWidth + 8);
    if (y.names) yTicks = thinned(yTicks, area.bottom - area.top, 15);
    area.x = function (v) { return area.left + x.at(v) * (area.right - area.left); };
    area.y = function (v) { return area.bottom - y.at(v) * (area.bottom - area.top); };
    c.strokeStyle = colours.grid;
    c.fillStyle = colours.ink;
    c.lineWidth = 1;
    c.textBaseline = "middle";
    c.textAlign = "right";
    yTicks.forEach(function (t) {
      var at = Math.round(area.y(t.value)) + 0.5;
      if (!y.names) line(c, area.left, at, area.right, at);
      c.fillText(fit(c, t.text, yWidth + 1), area.left - 6, at);
    });
    xTicks.forEach(function (t) {
      var at = Math.round(area.x(t.value)) + 0.5;
      if (!x.names) line(c, at, area.top, at, area.bottom);
      c.save();
      c.translate(at, area.bottom + (slanted ? 8 : 13));
      if (slanted) c.rotate(-0.5);
      c.textAlign = slanted ? "right" : "center";
      c.fillText(slanted ? fit(c, t.text, 120) : t.text, 0, 0);
      c.restore();
    });
    c.fillStyle = colours.faint;
    c.textAlign = "center";
    c.fillText(fit(c, xLabel, area.right - area.left), (area.left + area.right) / 2, h - 10);
    c.save();
    c.translate(10, (area.top + area.bottom) / 2);
    c.rotate(-Math.PI / 2);
    c.fillText(fit(c, yLabel, area.bottom - area.top), 0, 0);
    c.restore();
    c.strokeStyle = colours.faint;
    c.strokeRect(area.left + 0.5, area.top + 0.5, area.right - area.left, area.bottom - area.top);
    return area;
  }
  function line(c, x1, y1, x2, y2) {
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x2, y2);
    c.stroke();
  }
  function cross(c, x, y, size) {
    line(c, x - size, y - size, x + size, y + size);
    line(c, x - size, y + size, x + size, y - size);
  }

  /* ---- legends ---- */

  /* The colours of a figure with numbers and its unit, and the keys of failed and empty cells. */
  function colourBar(parent, scale, label) {
    var drawing = begin(parent, "legend", "", 62, "the colours of " + label);
    var c = drawing.context, colours = drawing.colours, left = 12, top = 20;
    var right = left + Math.min(360, drawing.width - 24), k;
    drawing.canvas.tabIndex = -1;
    for (k = left; k < right; k++) {
      c.fillStyle = colourAt((k - left) / (right - left));
      c.fillRect(k, top, 1.5, 14);
    }
    c.fillStyle = colours.ink;
    c.textBaseline = "middle";
    c.fillText(fit(c, label, drawing.width - 16), left, 9);
    c.textAlign = "center";
    c.strokeStyle = colours.ink;
    scale.ticks(Math.floor((right - left) / 60)).forEach(function (t) {
      var at = left + scale.at(t.value) * (right - left);
      line(c, at, top + 14, at, top + 18);
      c.fillText(t.text, Math.max(at, left + 4), top + 27);
    });
    var keys = page.element("div", drawing.figure, "keys");
    [["hatched", "failed"], ["half", "some failed"], ["none", "no value"], ["empty", "no run"]].forEach(function (k) {
      var key = page.element("span", keys);
      page.element("i", key, "cell " + k[0]);
      page.element("span", key, "", k[1]);
    });
  }
  /* A line of names in their colours. */
  function lineKeys(parent, names, lineStyles) {
    var place = page.element("div", parent, "keys");
    names.forEach(function (name, k) {
      var key = page.element("span", place), mark = page.element("i", key, "key");
      mark.style.background = lineStyles[k].dashes.length
        ? "repeating-linear-gradient(90deg," + lineStyles[k].colour + " 0 .5rem,transparent .5rem .7rem)"
        : lineStyles[k].colour;
      page.element("span", key, "", name);
    });
    return place;
  }

  sweep.draw = { begin: begin, axes: axes, line: line, cross: cross, fit: fit, hatching: hatching,
    colourAt: colourAt, isDark: isDark, lineStyle: lineStyle, numberScale: numberScale,
    nameScale: nameScale, rangeOf: rangeOf, colourBar: colourBar, lineKeys: lineKeys, theme: theme,
    hideTip: function () { tip.hidden = true; } };
})();
