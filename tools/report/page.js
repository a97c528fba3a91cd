// SPDX-License-Identifier: MIT
/* The script of all pages: draws the selected plots, zooms them together, sorts tables.
 * All texts go through text nodes or escapeText, since names may contain anything. */
"use strict";
var stictionPage = (function () {
  var interactive = typeof Dygraph !== "undefined";
  var styles = JSON.parse(document.getElementById("styles").textContent);
  var body = document.body;
  var bandColour = "#fbe9bf";

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
    var text = Number(value.toPrecision(6)) + unit;
    if (unit === " rad") text += " (" + (value * 180 / Math.PI).toFixed(2) + "\u00b0)";
    return text;
  }

  /* A dashed or solid line, or a dot, in the colour of the series. */
  function keyOf(series, style) {
    var dot = series.points, dashed = !dot && style.dashes;
    var css = dashed
      ? "background-image:linear-gradient(90deg," + style.colour + " 70%,#fff 70%)"
      : "background:" + style.colour;
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
      if (!point || s.quiet || (plot.quietLegend && data.x !== undefined && !isFinite(point.y))) return;
      html += "<span>" + keyOf(s, styleOf(s, n)) + escapeText(s.label);
      /* overlaid series have different points */
      var y = data.x !== undefined && plot.overlaid ? valueAt(s, data.x) : point.y;
      if (data.x !== undefined && typeof y === "number" && isFinite(y))
        html += " " + escapeText(shown(y, unitOf(plot.y)));
      html += "</span>";
    });
    if (plot.bands.length)
      html += "<span><i class='key band' style='background:" + bandColour + "'></i>" +
        escapeText(plot.bandLabel) + "</span>";
    return html;
  }

  function styleOf(series, n) {
    return series.ownStyle || styles[(series.style === undefined ? n : series.style) % styles.length];
  }

  function shade(plot) {
    return function (canvas, area, graph) {
      canvas.fillStyle = bandColour;
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

  /* Draws a plot into `parent`; `peers` collects the graphs that zoom together. */
  function draw(parent, plot, peers, onDraw) {
    count("plots", 1);
    var figure = element("figure", parent), head = element("div", figure, "head");
    element("b", head, "", plot.title);
    var legend = element("div", head, "legend");
    var isTime = /^time/.test(plot.x);
    var canvas = element("div", figure, "canvas" + (isTime ? "" : " high"));
    var labels = [plot.x], seriesOptions = {};
    /* lines below many dots are wide; few dots are large */
    function isCloud(s) { return s.points && s.y.length > 200; }
    var underDots = plot.series.some(isCloud);
    plot.series.forEach(function (s, n) {
      var style = styleOf(s, n), label = n + " " + s.label;
      labels.push(label);
      seriesOptions[label] = { color: style.colour, strokeWidth: s.points ? 0 : underDots ? 5 : 1.8,
        drawPoints: s.points, pointSize: isCloud(s) ? 1.6 : 4,
        strokePattern: style.dashes && !s.points ? style.dashes.split(" ").map(Number) : null };
    });
    var graph = new Dygraph(canvas, rowsOf(plot.series), {
      labels: labels, series: seriesOptions, labelsDiv: legend, legend: "always",
      legendFormatter: function (data) { return legendOf(plot, data); },
      xlabel: escapeText(plot.x), ylabel: escapeText(plot.y), connectSeparatedPoints: true,
      axes: { x: { axisLabelWidth: 60, axisLabelFormatter: tickText },
        y: { axisLabelWidth: 70, axisLabelFormatter: tickText } }, axisLineColor: "#777",
      gridLineColor: "#dcdcdc", xRangePad: isTime ? 0 : 14, yRangePad: 10,
      xLabelHeight: 18, yLabelWidth: 18, highlightCircleSize: 4, digitsAfterDecimal: 6,
      underlayCallback: shade(plot), drawCallback: onDraw,
      highlightCallback: function (event, x) { if (isTime && timeListener) timeListener(x); }
    });
    graph.stictionX = plot.x;
    graph.stictionSeries = seriesOptions;
    if (peers) peers.push({ graph: graph, x: plot.x });
    return graph;
  }

  /* ---- one time for all plots and the replay ---- */

  var timeListener = null;
  function onTime(listener) { timeListener = listener; }

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

  /* ---- steps ---- */

  /* Highlights one curve of each plot. */
  function stress(graphs, step) {
    graphs.forEach(function (graph) {
      var seriesOptions = {};
      Object.keys(graph.stictionSeries).forEach(function (label, n) {
        var on = n === step;
        seriesOptions[label] = { color: on ? styles[0].colour : "#c9c9c9", strokeWidth: on ? 3 : 1,
          drawPoints: false, strokePattern: null };
      });
      graph.updateOptions({ series: seriesOptions });
    });
  }

  /* A slider through the series of the plots that have steps. */
  function slider(parent, plots, peers) {
    var stepped = [], graphs = [];
    plots.forEach(function (plot, k) {
      if (plot.step === undefined) return;
      stepped.push(plot);
      graphs.push(peers[k].graph);
    });
    if (!stepped.length) return;
    var box = element("label", null, "slider"), input = element("input", box);
    var label = element("b", box);
    input.type = "range";
    input.min = 0;
    input.max = stepped[0].series.length - 1;
    input.value = stepped[0].step;
    function move() {
      var step = Number(input.value);
      label.textContent = stepped[0].series[step].label;
      stepped.forEach(function (plot) {
        plot.series.forEach(function (s, n) { s.quiet = n !== step; s.style = 0; });
      });
      stress(graphs, step);
    }
    input.addEventListener("input", move);
    parent.insertBefore(box, parent.firstChild);
    move();
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
    slider(parent, plots.filter(hasValues), peers);
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
    block.stictionChoose = function (name) {
      if (names.indexOf(name) < 0) return;
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

  function makeSortable(table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      head.tabIndex = 0;
      function sort() {
        var up = head.getAttribute("aria-sort") !== "ascending";
        table.querySelectorAll("th").forEach(function (h) { h.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        Array.prototype.slice.call(table.tBodies[0].rows).sort(function (a, b) {
          var order = compare(cellValue(a, column), cellValue(b, column));
          return up ? order : -order;
        }).forEach(function (row) { table.tBodies[0].appendChild(row); });
      }
      head.addEventListener("click", sort);
      head.addEventListener("keydown", function (e) { if (e.key === "Enter") sort(); });
    });
  }

  body.dataset.mode = interactive ? "dygraphs" : "svg";
  count("plots", 0);
  count("drawn", 0);
  document.querySelectorAll("section.plots").forEach(startBlock);
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  return { element: element, distinct: distinct, hash: hash, remember: remember, onTime: onTime,
    showTime: showTime, choose: chooseName };
})();
