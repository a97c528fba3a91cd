#!/bin/sh
# SPDX-License-Identifier: MIT
# chromium.sh MAKE_REPORTS: opens the pages in a browser without a window. Every plot must draw,
# the choices of the address must be shown, joints and runs must lie over each other, a zoom must reach the other plots, hovering must tell
# values, and no name may run as a script. Skipped (77) where chromium or dygraphs is missing.
set -u
make_reports=$1
. "$(dirname "$0")/browser.sh"
needs_browser
has_dygraphs || {
    echo "skipped: dygraphs is not there (Debian package libjs-dygraphs)"
    exit 77
}

# page FILE[#HASH]: what it is after its scripts ran, in ./dom.
page() {
    opens --virtual-time-budget=5000 --dump-dom "file://$work/$1" >"$work/dom" 2>"$work/log" ||
        { fail "chromium could not open $1"; tail -3 "$work/log"; }
}
# says TEXT, lacks TEXT: about the page.
says() { grep -qF -e "$1" "$work/dom" || fail "$opened lacks: $1"; }
lacks() { ! grep -qF -e "$1" "$work/dom" || fail "$opened has: $1"; }
# draws MODE COUNT FILE[#HASH]
draws() {
    opened=$3
    page "$3"
    grep -o '<body[^>]*>' "$work/dom" >"$work/body"
    grep -qF "data-mode=\"$1\"" "$work/body" && grep -qF "data-plots=\"$2\"" "$work/body" &&
        grep -qF "data-drawn=\"$2\"" "$work/body" || fail "$3: not $2 plots: $(cat "$work/body")"
}

"$make_reports" "$work" 2>/dev/null || fail "the reports could not be made"

draws dygraphs 6 hunting/report.html
says '<b>Position, RWRR</b>'
draws dygraphs 6 'robot/report.html#joint=JOINT03'
says 'Velocity, JOINT03</b>'
lacks 'Velocity, JOINT00</b>'
draws dygraphs 6 names/report.html
says '<title>title&gt;&lt;script&gt;</title>'
draws dygraphs 6 'names/report.html#joint=%22quoted%22%20%26%20%27single%27%20%3Cb%3E%2C%20comma'
says 'Position, "quoted" &amp; '"'single'"' &lt;b&gt;, comma</b>'
# a sweep draws by itself: its runs have curves and reports (sweep_page.sh has the rest)
opened=sweep.html
sh "$(dirname "$0")/with_visitor.sh" curves "$work/sweep.html" >"$work/sweep_visit.html"
page sweep_visit.html
grep '^FAILED' "$work/dom" && fail "the curves of a sweep, see above"
says 'seen '
draws svg 0 index.html

# several joints over each other, from the address: a plot has the curves of all of them
draws dygraphs 6 'robot/report.html#joint=JOINT03&over=JOINT05%2CJOINT07'
says '<b>Position</b>'
says '<b>Friction power</b>'
says '<b>Error</b>'
says '<b>Friction torque over velocity</b>'
for joint in 03 05 07; do says "JOINT$joint, velocity"; done
lacks 'JOINT04, velocity'
draws dygraphs 6 'names/report.html#joint=%22quoted%22%20%26%20%27single%27%20%3Cb%3E%2C%20comma&over=%25E8%2582%2598%2520joint'
says '&lt;b&gt;, comma, velocity'
# runs over each other; of a joint that only one of them has, that one alone
draws dygraphs 6 overlay.html
says '>runs/kp20-stribeck, error'
says '>runs/kp20-rational, error'
draws dygraphs 6 'overlay.html#joint=JOINT00'
says '<b>Position, JOINT00</b>'

# A visitor: zooms the first plot, hovers over it, and chooses another joint.
cat "$work/robot/report.html" - >"$work/visit.html" <<'END'
<script>
var place = document.querySelector("section.plots").querySelector("figure").parentNode;
var graphs = place.stictionGraphs.map(function (peer) { return peer.graph; });
graphs[0].setSelection(100);
var legend = document.querySelector(".legend").textContent;
graphs[0].updateOptions({ dateWindow: [2, 3] });
var ranges = graphs.map(function (g) { return g.xAxisRange().join(" "); });
var select = document.querySelector(".choosers select");
select.value = "7";
select.dispatchEvent(new Event("change"));
var report = document.createElement("pre");
var box = document.querySelectorAll(".ticks input")[2];
box.click();
var over = place.stictionGraphs.map(function (peer) { return peer.graph; });
over[4].setSelection(50);
var powers = document.querySelectorAll(".legend")[4].textContent;
report.textContent = "ticked " + over.length + " plots of " + over[0].numColumns() + " columns, " +
  /JOINT02, power .*W.*JOINT07, power .*W/.test(powers) + ", at " + location.hash + "; ";
box.click();
box = document.querySelectorAll(".ticks input")[7];
box.click(); /* the last one stays */
report.textContent += "one " + box.checked + " " + location.hash + "; zoom " + ranges.slice(0, 3).join(", ") + "; law " + (ranges[5] !== "2 3") +
  "; hover " + /time [0-9.]+ s.*position -?[0-9.e-]+ rad \(/.test(legend) + "; at " + location.hash;
document.body.appendChild(report);
</script>
END
draws dygraphs 6 visit.html
says 'ticked 6 plots of 5 columns, true, at #joint=JOINT02&amp;over=JOINT07; '
says 'one true #joint=JOINT07; zoom 2 3, 2 3, 2 3; law true; hover true; at #joint=JOINT07'
says 'Torque, JOINT07</b>'

STICTION_DYGRAPHS=/no/such/folder "$make_reports" "$work" 2>/dev/null || fail "no pages of pictures"
draws svg 6 hunting/report.html
sh "$(dirname "$0")/with_visitor.sh" curves "$work/sweep.html" >"$work/sweep_visit.html"
page sweep_visit.html
grep '^FAILED' "$work/dom" && fail "the curves of a sweep without dygraphs, see above"
draws svg 222 'robot/report.html#joint=JOINT03'
[ "$(grep -c '<div class="choice".*hidden=""' "$work/dom")" -eq 36 ] || fail "not one joint is shown"
page 'robot/report.html#joint=JOINT03&over=JOINT05'
[ "$(grep -c '<div class="choice".*hidden=""' "$work/dom")" -eq 35 ] || fail "not two joints are shown"
[ "$failures" -eq 0 ]
