// SPDX-License-Identifier: MIT
/* What is chosen: kept in the address, so that a link shows the same. Drawings follow every change. */
(function () {
  var page = stictionPage, keys = sweep.settings.map(function (s) { return s.key; });
  var none = "(nothing)";

  /* Settings for x, y and panels to begin with: ordered ones before names, those with more values
   * first, and what is drawn at random after a grid. */
  function likely() {
    function rank(s) { return s.values.length > 40 ? 2.5 : s.values.length; }
    return sweep.settings.filter(function (s) { return s.values.length > 1; })
      .sort(function (a, b) { return b.numeric - a.numeric || rank(b) - rank(a); })
      .map(function (s) { return s.key; });
  }
  /* Whether runs have most pairs of their values: settings that change together have few. */
  function cross(a, b) {
    var seen = new Set(), n = a.values.length, m = b.values.length;
    if (n > 40 || m > 40) return true;
    for (var run = 0; run < sweep.count; run++) seen.add(a.at[run] * m + b.at[run]);
    return 2 * seen.size > n * m;
  }
  /* Three for x, y and panels, each crossed with those before; few panels. */
  function begin() {
    var found = [];
    likely().forEach(function (key) {
      var s = sweep.settings[keys.indexOf(key)];
      if (found.length < 3 && (found.length < 2 || s.values.length <= 6) &&
          found.every(function (other) { return cross(s, other); })) found.push(s);
    });
    return found.map(function (s) { return s.key; });
  }
  var first = begin(), start = sweep.kinds[0] || { name: "", subjects: [] };
  function oneOf(list) { return function (v) { return list.indexOf(v) >= 0; }; }
  function isNumberOrNone(v) { return v === "" || isFinite(v); }
  function isCount(v) { return /^[1-9][0-9]*$/.test(v); }
  var yesNo = oneOf(["yes", "no"]), kindNames = sweep.kinds.map(function (k) { return k.name; });

  /* Every choice: what it is at first, and what it may be. */
  var rules = {
    view: [first.length > 1 ? "heat" : "lines", oneOf(["lines", "heat"])],
    figure: [start.name, oneOf(kindNames)],
    of: ["", function () { return true; }],
    absolute: ["auto", oneOf(["auto", "yes", "no"])],
    x: [first[0] || keys[0] || "", oneOf(keys)],
    y: [first[1] || keys[1] || keys[0] || "", oneOf(keys)],
    by: [first[1] || none, oneOf(keys.concat([none]))],
    wrap: [first[2] || none, oneOf(keys.concat([none]))],
    over: ["worst", oneOf(["worst", "mean", "best"])],
    better: ["lower", oneOf(["lower", "higher"])],
    from: ["", isNumberOrNone], to: ["", isNumberOrNone],
    logx: ["no", yesNo], logy: ["no", yesNo], logz: ["no", yesNo],
    status: ["all", oneOf(["all", "well", "failed"])],
    filters: ["", function () { return true; }],
    sort: ["", function () { return true; }],
    order: ["best", oneOf(["best", "worst"])],
    rows: ["10", isCount], page: ["1", isCount],
    joint: ["", function () { return true; }],
    runs: ["", function () { return true; }]
  };
  var chosen = {}, filters = {};

  function read() {
    var hash = page.hash();
    Object.keys(rules).forEach(function (key) {
      chosen[key] = hash[key] !== undefined && rules[key][1](hash[key]) ? hash[key] : rules[key][0];
    });
    try { filters = JSON.parse(chosen.filters || "{}") || {}; } catch (e) { filters = {}; }
    if (typeof filters !== "object") filters = {};
  }
  read();

  var followers = [], waiting = false;
  function changed() {
    followers.forEach(function (follow) { follow(); });
  }
  /* Once a frame, however many things change in it. */
  function changeSoon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(function () { waiting = false; changed(); });
  }
  function choose(key, value) {
    chosen[key] = value;
    page.remember(key, value === rules[key][0] ? "" : value);
    if (key !== "page" && key !== "runs" && key !== "joint") {
      chosen.page = "1";
      page.remember("page", "");
    }
    changed();
  }
  function setFilter(key, value) {
    if (value === null) delete filters[key]; else filters[key] = value;
    choose("filters", Object.keys(filters).length ? JSON.stringify(filters) : "");
  }
  window.addEventListener("hashchange", function () { read(); changed(); });

  /* ---- elements ---- */

  function labelled(parent, key, text) {
    var box = page.element("label", parent, "", text);
    box.dataset.choice = key;
    return box;
  }
  /* A box to choose from options { id, label }; `fill` gives it others. */
  function select(parent, key, text, options, onChange) {
    var box = labelled(parent, key, text), made = page.element("select", box);
    made.id = "choose-" + key;
    made.addEventListener("change", function () { (onChange || choose)(key === null ? made.value : key, made.value); });
    fill(made, options, chosen[key]);
    return made;
  }
  function fill(made, options, value) {
    var same = made.options.length === options.length && options.every(function (o, k) {
      return made.options[k].value === o.id && made.options[k].textContent === o.label;
    });
    if (!same) {
      made.textContent = "";
      options.forEach(function (o) { page.element("option", made, "", o.label).value = o.id; });
    }
    made.value = value;
  }
  function check(parent, key, text) {
    var box = labelled(parent, key, ""), made = page.element("input", box);
    page.element("span", box, "", text);
    made.type = "checkbox";
    made.id = "choose-" + key;
    made.addEventListener("change", function () { choose(key, made.checked ? "yes" : "no"); });
    return made;
  }
  function same(list) { return list.map(function (text) { return { id: text, label: text }; }); }

  /* ---- filters ---- */

  /* Which runs pass: by their outcome, and settings by their values or a range. */
  function passing() {
    var pass = new Uint8Array(sweep.count).fill(1), k;
    if (chosen.status !== "all")
      for (k = 0; k < sweep.count; k++) pass[k] = (chosen.status === "failed") === (sweep.failed[k] === 1) ? 1 : 0;
    sweep.settings.forEach(function (s) {
      var f = filters[s.key];
      if (!f) return;
      var fits = s.values.map(function (text, k) {
        return Array.isArray(f) ? f.indexOf(text) >= 0 : within(f, s.numeric ? s.numbers[k] : NaN);
      });
      for (k = 0; k < sweep.count; k++) if (!fits[s.at[k]]) pass[k] = 0;
    });
    return pass;
  }
  function within(range, value) {
    return !(range.from !== undefined && !(value >= range.from)) && !(range.to !== undefined && !(value <= range.to));
  }

  /* An error is a distance, unless its sign is asked for. */
  function isAbsolute(kindName) {
    if (chosen.absolute !== "auto") return chosen.absolute === "yes";
    return /error/.test(kindName);
  }
  function figure() {
    return sweep.figure(chosen.figure, chosen.of, isAbsolute(chosen.figure));
  }
  /* The range of the figure that is drawn: that of the values, unless another is wanted. */
  function figureRange(range, log) {
    var low = chosen.from === "" ? range.low : Number(chosen.from), high = chosen.to === "" ? range.high : Number(chosen.to);
    return low < high && !(log && !(low > 0)) ? { low: low, high: high, given: low !== range.low || high !== range.high } : range;
  }
  function better() { return sweep.isWorks(figure()) ? "higher" : chosen.better; }
  function setting(key) { return sweep.settings[keys.indexOf(key)] || null; }

  sweep.choices = { chosen: chosen, filters: function () { return filters; }, setFilter: setFilter,
    choose: choose, changed: changed, changeSoon: changeSoon,
    follow: function (f) { followers.push(f); }, select: select, fill: fill, check: check, same: same,
    none: none, keys: keys, passing: passing, isAbsolute: isAbsolute, figure: figure, better: better, figureRange: figureRange, setting: setting };
})();
