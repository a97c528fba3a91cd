// SPDX-License-Identifier: MIT
/* A visitor of the page of a sweep, who clicks, types and looks at what changes. What was seen goes
 * into the page: "ok ..." or "FAILED ...", and "seen N" at the end. The page is that of make_sweep
 * (which: "small", "large") or of make_reports ("curves"). */
function visit(which) {
  var lines = [], drawing = document.getElementById("drawing");
  function check(what, is, wanted) {
    var fine = arguments.length > 2 ? is === wanted : !!is;
    lines.push((fine ? "ok " : "FAILED ") + what + (fine ? "" : ": " + is + (arguments.length > 2 ? ", not " + wanted : "")));
  }
  function one(selector) { return document.querySelector(selector); }
  function pictures() {
    return Array.prototype.map.call(drawing.querySelectorAll("canvas"), function (c) { return c.toDataURL(); }).join("");
  }
  /* How many colours there are: a blank picture has one. */
  function colours(canvas) {
    var data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
    for (var k = 0; k < data.length; k += 4) seen.add(data[k] << 16 | data[k + 1] << 8 | data[k + 2]);
    return seen.size;
  }
  function choose(key, value) {
    var box = document.getElementById("choose-" + key);
    box.value = value;
    box.dispatchEvent(new Event("change"));
  }
  function click(selector) { one(selector).click(); }
  function runs() { return Number(one("#shown").dataset.runs); }
  function cell(row, column) { return one("#runs").tBodies[0].rows[row].cells[column].textContent; }
  /* Does something, after which the drawing must be another. */
  function changes(what, act) {
    var before = pictures();
    act();
    check(what + " changes the drawing", pictures() !== before);
  }
  function press(canvas, key) { canvas.dispatchEvent(new KeyboardEvent("keydown", { key: key, bubbles: true })); }
  function pointer(canvas, kind, x, y) {
    var box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent(kind, { clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true }));
  }

  /* The number that the first cell tells to an arrow key. */
  function tipNumber() {
    press(one("figure[data-kind=heat] canvas"), "ArrowRight");
    var number = /: ([0-9.e-]+) rad/.exec(one("#tip").textContent);
    return number ? Number(number[1]).toFixed(3) : one("#tip").textContent;
  }

  function small() {
    check("a heat map is first", drawing.dataset.view, "heat");
    check("a panel for each static torque", drawing.dataset.panels, "4");
    check("a cell for each pair of gains", drawing.dataset.cells, "80");
    check("what fails is hatched, one of several, too", drawing.dataset.failed, "5");
    check("the worst of the first cell", tipNumber(), "0.028");
    check("the heat map has colours", colours(one("figure[data-kind=heat] canvas")) > 8);
    check("a legend", one("figure[data-kind=legend]"));
    check("two projects of one name", document.body.textContent.indexOf("left/arm.cnoid") >= 0 &&
      document.body.textContent.indexOf("right/arm.cnoid") >= 0);
    check("no name is a script", one("#runs") && document.title, "Sweep of left/arm.cnoid, right/arm.cnoid");

    changes("a chosen joint", function () { choose("of", "J2"); });
    changes("the one that slides", function () { choose("of", "SLIDE"); });
    check("its unit", /\(m\)/.test(one("#drawing canvas").getAttribute("aria-label")));
    choose("of", "worst joint");
    changes("a logarithmic axis", function () { click("#choose-logx"); });
    changes("logarithmic colours", function () { click("#choose-logz"); });
    changes("the ends of the colours", function () { choose("to", "0.05"); });
    choose("to", "");
    changes("the best", function () { choose("over", "best"); });
    check("of the best only what fails always is hatched", drawing.dataset.failed, "4");
    check("the best of the first cell", tipNumber(), "0.025");
    choose("over", "mean");
    check("the mean of the first cell", tipNumber(), "0.026");
    choose("over", "worst");
    changes("another figure", function () { choose("figure", "peak_torque"); });
    choose("figure", "stop_time");
    choose("of", "J1");
    check("cells without a value", /null where|it stopped|stop/.test(document.body.textContent));
    choose("figure", "tracking_error");
    choose("of", "J1");
    changes("the sign of an error", function () { click("#choose-absolute"); });
    click("#choose-absolute");
    changes("other settings", function () { choose("x", "noise"); choose("y", "project"); });
    check("many values are stretches", /noise has \d+ values/.test(document.body.textContent));
    choose("x", "controller.kp");
    choose("y", "controller.kv");

    changes("lines", function () { click("#view-lines"); });
    check("lines it says", drawing.dataset.view, "lines");
    check("a panel for each value of the third", drawing.querySelectorAll("figure[data-kind=lines]").length, 4);
    changes("no panels", function () { choose("wrap", "(nothing)"); });
    changes("a line for each law", function () { choose("by", "joints.*.law"); });
    changes("an axis of names", function () { choose("x", "project"); });
    choose("x", "controller.kp");
    changes("log y", function () { click("#choose-logy"); });
    check("the same for a paper", one("#command code").textContent.indexOf("--plot 'x=controller.kp,y=abs(J1.tracking_error),by=joints.*.law,log=x,y'") > 0);

    check("all runs at first", runs(), 320);
    changes("a filter", function () { click("fieldset[data-filter='controller.kp'] input[data-value='20']"); });
    check("a fifth less", runs(), 256);
    choose("status", "failed");
    check("only failures", runs(), 17);
    choose("status", "all");
    click("#clear-filters");
    check("no filter any more", runs(), 320);

    click("#view-heat");
    check("the best run first", cell(0, 2) + " " + cell(0, 4), "400 0.5");
    choose("order", "worst");
    check("the worst run first", cell(0, 2) + " " + cell(0, 4), "20 4");
    choose("order", "best");
    var first = cell(0, 0);
    click("#runs-after");
    check("a next page", cell(0, 0) !== first);
    click("#runs-before");
    check("and back", cell(0, 0), first);
    click("#runs th[data-column='controller.kp']");
    check("a head sorts", cell(0, 2), "20");
    check("and says so", one("#runs th[data-column='controller.kp']").getAttribute("aria-sort"), "ascending");
    click("#runs th[data-column='controller.kp']");
    check("and the other way", cell(0, 2), "400");
    choose("rows", "500");
    check("all rows", one("#runs").tBodies[0].rows.length, 320);
    check("failures have their reason", /velocity 1e9 rad\/s at 0.3 s <b>/.test(one("#runs tr.failed").textContent));
    check("and warnings theirs", /J2 chatters/.test(one("#runs").textContent));

    var canvas = one("figure[data-kind=heat] canvas");
    canvas.focus();
    press(canvas, "ArrowRight");
    press(canvas, "ArrowUp");
    check("arrow keys tell a cell", /kp .*\n.*tracking error.*\n.*run/.test(one("#tip").textContent));
    press(canvas, "Enter");
    check("Enter picks its runs", Number(one("#runs").dataset.count) > 0 && Number(one("#runs").dataset.count) < 320);
    click("#runs-all");
    check("all runs again", one("#runs").dataset.count, "320");
    pointer(one("figure[data-kind=heat] canvas"), "pointermove", 120, 60);
    check("a mouse tells a cell", !one("#tip").hidden);
    check("no series: it says so", /No curves: the runs of this sweep kept their figures only/.test(document.body.textContent));
    check("the address remembers", /logx=yes/.test(location.hash) && /rows=500/.test(location.hash));
  }

  function curves() {
    var place = document.getElementById("curves-drawing");
    check("position, velocity, torque", place.querySelectorAll("figure[data-kind=curve]").length, 3);
    check("the target is report", /dashed: the target/.test(place.textContent));
    check("they are drawn", colours(place.querySelector("canvas")) > 8);
    var before = place.querySelector("canvas").toDataURL(), ticks = document.querySelectorAll("#runs input[data-tick]");
    check("ticks", ticks.length > 3);
    ticks[3].click();
    check("a tick shows its run", place.dataset.runs, document.querySelectorAll("#runs input[data-tick]")[3].dataset.tick);
    check("and draws it", place.querySelector("canvas").toDataURL() !== before);
    check("a link to each report", document.querySelectorAll("#runs a[href$='/report.html']").length, 10);
    check("one that failed has a row", (choose("rows", "25"), document.querySelectorAll("#runs tr.failed").length), 1);
    check("nobody left", document.querySelectorAll("#runs tbody tr").length, 13);
  }

  function large() {
    function timed(what, act) {
      var start = performance.now();
      act();
      lines.push("ok " + what + " took " + Math.round(performance.now() - start) + " ms");
    }
    check("all runs", runs(), 10000);
    lines.push("ok the page was there after " + Math.round(performance.now()) + " ms");
    ["lines", "heat"].forEach(function (view) {
      timed(view, function () { changes(view, function () { click("#view-" + view); }); });
    });
    timed("a filter", function () { changes("a filter", function () { click("fieldset[data-filter='controller.kv'] input[data-value='5']"); }); });
    check("a quarter less", runs(), 7500);
    check("a page of the table is small", document.querySelectorAll("#runs tbody tr").length, 10);
    timed("the next page", function () { click("#runs-after"); });
  }

  try { ({ small: small, curves: curves, large: large })[which](); } catch (e) { lines.push("FAILED with " + e + " " + e.stack); }
  window.problems.forEach(function (text) { lines.push("FAILED an error: " + text); });
  lines.push("seen " + lines.length);
  var report = document.createElement("pre");
  report.id = "report";
  report.textContent = "\n" + lines.join("\n") + "\n";
  document.body.appendChild(report);
}
