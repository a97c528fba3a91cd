// SPDX-License-Identifier: MIT
/* The runs as a table, the best first: a page of them at a time, however many there are. */
(function () {
  var page = stictionPage, choices = sweep.choices, chosen = choices.chosen;
  var picked = null, sorted = [];

  /* Columns: settings, then the figures of the chosen joint, the chosen figure first. */
  function columns() {
    var list = sweep.settings.map(function (s) {
      return { id: s.key, label: s.short, text: true, value: function (run) { return s.numeric ? s.numbers[s.at[run]] : s.at[run]; },
        shown: function (run) { return sweep.valueText(s, s.at[run]); } };
    });
    var kinds = sweep.kinds.slice().sort(function (a, b) { return (b.name === chosen.figure) - (a.name === chosen.figure); });
    kinds.forEach(function (kind) {
      var f = sweep.figure(kind.name, chosen.of, choices.isAbsolute(kind.name));
      list.push({ id: kind.name, label: f.title, unit: (f.of ? f.of + (f.unit ? ", " : "") : "") + f.unit, figure: f,
        value: function (run) { return f.values[run]; },
        shown: function (run) {
          if (sweep.isWorks(f) && !isNaN(f.values[run])) return f.values[run] ? "yes" : "no";
          return isNaN(f.values[run]) ? kind.none && !sweep.failed[run] ? kind.none : "\u2013" : sweep.shown(f.values[run], 5);
        } });
    });
    return list;
  }
  function sortColumn(list) {
    return list.find(function (c) { return c.id === chosen.sort; }) || list.find(function (c) { return c.id === chosen.figure; });
  }
  /* Whether the first row has the smallest value. */
  function isRising(column) {
    var lowFirst = !column.figure || (chosen.better === "lower" && !sweep.isWorks(column.figure));
    return lowFirst === (chosen.order === "best");
  }
  function sort(pass) {
    var column = sortColumn(columns()), runs = [];
    for (var run = 0; run < sweep.count; run++) if (pass[run]) runs.push(run);
    if (column) {
      var sign = isRising(column) ? 1 : -1, values = runs.map(column.value), order = runs.map(function (r, k) { return k; });
      order.sort(function (a, b) {
        var one = values[a], other = values[b];
        return sweep.failed[runs[a]] - sweep.failed[runs[b]] || isNaN(one) - isNaN(other) ||
          (isNaN(one) ? 0 : sign * (one - other)) || a - b;
      });
      runs = order.map(function (k) { return runs[k]; });
    }
    return runs;
  }

  function begin(root) {
    var section = page.element("section", root);
    section.id = "best-runs";
    page.element("h2", section, "", "The best runs");
    var bar = page.element("div", section, "choosers");
    var sortBox = choices.select(bar, "sort", "by", [{ id: "", label: "the figure above" }].concat(
      columns().map(function (c) { return { id: c.id, label: c.label }; })));
    var orderBox = choices.select(bar, "order", "first", choices.same(["best", "worst"]));
    var rowsBox = choices.select(bar, "rows", "rows", choices.same(["10", "25", "100", "500"]));
    var counts = page.element("p", section, "note"), wide = page.element("div", section, "wide whole-page");
    var turning = page.element("div", section, "choosers turning");
    var before = button(turning, "runs-before", "before", function () { turn(-1); });
    var at = page.element("span", turning), after = button(turning, "runs-after", "next", function () { turn(1); });
    var all = button(turning, "runs-all", "show all runs again", function () { picked = null; choices.choose("page", "1"); });
    var table = page.element("table", wide);
    table.id = "runs";

    var reportsHint = "";
    for (var run = 0; run < sweep.count && !sweep.hasReport(run); run++);
    if (run === sweep.count) reportsHint = " No run has a report: stiction sweep --reports writes one for each.";
    function turn(by) { choices.choose("page", String(Math.max(1, Number(chosen.page) + by))); }
    function head(list, column) {
      var row = page.element("tr", page.element("thead", table));
      page.element("th", row, "text", "run");
      list.forEach(function (c) {
        var cell = page.element("th", row, c.text ? "text" : "", c.label);
        if (c.unit) page.element("small", cell, "", c.unit);
        cell.tabIndex = 0;
        cell.dataset.column = c.id;
        if (c === column) cell.setAttribute("aria-sort", isRising(c) ? "ascending" : "descending");
        function choose() {
          if (c === column) choices.choose("order", chosen.order === "best" ? "worst" : "best");
          else choices.choose("sort", c.id);
          var again = table.querySelector("th[data-column='" + CSS.escape(c.id) + "']");
          if (again) again.focus();
        }
        cell.addEventListener("click", choose);
        cell.addEventListener("keydown", function (e) {
          if (e.key !== "Enter" && e.key !== " ") return;
          e.preventDefault();
          choose();
        });
      });
      page.element("th", row, "text", "what went wrong");
    }
    function row(body, run, list, ticked) {
      var made = page.element("tr", body, sweep.failed[run] ? "failed" : ""), first = page.element("td", made, "text");
      made.dataset.run = sweep.name(run);
      if (sweep.curves.has(run)) {
        var tick = page.element("input", first);
        tick.type = "checkbox";
        tick.checked = ticked.indexOf(run) >= 0;
        tick.setAttribute("aria-label", "show the curves of run " + sweep.name(run));
        tick.dataset.tick = run;
        tick.addEventListener("change", function () {
          sweep.curves.tick(run, tick.checked);
          var again = table.querySelector("input[data-tick='" + run + "']");
          if (again) again.focus();
        });
      }
      var folder = sweep.folder(run), text = sweep.name(run);
      if (folder) {
        var link = page.element("a", first, "", sweep.hasReport(run) ? text + ", report" : text);
        link.href = folder.split("/").map(encodeURIComponent).join("/") + (sweep.hasReport(run) ? "/report.html" : "/");
      } else page.element("span", first, "", text);
      list.forEach(function (c) { page.element("td", made, c.text ? "text" : "", c.shown(run)); });
      page.element("td", made, "text", sweep.failed[run] ? "failed: " + sweep.reason(run) : sweep.warning(run));
    }
    choices.follow(function () {
      var list = columns(), column = sortColumn(list), runs = sorted, ticked = sweep.curves.ticked();
      if (picked) runs = sorted.filter(function (run) { return picked.has(run); });
      var rows = Number(chosen.rows), pages = Math.max(1, Math.ceil(runs.length / rows));
      var number = Math.min(Number(chosen.page), pages), from = (number - 1) * rows;
      choices.fill(sortBox, [{ id: "", label: "the figure above" }].concat(list.map(function (c) { return { id: c.id, label: c.label }; })), chosen.sort);
      orderBox.value = chosen.order;
      rowsBox.value = chosen.rows;
      counts.textContent = (picked ? "The runs that were clicked. " : "") + "Runs " + Math.min(from + 1, runs.length) + " to " +
        Math.min(from + rows, runs.length) + " of " + runs.length + (column ? ", by " + column.label : "") + ". Click a head to sort." + reportsHint;
      at.textContent = number + " / " + pages;
      before.disabled = number <= 1;
      after.disabled = number >= pages;
      all.hidden = !picked;
      table.textContent = "";
      head(list, column);
      var body = page.element("tbody", table);
      runs.slice(from, from + rows).forEach(function (run) { row(body, run, list, ticked); });
      table.dataset.count = runs.length;
    });
  }
  function button(parent, id, text, onClick) {
    var made = page.element("button", parent, "", text);
    made.type = "button";
    made.id = id;
    made.addEventListener("click", onClick);
    return made;
  }

  /* Runs of a cell or dot: the table shows them, and the curves of the first. */
  sweep.pick = function (runs) {
    picked = new Set(runs);
    sweep.draw.hideTip();
    choices.choose("runs", runs.filter(sweep.curves.has).slice(0, sweep.curves.most).join(","));
  };
  sweep.bestRuns = function () { return sorted; };
  sweep.table = { begin: begin, button: button, update: function (pass) { sorted = sort(pass); } };
})();
