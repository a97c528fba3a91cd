// SPDX-License-Identifier: MIT
/* The runs of a sweep as columns. A setting is a list of the texts that differ, in their order, and
 * the place of each run's among them; a figure is a number a run, NaN where there is none. */
var sweep = (function () {
  var raw = JSON.parse(document.getElementById("comparison").textContent);
  var count = raw.count, worstJoint = "worst joint";

  function bytesOf(text) {
    var binary = atob(text), bytes = new Uint8Array(binary.length);
    for (var k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
    return bytes.buffer;
  }
  function floats(text) { return new Float32Array(bytesOf(text)); }
  function placesOf(column) {
    var Kind = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[column.bytes];
    return new Kind(bytesOf(column.at));
  }

  /* ---- settings ---- */

  function isNumber(text) { return text.trim() !== "" && isFinite(text); }

  /* "controller.kp" -> "kp", where no other key ends so. */
  function shortKey(key) {
    function last(text) { return text.slice(text.lastIndexOf(".") + 1); }
    var alike = raw.settings.filter(function (s) { return last(s.key) === last(key); });
    return alike.length > 1 ? key : last(key);
  }

  /* "s^-2" with its power raised. */
  function raised(unit) {
    return unit.replace(/\^(-?)([0-9])/g, function (all, minus, digit) {
      return (minus ? "\u207b" : "") + "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079".charAt(digit);
    });
  }

  var settings = raw.settings.map(function (s) {
    var texts = s.column.values, numeric = texts.length > 0 && texts.every(isNumber);
    var order = texts.map(function (text, k) { return k; });
    if (numeric) order.sort(function (a, b) { return texts[a] - texts[b]; });
    var rank = new Uint32Array(texts.length);
    order.forEach(function (from, to) { rank[from] = to; });
    var short = shortKey(s.key);
    return { key: s.key, short: short, label: s.key + (s.unit && numeric ? " (" + raised(s.unit) + ")" : ""),
      values: order.map(function (k) { return texts[k]; }), numeric: numeric,
      numbers: numeric ? order.map(function (k) { return Number(texts[k]); }) : null,
      at: Uint32Array.from(placesOf(s.column), function (k) { return rank[k]; }) };
  });

  /* Numbers with as few digits, from four on, as keep them apart. */
  function rounded(numbers) {
    for (var digits = 4; digits < 10; digits++) {
      var texts = numbers.map(function (v) { return String(Number(v.toPrecision(digits))); });
      if (new Set(texts).size === numbers.length) return texts;
    }
    return null;
  }
  function valueText(s, place) {
    if (s.numeric && s.texts === undefined) s.texts = rounded(s.numbers);
    return s.values[place] === "" ? "(not set)" : s.texts ? s.texts[place] : s.values[place];
  }

  /* The values of a setting, or stretches of them where there are more than `most`: which of them a
   * run is in, their names, and their numbers where they are ordered. */
  function groupsOf(s, most, log) {
    var n = s.values.length;
    if (n <= most)
      return { count: n, at: s.at, labels: s.values.map(function (v, k) { return valueText(s, k); }),
        numbers: s.numbers, stretched: false };
    if (!s.numeric)
      return { count: most, numbers: null, stretched: true,
        at: s.at.map(function (k) { return Math.min(k, most - 1); }),
        labels: s.values.slice(0, most - 1).map(function (v, k) { return valueText(s, k); })
          .concat([(n - most + 1) + " others"]) };
    var way = log && s.numbers[0] > 0 ? Math.log : Number, back = way === Math.log ? Math.exp : Number;
    var low = way(s.numbers[0]), step = (way(s.numbers[n - 1]) - low) / most, edges = [], k;
    for (k = 0; k <= most; k++) edges.push(back(low + k * step));
    var of = s.numbers.map(function (v) {
      return Math.max(0, Math.min(most - 1, Math.floor((way(v) - low) / step)));
    });
    var labels = [], middles = [];
    for (k = 0; k < most; k++) {
      labels.push(shown(edges[k], 3) + " to " + shown(edges[k + 1], 3));
      middles.push(back(low + (k + 0.5) * step));
    }
    return { count: most, at: s.at.map(function (at) { return of[at]; }), labels: labels,
      numbers: middles, edges: edges, stretched: true };
  }

  /* ---- figures ---- */

  var reasons = raw.failures.values, reasonAt = placesOf(raw.failures);
  var warnings = raw.warnings.values, warningAt = placesOf(raw.warnings);
  var failed = Uint8Array.from(reasonAt, function (k) { return reasons[k] === "" ? 0 : 1; });

  var kinds = [], kindOf = {};
  raw.figures.forEach(function (f) {
    var dot = f.name.lastIndexOf("."), name = f.name.slice(dot + 1), known = raw.kinds[name] || {};
    if (!kindOf[name]) {
      kindOf[name] = { name: name, title: known.title || name, none: known.none || "",
        description: known.description || "", subjects: [] };
      kinds.push(kindOf[name]);
    }
    kindOf[name].subjects.push({ name: f.name.slice(0, Math.max(dot, 0)), unit: f.unit, raw: f.values });
  });

  function valuesOfSubject(subject) {
    if (subject.values) return subject.values;
    if (typeof subject.raw === "string") subject.values = floats(subject.raw);
    else {
      subject.values = new Float32Array(count).fill(subject.raw === null ? NaN : subject.raw);
      failed.forEach(function (f, k) { if (f) subject.values[k] = NaN; });
    }
    return subject.values;
  }

  /* Whose figure it may be: the worst joint's of those with one unit, or that of any. */
  function choicesOf(kind) {
    var units = stictionPage.distinct(kind.subjects.map(function (s) { return s.unit; })), worst = [];
    units.forEach(function (unit, k) {
      var those = kind.subjects.filter(function (s) { return s.unit === unit; });
      if (those.length > 1) worst.push({ id: worstJoint + (k ? " (" + unit + ")" : ""), unit: unit, of: those });
    });
    return worst.concat(kind.subjects.map(function (s) { return { id: s.name, unit: s.unit, of: [s] }; }));
  }

  var columns = {};
  /* A figure as a column { values, unit, title, label }; that of the worst joint is the largest. */
  function figure(kindName, of, absolute) {
    var key = [kindName, of, absolute].join("\n");
    if (columns[key]) return columns[key];
    var kind = kindOf[kindName] || kinds[0], all = choicesOf(kind);
    var choice = all.find(function (c) { return c.id === of; }) || all[0];
    var values = new Float32Array(count).fill(NaN);
    choice.of.forEach(function (subject) {
      var from = valuesOfSubject(subject);
      for (var k = 0; k < count; k++)
        if (!(Math.abs(from[k]) <= Math.abs(values[k]))) values[k] = isNaN(from[k]) ? values[k] : from[k];
    });
    if (absolute) values = values.map(Math.abs);
    var title = absolute ? "|" + kind.title + "|" : kind.title;
    var label = title + (choice.id ? ", " + choice.id : "") + (choice.unit ? " (" + choice.unit + ")" : "");
    columns[key] = { kind: kind, of: choice.id, absolute: absolute, values: values, unit: choice.unit,
      title: title, label: label };
    return columns[key];
  }

  /* ---- texts ---- */

  function shown(value, digits) {
    return isNaN(value) ? "\u2013" : String(Number(value.toPrecision(digits || 4)));
  }
  function shownWithUnit(value, unit) {
    if (isNaN(value)) return "no value";
    return shown(value, 5) + (unit ? " " + unit : "") +
      (unit === "rad" ? " (" + (value * 180 / Math.PI).toFixed(2) + "\u00b0)" : "");
  }
  /* Whether a figure is that of runs that work, which is best where it is 1. */
  function isWorks(figure) { return figure.kind.name === "works"; }

  /* "7 kp=50 law=stribeck" */
  function label(run) {
    return [raw.names[run]].concat(settings.map(function (s) {
      return s.short + "=" + valueText(s, s.at[run]);
    })).join(" ");
  }

  return { count: count, settings: settings, kinds: kinds, kindOf: kindOf, choicesOf: choicesOf,
    worstJoint: worstJoint, figure: figure, groupsOf: groupsOf, valueText: valueText, failed: failed,
    reason: function (run) { return reasons[reasonAt[run]]; },
    warning: function (run) { return warnings[warningAt[run]]; },
    name: function (run) { return raw.names[run]; }, folder: function (run) { return raw.folders[run]; },
    hasReport: function (run) { return raw.reports[run] === "2"; },
    scale: raw.scale, floats: floats, label: label, isWorks: isWorks, shown: shown, shownWithUnit: shownWithUnit };
})();
