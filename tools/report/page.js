// SPDX-License-Identifier: MIT
/* The script of all pages: draws the selected plots, zooms them together, sorts tables.
 * All texts go through text nodes or escapeText, since names may contain anything. */
"use strict";
var stictionPage = (function () {
  var interactive = typeof Dygraph !== "undefined";
  var styles = JSON.parse(document.getElementById("styles").textContent);
  var body = document.body;

  /* ---- colours: those of the screen, and on paper always the light ones ---- */

  var darkScreen = window.matchMedia("(prefers-color-scheme: dark)"), onPaper = false;
  var brighter = { "#0072b2": "#56b4e9", "#d55e00": "#ff9248", "#009e73": "#2fc79b", "#cc79a7": "#e79cc4",
    "#e69f00": "#f0b73c", "#56b4e9": "#b9e3ff", "#333333": "#c9c9c9" };
  function isDark() { return darkScreen.matches && !onPaper; }
  function seen(colour) { return isDark() && brighter[colour] || colour; }
  function inks() {
    return isDark() ? { band: "#4a3f1f", axis: "#8a9199", grid: "#363b41", paper: "#16181b", ink: "#e8e8e8" }
      : { band: "#fbe9bf", axis: "#777", grid: "#dcdcdc", paper: "#ffffff", ink: "#222222" };
  }

  function escapeText(text) {
    return String(text).replace(/[&<>"']/g, function (c) { return "&#" + c.charCodeAt(0) + ";"; });
  }

  function element(tag, parent, className, text) {
    var made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    if (parent) parent.appendChild(made);
    return made;
  }

  function count(name, change) { body.dataset[name] = Number(body.dataset[name] || 0) + change; }

  /* ---- one plot ---- */

  /* Rows [x, y, y...] for dygraphs: null means no point, NaN a gap in the line. */
  function rowsOf(series) {
    var x = null, shared = true;
    series.forEach(function (s) {
      if (s.x && x) shared = false;
      x = s.x || x;
      s.at = x;
    });
    function value(y) { return y === null ? NaN : y; }
    if (shared) return x.map(function (at, k) {
      return [at].concat(series.map(function (s) { return value(s.y[k]); }));
    });
    /* points at the same x share a row, unless one series has several of them there */
    var rows = [], rowsAt = new Map();
    series.forEach(function (s, n) {
      s.at.forEach(function (at, k) {
        if (!rowsAt.has(at)) rowsAt.set(at, []);
        var row = rowsAt.get(at).find(function (r) { return r[n + 1] === null; });
        if (!row) {
          row = [at].concat(series.map(function () { return null; }));
          rowsAt.get(at).push(row);
          rows.push(row);
        }
        row[n + 1] = value(s.y[k]);
      });
    });
    return rows.sort(function (a, b) { return a[0] - b[0]; });
  }

  /* The value of a series at its last point up to x. */
  function valueAt(s, x) {
    var low = 0, high = s.at.length;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (s.at[middle] <= x) low = middle + 1; else high = middle;
    }
    return low ? s.y[low - 1] : NaN;
  }

  /* A short number for an axis: 0.25, -4e-5. */
  function tickText(value) {
    var short = Number(value.toPrecision(6));
    return short !== 0 && Math.abs(short) < 1e-3 ? short.toExponential() : String(short);
  }

  function unitOf(label) {
    var match = /\(([^()]*)\)$/.exec(label);
    return match ? " " + match[1] : "";
  }

  function shown(value, unit) {
    if (Math.abs(value) < 1e-10) value = 0; /* rounding noise */
    var text = Number(value.toPrecision(5)) + unit;
    if (unit === " rad") text += " (" + (value * 180 / Math.PI).toFixed(2) + "\u00b0)";
    return text;
  }

  /* A dashed or solid line, or a dot, in the colour of the series. */
  function keyOf(series, style) {
    var dot = series.points, dashed = !dot && style.dashes;
    var colour = seen(style.colour);
    var css = dashed ? "background-image:linear-gradient(90deg," + colour + " 70%,transparent 70%)"
      : "background:" + colour;
    return "<i class='key" + (dot ? " dot" : dashed ? " dashed" : "") + "' style='" + css +
      "'></i>";
  }

  function legendOf(plot, data) {
    var html = "";
    if (data.x !== undefined)
      html += "<span>" + escapeText(plot.x.replace(/ \(.*/, "")) + " " +
        escapeText(shown(data.x, unitOf(plot.x))) + "</span>";
    plot.series.forEach(function (s, n) {
      var point = data.series[n];
      if (!point || (plot.quietLegend && data.x !== undefined && !isFinite(point.y))) return;
      html += "<span>" + keyOf(s, styleOf(s, n)) + escapeText(s.label);
      /* overlaid series have different points */
      var y = data.x !== undefined && plot.overlaid ? valueAt(s, data.x) : point.y;
      if (data.x !== undefined && typeof y === "number" && isFinite(y))
        html += " " + escapeText(shown(y, unitOf(plot.y)));
      html += "</span>";
    });
    if (plot.bands.length)
      html += "<span><i class='key band' style='background:" + inks().band + "'></i>" +
        escapeText(plot.bandLabel) + "</span>";
    return html;
  }

  function styleOf(series, n) {
    return series.ownStyle || styles[(series.style === undefined ? n : series.style) % styles.length];
  }

  function shade(plot) {
    return function (canvas, area, graph) {
      canvas.fillStyle = inks().band;
      plot.bands.forEach(function (band) {
        var from = Math.max(graph.toDomXCoord(band[0]), area.x);
        var to = Math.min(graph.toDomXCoord(band[1]), area.x + area.w);
        if (to > from) canvas.fillRect(from, area.y, to - from, area.h);
      });
    };
  }

  /* Zooms the other plots over the same quantity. */
  function follow(peers) {
    var busy = false;
    return function (graph, initial) {
      if (initial) count("drawn", 1);
      if (initial || busy) return;
      busy = true;
      var range = graph.xAxisRange();
      peers.forEach(function (other) {
        if (other.graph === graph || other.x !== graph.stictionX) return;
        var now = other.graph.xAxisRange();
        if (now[0] !== range[0] || now[1] !== range[1])
          other.graph.updateOptions({ dateWindow: range });
      });
      busy = false;
    };
  }

  /* ---- files of a plot ---- */

  function save(name, blob) {
    var link = element("a", body), address = URL.createObjectURL(blob);
    link.href = address;
    link.download = name;
    link.click();
    link.remove();
    setTimeout(function () { URL.revokeObjectURL(address); }, 1000);
  }

  /* The samples of a plot, all of them: a row for each x, empty where a series has no point. */
  function csvOf(plot) {
    function cell(text) { return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text; }
    var unit = unitOf(plot.y).trim(), lines = [[plot.x].concat(plot.series.map(function (s) {
      return s.label + (unit ? " (" + unit + ")" : "");
    }))];
    lines = lines.concat(rowsOf(plot.series).map(function (row) {
      return row.map(function (v) { return v === null || isNaN(v) ? "" : String(v); });
    }));
    return lines.map(function (line) { return line.map(cell).join(","); }).join("\r\n") + "\r\n";
  }

  /* The drawing of a plot, as far as it is zoomed. */
  function svgOf(plot, graph) {
    var area = graph.getArea(), place = graph.graphDiv.getBoundingClientRect(), colours = inks();
    var width = Math.round(place.width), top = 26 + 18 * plot.series.length, height = Math.round(place.height) + top;
    var out = [], range = graph.xAxisRange();
    function add(text) { out.push(text); }
    function text(x, y, words, more) {
      add('<text x="' + x.toFixed(1) + '" y="' + y.toFixed(1) + '" fill="' + colours.ink + '"' + (more || "") + ">" + escapeText(words) + "</text>");
    }
    function line(x1, y1, x2, y2, colour) {
      add('<path d="M' + [x1, y1].map(Math.round).join(" ") + "L" + [x2, y2].map(Math.round).join(" ") + '" stroke="' + colour + '"/>');
    }
    add('<svg xmlns="http://www.w3.org/2000/svg" width="' + width + '" height="' + height + '" viewBox="0 0 ' + width + " " + height +
      '" font-family="DejaVu Sans, Verdana, Arial, sans-serif" font-size="13">');
    add('<rect width="100%" height="100%" fill="' + colours.paper + '"/>');
    text(8, 18, plot.title, ' font-weight="bold"');
    add('<clipPath id="area"><rect x="' + area.x + '" y="' + area.y + '" width="' + area.w + '" height="' + area.h + '"/></clipPath>');
    plot.series.forEach(function (s, n) {
      var y = 30 + 18 * n;
      add('<rect x="8" y="' + y + '" width="20" height="4" fill="' + seen(styleOf(s, n).colour) + '"/>');
      text(34, y + 7, s.label);
    });
    add('<g transform="translate(0 ' + top + ')" fill="none">');
    plot.bands.forEach(function (band) {
      var from = Math.max(graph.toDomXCoord(band[0]), area.x), to = Math.min(graph.toDomXCoord(band[1]), area.x + area.w);
      if (to > from) add('<rect x="' + from.toFixed(1) + '" y="' + area.y + '" width="' + (to - from).toFixed(1) + '" height="' + area.h + '" fill="' + colours.band + '"/>');
    });
    graph.graphDiv.querySelectorAll(".dygraph-axis-label, .dygraph-label").forEach(function (label) {
      var box = label.getBoundingClientRect(), x = (box.left + box.right) / 2 - place.left, y = (box.top + box.bottom) / 2 - place.top;
      var turned = label.classList.contains("dygraph-ylabel"), isX = label.classList.contains("dygraph-axis-label-x");
      if (isX) line(x, area.y, x, area.y + area.h, colours.grid);
      if (label.classList.contains("dygraph-axis-label-y")) {
        line(area.x, y, area.x + area.w, y, colours.grid);
        text(area.x - 5, y + 4, label.textContent, ' text-anchor="end"');
      } else {
        text(x, y + 4, label.textContent, ' text-anchor="middle"' + (turned ? ' transform="rotate(-90 ' + x.toFixed(1) + " " + y.toFixed(1) + ')"' : ""));
      }
    });
    add('<g clip-path="url(#area)">');
    plot.series.forEach(function (s, n) {
      var style = styleOf(s, n), colour = seen(style.colour), path = "", pen = false;
      s.at.forEach(function (x, k) {
        /* one point beyond each border, so that lines reach it */
        if ((k + 1 < s.at.length && x < range[0] && s.at[k + 1] < range[0]) || (k && x > range[1] && s.at[k - 1] > range[1])) return;
        var y = s.y[k], ok = typeof y === "number" && isFinite(y);
        if (ok && s.points) path += "M" + graph.toDomXCoord(x).toFixed(1) + " " + graph.toDomYCoord(y).toFixed(1) + "h0";
        else if (ok) path += (pen ? "L" : "M") + graph.toDomXCoord(x).toFixed(1) + " " + graph.toDomYCoord(y).toFixed(1);
        pen = ok;
      });
      if (path) add('<path d="' + path + '" stroke="' + colour + '" stroke-width="' + (s.points ? 3 : 1.8) + '" stroke-linecap="' + (s.points ? "round" : "butt") + '"' +
        (style.dashes && !s.points ? ' stroke-dasharray="' + style.dashes + '"' : "") + "/>");
    });
    add("</g>");
    line(area.x, area.y, area.x, area.y + area.h, colours.axis);
    line(area.x, area.y + area.h, area.x + area.w, area.y + area.h, colours.axis);
    add("</g></svg>");
    return out.join("\n") + "\n";
  }

  /* A drawing as PNG with twice as many pixels as on the screen. */
  function pixelsOf(svg, done) {
    var image = new Image(), canvas = document.createElement("canvas");
    image.onload = function () {
      canvas.width = 2 * image.width;
      canvas.height = 2 * image.height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(done);
    };
    image.src = "data:image/svg+xml," + encodeURIComponent(svg);
  }

  /* Draws a plot into `parent`; `peers` collects the graphs that zoom together. */
  function draw(parent, plot, peers, onDraw) {
    count("plots", 1);
    var figure = element("figure", parent), head = element("div", figure, "head");
    element("b", head, "", plot.title);
    var legend = element("div", head, "legend"), saves = element("div", head, "saves");
    var isTime = /^time/.test(plot.x);
    var canvas = element("div", figure, "canvas" + (isTime ? "" : " high"));
    var labels = [plot.x], seriesOptions = {};
    /* lines below many dots are wide; few dots are large */
    function isCloud(s) { return s.points && s.y.length > 200; }
    var underDots = plot.series.some(isCloud);
    plot.series.forEach(function (s, n) {
      var style = styleOf(s, n), label = n + " " + s.label;
      labels.push(label);
      seriesOptions[label] = { color: seen(style.colour), strokeWidth: s.points ? 0 : underDots ? 5 : 1.8,
        drawPoints: s.points, pointSize: isCloud(s) ? 1.6 : 4,
        strokePattern: style.dashes && !s.points ? style.dashes.split(" ").map(Number) : null };
    });
    var graph = new Dygraph(canvas, rowsOf(plot.series), {
      labels: labels, series: seriesOptions, labelsDiv: legend, legend: "always",
      legendFormatter: function (data) { return legendOf(plot, data); },
      xlabel: escapeText(plot.x), ylabel: escapeText(plot.y), connectSeparatedPoints: true,
      axes: { x: { axisLabelWidth: 60, axisLabelFormatter: tickText },
        y: { axisLabelWidth: 70, axisLabelFormatter: tickText } }, axisLineColor: inks().axis,
      gridLineColor: inks().grid, xRangePad: isTime ? 0 : 14, yRangePad: 10,
      xLabelHeight: 18, yLabelWidth: 18, highlightCircleSize: 4, digitsAfterDecimal: 6,
      underlayCallback: shade(plot), drawCallback: onDraw,
      highlightCallback: function (event, x) {
        if (!isTime) return;
        announce({ time: x });
        if (timeListener) timeListener(x);
      }
    });
    [["SVG", svgOf, "image/svg+xml"], ["PNG", svgOf], ["CSV", csvOf, "text/csv"]].forEach(function (kind) {
      var button = element("button", saves, "", kind[0]);
      button.type = "button";
      button.title = "Save this plot as " + kind[0];
      button.addEventListener("click", function () {
        var name = plot.title.replace(/[^\w.-]+/g, "_") + "." + kind[0].toLowerCase(), text = kind[1](plot, graph);
        if (kind[2]) save(name, new Blob([text], { type: kind[2] }));
        else pixelsOf(text, function (blob) { save(name, blob); });
      });
    });
    graph.stictionX = plot.x;
    graph.stictionSeries = seriesOptions;
    if (peers) peers.push({ graph: graph, x: plot.x });
    return graph;
  }

  /* ---- one time for all plots and the replay ---- */

  var timeListener = null;
  function onTime(listener) { timeListener = listener; }

  /* Pages that are compared (compareRuns) lie in frames and follow each other. */
  var isFramed = window.parent !== window, following = false;
  function announce(what) {
    if (isFramed && !following) window.parent.postMessage({ stiction: what }, "*");
  }
  function followFrames() {
    window.addEventListener("message", function (e) {
      var what = e.data && e.data.stiction;
      if (!what || e.source !== window.parent) return;
      following = true;
      if (typeof what.time === "number") {
        if (timeListener) timeListener(what.time);
        showTime(what.time);
      }
      if (typeof what.name === "string") chooseName(String(what.key), what.name);
      following = false;
    });
  }

  /* Puts the cursor of all plots over time at the last row up to t. */
  function showTime(t) {
    document.querySelectorAll("section.plots > div").forEach(function (parent) {
      (parent.stictionGraphs || []).forEach(function (peer) {
        if (!/^time/.test(peer.x)) return;
        var low = 0, high = peer.graph.numRows() - 1;
        while (low < high) {
          var middle = (low + high + 1) >> 1;
          if (peer.graph.getValue(middle, 0) <= t) low = middle; else high = middle - 1;
        }
        peer.graph.setSelection(low);
      });
    });
  }

  /* Shows the plots of one name, as if it were chosen in its box. */
  function chooseName(key, name) {
    document.querySelectorAll("section.plots").forEach(function (block) {
      if (block.dataset.key === key && block.stictionChoose) block.stictionChoose(name);
    });
  }

  /* ---- choices ---- */

  function hash() {
    var values = {};
    location.hash.slice(1).split("&").forEach(function (pair) {
      var cut = pair.indexOf("=");
      try {
        if (cut > 0) values[pair.slice(0, cut)] = decodeURIComponent(pair.slice(cut + 1));
      } catch (e) { /* not written by this page */ }
    });
    return values;
  }

  function remember(key, value) {
    var values = hash();
    values[key] = value;
    var text = Object.keys(values).filter(function (k) { return values[k] !== ""; }).map(function (k) {
      return k + "=" + encodeURIComponent(values[k]);
    }).join("&");
    try { history.replaceState(null, "", "#" + text); } catch (e) { location.hash = text; }
  }

  function hasValues(plot) { return plot.series.some(function (s) { return s.y.length; }); }

  /* Clears what was drawn and draws the plots. */
  function drawAll(parent, plots) {
    var peers = [], onDraw = follow(peers), bands = [];
    (parent.stictionGraphs || []).forEach(function (peer) { peer.graph.destroy(); });
    count("plots", -(parent.stictionGraphs || []).length);
    count("drawn", -(parent.stictionGraphs || []).length);
    parent.textContent = "";
    plots.forEach(function (plot) {
      bands = plot.bands === "same" ? bands : plot.bands || [];
      plot.bands = bands;
      if (hasValues(plot)) draw(parent, plot, peers, onDraw);
      else element("p", parent, "note", plot.title + ": no values");
    });
    parent.stictionGraphs = peers;
  }

  function chooser(parent, label, names, onChange) {
    var box = element("label", parent, "", label), select = element("select", box);
    names.forEach(function (name, k) {
      var option = element("option", select, "", name);
      option.value = String(k);
    });
    select.addEventListener("change", function () { onChange(Number(select.value)); });
    return select;
  }

  function distinct(values) {
    return values.filter(function (v, k) { return values.indexOf(v) === k; });
  }

  /* ---- overlays ---- */

  /* "Friction torque over velocity" of the axes. */
  function titleOfAxes(plot) {
    var y = plot.y.replace(/ \(.*/, ""), x = plot.x.replace(/ \(.*/, "");
    return y.charAt(0).toUpperCase() + y.slice(1) + (x === "time" ? "" : " over " + x);
  }

  /* Merges the plots of several parts { label, plots } that have the same axes: one colour per
   * part, dashes for its second series. */
  function overlayPlots(parts) {
    if (parts.length === 1) return parts[0].plots;
    var merged = [], byAxes = new Map();
    parts.forEach(function (part, n) {
      part.plots.forEach(function (plot) {
        var axes = plot.x + "\n" + plot.y, into = byAxes.get(axes), x = null;
        if (!into) {
          into = { title: titleOfAxes(plot), x: plot.x, y: plot.y, series: [], bands: [],
            bandLabel: "", overlaid: /^time/.test(plot.x), quietLegend: !/^time/.test(plot.x) };
          byAxes.set(axes, into);
          merged.push(into);
        }
        plot.series.forEach(function (s, k) {
          x = s.x || x;
          into.series.push({ label: part.label + ", " + s.label, points: s.points, x: x, y: s.y,
            ownStyle: { colour: styles[n % styles.length].colour, dashes: k ? "9 4" : "" } });
        });
      });
    });
    return merged;
  }

  /* Collapsible check boxes for `on`, which has an entry per name. */
  function tickBoxes(parent, label, names, on, onChange) {
    var details = element("details", parent, "ticks");
    element("summary", details, "", label);
    var inputs = names.map(function (name, k) {
      var box = element("label", details), input = element("input", box);
      element("span", box, "", name);
      input.type = "checkbox";
      input.addEventListener("change", function () {
        on[k] = input.checked;
        if (on.indexOf(true) < 0) on[k] = true; /* one stays */
        onChange();
      });
      return input;
    });
    return { details: details, update: function () {
      inputs.forEach(function (input, k) { input.checked = on[k]; });
    } };
  }

  /* Lists of names in an address; names may contain commas. */
  function listText(names) { return names.map(encodeURIComponent).join(","); }
  function listOf(text) {
    try { return text ? text.split(",").map(decodeURIComponent) : []; } catch (e) { return []; }
  }

  /* ---- a block of choices ---- */

  var redraws = [];
  function onColours(listener) { redraws.push(listener); }
  function redraw() { redraws.forEach(function (show) { show(); }); }

  function startBlock(block) {
    var choices = Array.prototype.slice.call(block.querySelectorAll("[data-choice]"));
    var names = distinct(choices.map(function (c) { return c.dataset.choice; }));
    var layers = distinct(choices.map(function (c) { return c.dataset.layer || ""; }));
    var on = names.map(function () { return false; }), layersOn = layers.map(function () { return true; });
    var key = block.dataset.key, overlay = block.dataset.overlay !== undefined;
    var bar = element("div", null, "choosers"), select = null, ticks = [];
    var below = element("div"), note = element("p", null, "note lines"), place = element("div");
    [bar, below, note, place].forEach(function (part) {
      block.insertBefore(part, choices[0] || null);
    });

    function isShown(choice) {
      return on[names.indexOf(choice.dataset.choice)] &&
        layersOn[layers.indexOf(choice.dataset.layer || "")];
    }
    function labelOf(choice) {
      var several = on.filter(Boolean).length > 1, layer = choice.dataset.layer;
      return !layer ? choice.dataset.choice : several ? choice.dataset.choice + ", " + layer : layer;
    }
    function show() {
      var shown = choices.filter(isShown);
      if (select) select.value = String(on.indexOf(true));
      ticks.forEach(function (t) { t.update(); });
      note.textContent = shown.length === 1 ? shown[0].dataset.note
        : shown.filter(function (c) { return c.dataset.note; }).slice(0, 7).map(function (c) {
          return labelOf(c) + ": " + c.dataset.note;
        }).join("\n");
      if (interactive)
        drawAll(place, overlayPlots(shown.map(function (c) {
          return { label: labelOf(c), plots: JSON.parse(c.textContent) };
        })));
      else
        choices.forEach(function (c) { c.hidden = !isShown(c); });
      document.querySelectorAll("tr[data-" + CSS.escape(key) + "]").forEach(function (row) {
        row.classList.toggle("chosen", on[names.indexOf(row.dataset[key])] === true);
      });
    }
    function choose(index, others) {
      on.forEach(function (was, k) { on[k] = k === index || others.indexOf(names[k]) >= 0; });
      show();
    }
    function fromHash() {
      var index = names.indexOf(hash()[key]);
      choose(index < 0 ? Math.max(0, names.indexOf(block.dataset.first)) : index,
        overlay ? listOf(hash().over) : []);
    }
    function rememberTicks() {
      var chosen = names.filter(function (name, k) { return on[k]; });
      remember(key, chosen[0]);
      remember("over", listText(chosen.slice(1)));
      show();
    }
    if (names.length > 1) {
      bar.classList.add("sticky");
      select = chooser(bar, block.dataset.label, names, function (index) {
        announce({ key: key, name: names[index] });
        remember(key, names[index]);
        if (overlay) remember("over", "");
        choose(index, []);
      });
    }
    if (overlay && names.length > 1)
      ticks.push(tickBoxes(below, "Overlay several", names, on, rememberTicks));
    if (overlay && layers.length > 1) {
      ticks.push(tickBoxes(below, "Runs", layers, layersOn, show));
      ticks[ticks.length - 1].details.open = true;
    }
    if (overlay && hash().over && ticks.length) ticks[0].details.open = true;
    if (interactive)
      element("span", bar, "hint", "Drag to zoom, shift-drag to pan, double-click to reset.");
    else
      block.querySelectorAll("figure > svg").forEach(function () {
        count("plots", 1);
        count("drawn", 1);
      });
    window.addEventListener("hashchange", function () {
      if (hash()[key] === undefined) return; /* a link within the page */
      fromHash();
      block.scrollIntoView();
    });
    redraws.push(show);
    block.stictionChoose = function (name) {
      if (names.indexOf(name) < 0) return;
      announce({ key: key, name: name });
      remember(key, name);
      choose(names.indexOf(name), []);
    };
    if (names.length) fromHash();
  }

  /* ---- tables ---- */

  function cellValue(row, column) {
    var cell = row.cells[column], value = cell.dataset.value;
    if (value === undefined) return cell.textContent;
    return value === "" ? Infinity : isNaN(value) ? value : Number(value);
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a === b ? 0 : a < b ? -1 : 1;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  /* Without the headings of groups. */
  function rowsOfTable(table) {
    return Array.prototype.filter.call(table.tBodies[0].rows, function (row) { return !row.classList.contains("group"); });
  }

  function makeSortable(table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      head.tabIndex = 0;
      function sort() {
        var up = head.getAttribute("aria-sort") !== "ascending";
        table.tHead.querySelectorAll("th").forEach(function (h) { h.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        rowsOfTable(table).sort(function (a, b) {
          var order = compare(cellValue(a, column), cellValue(b, column));
          return up ? order : -order;
        }).forEach(function (row) { table.tBodies[0].appendChild(row); });
        if (table.stictionGroup) table.stictionGroup();
      }
      head.addEventListener("click", sort);
      head.addEventListener("keydown", function (e) { if (e.key === "Enter") sort(); });
    });
  }

  /* ---- what a table shows ---- */

  /* Hides columns and rows; the cells of a table have no spans then. */
  function viewTable(table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells), rows = rowsOfTable(table);
    var hasMore = heads.some(function (h) { return h.classList.contains("more"); });
    var hasStill = rows.some(function (r) { return r.dataset.moved !== undefined; }) && rows.some(function (r) { return r.dataset.moved === undefined; });
    var bar = element("div", null, "choosers"), filter = null, moved = null, limb = null, groups = null, all = null, found = null;
    table.parentNode.parentNode.insertBefore(bar, table.parentNode);
    function box(text) {
      var label = element("label", bar), input = element("input", label);
      input.type = "checkbox";
      element("span", label, "", text);
      input.addEventListener("change", update);
      return input;
    }
    function update() {
      var words = filter ? filter.value.toLowerCase().split(/\s+/).filter(Boolean) : [], count = 0;
      rows.forEach(function (row) {
        var text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (w) { return text.indexOf(w) >= 0; }) ||
          (moved !== null && moved.checked && row.dataset.moved === undefined) ||
          (limb !== null && limb.value !== "" && limbs.get(row.dataset.joint) !== limb.value);
        count += row.hidden ? 0 : 1;
      });
      table.tBodies[0].querySelectorAll("tr.group").forEach(function (heading) {
        for (var row = heading.nextSibling; row && row.hidden && !row.classList.contains("group"); row = row.nextSibling);
        heading.hidden = !row || row.classList.contains("group");
      });
      if (found) found.textContent = count === rows.length ? rows.length + " rows" : count + " of " + rows.length + " rows";
      heads.forEach(function (head, k) {
        var off = hasMore && !all.checked && (head.classList.contains("more") ||
          rows.every(function (r) { return r.cells[k] && r.cells[k].textContent === "\u2013"; }));
        if (head.hidden === off) return;
        head.hidden = off;
        rows.forEach(function (row) { if (row.cells[k]) row.cells[k].hidden = off; });
      });
    }
    function limbOf(row) { return limbs.get(row.dataset.joint) || "other"; }
    function motionOf(row) { return row.dataset.moved === undefined ? "did not move" : "moved"; }
    /* Puts the rows of a group together, below a heading. */
    table.stictionGroup = function () {
      var of = groups && { limb: limbOf, motion: motionOf }[groups.value], into = table.tBodies[0], now = rowsOfTable(table);
      into.querySelectorAll("tr.group").forEach(function (heading) { heading.remove(); });
      if (!of) return;
      distinct(rows.map(of)).forEach(function (name) {
        var members = now.filter(function (row) { return of(row) === name; });
        var cell = element("th", element("tr", into, "group"), "text", name + " (" + members.length + ")");
        cell.colSpan = heads.length;
        members.forEach(function (row) { into.appendChild(row); });
      });
      update();
    };
    if (rows.length > 5) {
      filter = element("input", bar, "filter");
      filter.type = "search";
      filter.placeholder = "Filter rows";
      filter.setAttribute("aria-label", "filter rows");
      filter.addEventListener("input", update);
    }
    if (hasStill) {
      moved = box("moved");
      moved.checked = rows.length > 12; /* of many joints, those that did something */
    }
    var names = distinct(rows.map(function (r) { return limbs.get(r.dataset.joint); }).filter(Boolean));
    if (names.length > 1) {
      limb = element("select", bar);
      limb.setAttribute("aria-label", "limb");
      element("option", limb, "", "all limbs").value = "";
      names.forEach(function (name) { element("option", limb, "", name); });
      limb.addEventListener("change", update);
    }
    if (limb || hasStill) {
      groups = element("select", bar);
      groups.setAttribute("aria-label", "group rows");
      [["", "no groups"]].concat(limb ? [["limb", "by limb"]] : [], hasStill ? [["motion", "by motion"]] : []).forEach(function (choice) {
        element("option", groups, "", choice[1]).value = choice[0];
      });
      groups.addEventListener("change", table.stictionGroup);
    }
    if (hasMore) all = box("all figures");
    if (filter) found = element("span", bar, "hint");
    /* the exact value, where the mouse is */
    table.addEventListener("mouseover", function (e) {
      var cell = e.target.closest ? e.target.closest("td[data-value]") : null;
      if (cell && cell.dataset.value && !cell.title) cell.title = (cell.dataset.value + " " + (heads[cell.cellIndex].dataset.unit || "")).trim();
    });
    update();
  }

  /* A limb is a chain of joints without a branch, named after its ends. From the links of a robot
   * ({ parent, joints: [{ name }] }), which the page has for its replay. */
  var limbs = new Map();
  function findLimbs() {
    var data = document.getElementById("replay-runs");
    if (data) JSON.parse(data.textContent).forEach(function (run) {
      if (!run.scene.links) return; /* those of an earlier run */
      var chains = [], of = [], children = run.scene.links.map(function () { return 0; });
      run.scene.links.forEach(function (link) { if (link.parent >= 0) children[link.parent]++; });
      run.scene.links.forEach(function (link, k) {
        var goesOn = link.parent >= 0 && children[link.parent] === 1 && of[link.parent];
        of[k] = goesOn || [];
        if (!goesOn) chains.push(of[k]);
        link.joints.forEach(function (joint) { if (joint.name) of[k].push(joint.name); });
      });
      chains.forEach(function (chain) {
        var name = chain.length > 1 ? chain[0] + " \u2013 " + chain[chain.length - 1] : chain[0];
        chain.forEach(function (joint) { limbs.set(joint, name); });
      });
    });
  }

  /* ---- two runs of a table side by side ---- */

  function compareRuns(table) {
    var rows = rowsOfTable(table), ticked = [], place = element("section", null, "compared"), bar = element("p", null, "note");
    if (rows.length < 2) return;
    table.parentNode.parentNode.insertBefore(bar, table.parentNode);
    table.parentNode.parentNode.insertBefore(place, table.parentNode);
    function show() {
      var names = ticked.map(function (row) { return row.dataset.report.replace(/\/report\.html$/, ""); });
      bar.textContent = ticked.length < 2 ? "Tick two runs to see them side by side."
        : "Their times are one. In the same plots: stiction report " + names.map(decodeURIComponent).join(" ");
      place.textContent = "";
      if (ticked.length === 2) ticked.forEach(function (row) {
        var frame = element("iframe", place);
        frame.src = row.dataset.report;
        frame.title = row.dataset.report;
      });
    }
    rows.forEach(function (row) {
      var box = document.createElement("input");
      if (!row.dataset.report) return;
      box.type = "checkbox";
      box.setAttribute("aria-label", "compare " + row.cells[0].textContent);
      row.cells[0].insertBefore(box, row.cells[0].firstChild);
      box.addEventListener("change", function () {
        ticked = ticked.filter(function (other) { return other !== row; });
        if (box.checked) ticked.push(row);
        if (ticked.length > 2) ticked.shift().querySelector("input").checked = false;
        show();
      });
    });
    /* what one page announces, the other one follows */
    window.addEventListener("message", function (e) {
      place.querySelectorAll("iframe").forEach(function (frame) {
        if (e.data && e.data.stiction && frame.contentWindow !== e.source) frame.contentWindow.postMessage(e.data, "*");
      });
    });
    show();
  }

  body.dataset.mode = interactive ? "dygraphs" : "svg";
  count("plots", 0);
  count("drawn", 0);
  document.querySelectorAll("section.plots").forEach(startBlock);
  findLimbs();
  document.querySelectorAll("table.sortable").forEach(function (table) {
    makeSortable(table);
    if (table.tBodies[0].rows.length) viewTable(table);
    if (table.classList.contains("runs")) compareRuns(table);
  });
  darkScreen.addEventListener("change", redraw);
  window.addEventListener("beforeprint", function () { onPaper = true; if (darkScreen.matches) redraw(); });
  window.addEventListener("afterprint", function () { onPaper = false; if (darkScreen.matches) redraw(); });
  if (isFramed) followFrames();
  return { element: element, distinct: distinct, hash: hash, remember: remember, onTime: onTime,
    showTime: showTime, announce: announce, choose: chooseName, isDark: isDark, onColours: onColours };
})();
