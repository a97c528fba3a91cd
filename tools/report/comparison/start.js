// SPDX-License-Identifier: MIT
/* The page of a sweep: choosers, filters, the drawing, then the best runs and their curves. */
(function () {
  var page = stictionPage, choices = sweep.choices, chosen = choices.chosen, root = document.getElementById("compare");
  var views = { lines: ["Lines", sweep.lines], heat: ["Heat map", sweep.heatMap] };
  if (!sweep.settings.length || !sweep.kinds.length) {
    page.element("p", root, "note", sweep.kinds.length ? "One setting only: nothing varies, so there is nothing to draw over it."
      : "No run has a figure: there is nothing to draw.");
    choices.follow(function () { sweep.table.update(choices.passing()); });
    sweep.table.begin(root);
    if (sweep.kinds.length) sweep.curves.begin(root);
    choices.changed();
    return;
  }

  /* ---- choosers ---- */

  var tabs = page.element("div", root, "tabs");
  tabs.setAttribute("role", "group");
  tabs.setAttribute("aria-label", "how to draw");
  var buttons = {};
  Object.keys(views).forEach(function (name) {
    buttons[name] = sweep.table.button(tabs, "view-" + name, views[name][0], function () { choices.choose("view", name); });
  });
  var bar = page.element("div", root, "choosers grid"), boxes = {};
  var settingOptions = sweep.settings.map(function (s) { return { id: s.key, label: s.key }; });
  var orNone = [{ id: choices.none, label: choices.none }].concat(settingOptions);
  boxes.figure = choices.select(bar, "figure", "figure", sweep.kinds.map(function (k) { return { id: k.name, label: k.title }; }));
  boxes.of = choices.select(bar, "of", "of", []);
  var absolute = choices.check(bar, "absolute", "absolute value");
  boxes.x = choices.select(bar, "x", "over x", settingOptions);
  boxes.y = choices.select(bar, "y", "over y", settingOptions);
  boxes.by = choices.select(bar, "by", "a line for each", orNone);
  boxes.wrap = choices.select(bar, "wrap", "a panel for each", orNone);
  boxes.over = choices.select(bar, "over", "of several runs the", choices.same(["worst", "mean", "best"]));
  boxes.better = choices.select(bar, "better", "better is", choices.same(["lower", "higher"]));
  var logBox = page.element("div", bar, "together");
  var logs = { logx: choices.check(logBox, "logx", "log x"), logy: choices.check(logBox, "logy", "log y"),
    logz: choices.check(logBox, "logz", "log colours") };
  var ends = {}, endBox = page.element("div", bar, "together");
  [["from", "figure from"], ["to", "to"]].forEach(function (end) {
    var input = ends[end[0]] = numberField(endBox, end[1], function () { choices.choose(end[0], input.value.trim()); });
    input.placeholder = "all";
    input.id = "choose-" + end[0];
  });
  /* what each way of drawing has */
  var uses = { lines: ["x", "by", "wrap", "over", "logx", "logy"], heat: ["x", "y", "wrap", "over", "logx", "logy", "logz"] };
  var optional = ["y", "by", "logz"];
  /* ---- filters ---- */

  var filters = page.element("details", root, "ticks filters"), rows = [];
  filters.id = "filters";
  var summary = page.element("summary", filters, "", "Filters");
  var statusBox = choices.select(page.element("div", filters, "filter"), "status", "runs", [{ id: "all", label: "all" },
    { id: "well", label: "that went well" }, { id: "failed", label: "that failed" }]);
  function numberField(parent, label, onChange) {
    var box = page.element("label", parent, "", label), input = page.element("input", box);
    input.type = "number";
    input.step = "any";
    input.addEventListener("change", onChange);
    return input;
  }
  function optionalNumber(input) { return input.value.trim() === "" ? undefined : Number(input.value); }
  function show(input, value) { if (document.activeElement !== input) input.value = value === undefined ? "" : value; }
  function range(from, to) {
    var a = optionalNumber(from), b = optionalNumber(to);
    return a === undefined && b === undefined ? null : { from: a, to: b };
  }
  sweep.settings.forEach(function (s) {
    var row = page.element("fieldset", filters, "filter");
    row.dataset.filter = s.key;
    page.element("legend", row, "", s.label);
    if (s.values.length > 12 && s.numeric) {
      var change = function () { choices.setFilter(s.key, range(from, to)); };
      var from = numberField(row, "from", change), to = numberField(row, "to", change);
      rows.push(function () {
        var f = choices.filters()[s.key] || {};
        show(from, f.from);
        show(to, f.to);
      });
      return;
    }
    var inputs = s.values.map(function (value, k) {
      var box = page.element("label", row), input = page.element("input", box);
      page.element("span", box, "", sweep.valueText(s, k));
      input.type = "checkbox";
      input.dataset.value = value;
      input.addEventListener("change", function () {
        var on = s.values.filter(function (v, n) { return inputs[n].checked; });
        choices.setFilter(s.key, on.length === s.values.length ? null : on);
      });
      return input;
    });
    rows.push(function () {
      var f = choices.filters()[s.key];
      inputs.forEach(function (input, k) {
        var n = s.numeric ? s.numbers[k] : NaN;
        input.checked = !f || (Array.isArray(f) ? f.indexOf(s.values[k]) >= 0 : !(n < f.from) && !(n > f.to));
      });
    });
  });
  sweep.table.button(filters, "clear-filters", "no filters", function () {
    choices.choose("status", "all");
    Object.keys(choices.filters()).forEach(function (key) { delete choices.filters()[key]; });
    choices.choose("filters", "");
  });

  /* ---- the drawing ---- */

  var counts = page.element("p", root, "note"), meaning = page.element("p", root, "note");
  counts.id = "shown";
  counts.setAttribute("role", "status");
  var drawing = page.element("div", root), notes = page.element("div", root), command = page.element("p", root, "note");
  drawing.id = "drawing";
  command.id = "command";

  function updateChoosers() {
    var kind = sweep.kindOf[chosen.figure], of = sweep.choicesOf(kind);
    if (!of.some(function (c) { return c.id === chosen.of; })) chosen.of = of[0].id;
    choices.fill(boxes.of, of.map(function (c) { return { id: c.id, label: c.id || "the sweep" }; }), chosen.of);
    Object.keys(boxes).forEach(function (key) { boxes[key].value = chosen[key]; });
    show(ends.from, chosen.from);
    show(ends.to, chosen.to);
    absolute.checked = choices.isAbsolute(chosen.figure);
    Object.keys(logs).forEach(function (key) { logs[key].checked = chosen[key] === "yes"; });
    var on = uses[chosen.view];
    optional.forEach(function (key) {
      root.querySelectorAll("[data-choice='" + key + "']").forEach(function (box) { box.hidden = on.indexOf(key) < 0; });
    });
    Object.keys(buttons).forEach(function (name) { buttons[name].setAttribute("aria-pressed", String(name === chosen.view)); });
    statusBox.value = chosen.status;
    rows.forEach(function (update) { update(); });
  }
  function quote(text) { return /^[\w.,:=%\/*|()-]+$/.test(text) && !/[*|()]/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'"; }
  /* The same as a picture for a paper. */
  function commandText() {
    var f = choices.figure(), name = (f.of && f.of.indexOf(sweep.worstJoint) !== 0 ? f.of + "." : "") + f.kind.name;
    if (f.absolute) name = "abs(" + name + ")";
    var parts = chosen.view === "heat" ? ["x=" + chosen.x, "y=" + chosen.y, "z=" + name] : ["x=" + chosen.x, "y=" + name];
    if (chosen.view === "lines" && chosen.by !== choices.none && chosen.by !== chosen.x) parts.push("by=" + chosen.by);
    if (chosen.wrap !== choices.none) parts.push("wrap=" + chosen.wrap);
    var log = ["x", "y", "z"].filter(function (a) { return chosen["log" + a] === "yes" && uses[chosen.view].indexOf("log" + a) >= 0; });
    if (log.length) parts.push("log=" + log.join(","));
    if (chosen.from !== "" || chosen.to !== "") parts.push("range=" + chosen.from + ":" + chosen.to);
    if (chosen.over !== "worst") parts.push("of=" + chosen.over);
    if (chosen.better !== "lower") parts.push("better=" + chosen.better);
    return "stiction sweep --plot " + quote(parts.join(",")) + " picture.svg";
  }

  function update() {
    updateChoosers();
    var pass = choices.passing(), runs = 0, failed = 0, k;
    for (k = 0; k < sweep.count; k++) { runs += pass[k]; failed += pass[k] && sweep.failed[k]; }
    var filtered = Object.keys(choices.filters()).length + (chosen.status !== "all");
    summary.textContent = "Filters" + (filtered ? " (" + filtered + " set)" : "");
    counts.textContent = runs + " of " + sweep.count + " runs" + (failed ? ", " + failed + " of them failed" : "") + ".";
    counts.dataset.runs = runs;
    var several = " Where several runs fall together, the " + chosen.over + " is shown" +
      (chosen.over === "worst" ? ", and a failure is the worst." : chosen.over === "best" ? " (lowest or highest, as chosen)." : " of those that went well.");
    var kind = sweep.kindOf[chosen.figure];
    meaning.textContent = kind.title + ": " + kind.description + "." + several;
    drawing.textContent = "";
    ["panels", "cells", "failed"].forEach(function (name) { delete drawing.dataset[name]; });
    drawing.dataset.view = chosen.view;
    var remarks = runs ? views[chosen.view][1](drawing, pass) : ["No run passes the filters."];
    notes.textContent = "";
    remarks.forEach(function (text) { page.element("p", notes, "note", text); });
    command.textContent = "";
    page.element("span", command, "", "For a paper, in the folder of the sweep: ");
    page.element("code", command, "", commandText());
    sweep.table.update(pass);
    document.body.dataset.drawings = Number(document.body.dataset.drawings || 0) + 1;
  }
  choices.follow(update);
  sweep.table.begin(root);
  sweep.curves.begin(root);
  choices.changed();
  var width = window.innerWidth;
  window.addEventListener("resize", function () {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    choices.changeSoon();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", choices.changeSoon);
})();
