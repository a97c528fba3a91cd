// SPDX-License-Identifier: MIT
/* Runs that fall together: what a figure is in each cell of a grid, over all settings that the grid
 * does not have. */
sweep.cells = function (cellCount, cellOf, pass, values, better) {
  var best = new Int32Array(cellCount).fill(-1), worst = new Int32Array(cellCount).fill(-1);
  var runs = new Uint32Array(cellCount), valued = new Uint32Array(cellCount);
  var failed = new Uint32Array(cellCount), sum = new Float64Array(cellCount);
  var sign = better === "higher" ? -1 : 1;
  for (var run = 0; run < sweep.count; run++) {
    if (!pass[run]) continue;
    var k = cellOf(run), v = values[run];
    if (k < 0) continue;
    runs[k]++;
    failed[k] += sweep.failed[run];
    if (isNaN(v)) continue;
    valued[k]++;
    sum[k] += v;
    if (best[k] < 0 || sign * v < sign * values[best[k]]) best[k] = run;
    if (worst[k] < 0 || sign * v > sign * values[worst[k]]) worst[k] = run;
  }
  /* A run that failed is the worst of all. `run` is whose value it is, -1 of a mean. */
  function cell(k, how) {
    var made = { runs: runs[k], failed: failed[k], valued: valued[k], value: NaN, run: -1, state: "value" };
    if (!runs[k]) made.state = "empty";
    else if (failed[k] === runs[k] || (how === "worst" && failed[k])) made.state = "failed";
    else if (!valued[k]) made.state = "none";
    else if (how === "mean") made.value = sum[k] / valued[k];
    else {
      made.run = how === "best" ? best[k] : worst[k];
      made.value = values[made.run];
    }
    return made;
  }
  /* The runs in a cell, the best first. */
  function members(k) {
    var found = [];
    for (var run = 0; run < sweep.count; run++) if (pass[run] && cellOf(run) === k) found.push(run);
    return found.sort(function (a, b) {
      return isNaN(values[a]) - isNaN(values[b]) || sign * (values[a] - values[b]) || a - b;
    });
  }
  return { cell: cell, members: members, count: cellCount };
};

/* The note where nothing but failures would be seen. */
sweep.allFailed = "Some run fails at every place, and a failure is the worst: choose the mean or the best, a panel for " +
  "the setting that makes runs fail, or filter.";

/* The tip of a cell at places "kp 20". */
sweep.cellText = function (cell, places, figure, how) {
  var text = places.filter(Boolean).join(", ") + "\n";
  if (cell.state === "empty") return text + "no run";
  if (cell.state === "value")
    text += figure.title + ", " + how + ": " + sweep.shownWithUnit(cell.value, figure.unit);
  else text += cell.state === "failed" ? "failed" : "no value" + (figure.kind.none ? ": " + figure.kind.none : "");
  text += "\n" + cell.runs + (cell.runs === 1 ? " run" : " runs") + (cell.failed ? ", " + cell.failed + " failed" : "");
  return text + (cell.run >= 0 && cell.runs > 1 ? "\nrun " + sweep.label(cell.run) : "");
};
