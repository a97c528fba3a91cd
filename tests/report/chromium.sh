#!/bin/sh
# chromium.sh MAKE_REPORTS: opens the pages in a browser without a window. Every plot must draw,
# the choice of the address must be shown, a zoom must reach the other plots, hovering must tell
# values, and no name may run as a script. Skipped (77) where chromium or dygraphs is missing.
set -u
make_reports=$1
browser=$(command -v chromium || command -v chromium-browser) || {
    echo "skipped: chromium is not there (Debian package chromium)"
    exit 77
}
[ -r /usr/share/javascript/dygraphs/dygraph.min.js ] || {
    echo "skipped: dygraphs is not there (Debian package libjs-dygraphs)"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}

# page FILE[#HASH]: what it is after its scripts ran, in ./dom.
page() {
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --virtual-time-budget=5000 --dump-dom "file://$work/$1" >"$work/dom" 2>"$work/log" ||
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

draws dygraphs 4 hunting/report.html
says '<b>Position, RWRR</b>'
draws dygraphs 4 'robot/report.html#joint=JOINT03'
says 'Velocity, JOINT03</b>'
lacks 'Velocity, JOINT00</b>'
draws dygraphs 4 names/report.html
says '<title>title&gt;&lt;script&gt;</title>'
draws dygraphs 4 'names/report.html#joint=%22quoted%22%20%26%20%27single%27%20%3Cb%3E%2C%20comma'
says 'Position, "quoted" &amp; '"'single'"' &lt;b&gt;, comma</b>'
draws dygraphs 2 sweep.html
says 'law coulomb'
draws dygraphs 2 'sweep.html#x=law&by=controller.kp'
says '>rational</div>'
draws svg 0 index.html

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
var told = document.createElement("pre");
told.textContent = "zoom " + ranges.slice(0, 3).join(", ") + "; law " + (ranges[3] !== "2 3") +
  "; hover " + /time [0-9.]+ s.*position -?[0-9.e-]+ rad \(/.test(legend) + "; at " + location.hash;
document.body.appendChild(told);
</script>
END
draws dygraphs 4 visit.html
says 'zoom 2 3, 2 3, 2 3; law true; hover true; at #joint=JOINT07'
says 'Torque, JOINT07</b>'

STICTION_DYGRAPHS=/no/such/folder "$make_reports" "$work" 2>/dev/null || fail "no pages of pictures"
draws svg 4 hunting/report.html
draws svg 4 sweep.html
draws svg 148 'robot/report.html#joint=JOINT03'
[ "$(grep -c '<div class="choice".*hidden=""' "$work/dom")" -eq 36 ] || fail "not one joint is shown"
[ "$failures" -eq 0 ]
