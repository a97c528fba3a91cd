#!/bin/sh
# SPDX-License-Identifier: MIT
# index.sh STICTION SAMPLES: the reports of all sample projects and their index in a browser. No page
# may have an error in its console; the index has a picture of each run, is searched, and shows two
# ticked runs side by side, of which one follows the other. PICTURES=FOLDER keeps pictures to look at.
# Skipped (77) where chromium, dygraphs or three.js is missing.
set -u
stiction=$1
samples=$2
. "$(dirname "$0")/browser.sh"
needs_browser
has_dygraphs && [ -r /usr/share/javascript/three/three.min.js ] || {
    echo "skipped: dygraphs or three.js is not there (Debian packages libjs-dygraphs, libjs-three)"
    exit 77
}
# visits PAGE FLAG...: its elements, in ./dom; drivers of graphics talk in the console, too
visits() {
    visited=$1
    shift
    opens --enable-logging=stderr --window-size=1300,1000 --virtual-time-budget=5000 "$@" --dump-dom "file://$work/$visited" \
        >"$work/dom" 2>"$work/log" || fail "chromium could not open $visited"
    grep CONSOLE "$work/log" | grep -v 'GL Driver Message' && fail "$visited: the console has a message"
}
runs=$work/runs
"$stiction" run "$samples"/*/*.cnoid --set duration=1.2 --out "$runs" >"$work/log" 2>&1 || fail "the runs: $(cat "$work/log")"
count=$(ls "$runs"/*/report.html | wc -l)
[ "$count" -ge 22 ] || fail "only $count runs"
for report in "$runs"/*/report.html; do
    visits "${report#"$work"/}"
    grep -q 'data-replay="1"' "$work/dom" && grep -q 'data-drawn="[1-9]' "$work/dom" || fail "$report: no replay or plots"
done

cat >"$work/visit.js" <<'END'
window.addEventListener("load", function () {
  var lines = [], place = document.createElement("pre"), table = document.querySelector("table.runs");
  function say(name, value) { lines.push(name + " " + value); }
  function rowOf(name) { return Array.from(table.tBodies[0].rows).find(function (r) { return r.cells[0].textContent === name; }); }
  function framed(k) { return document.querySelectorAll("iframe")[k].contentWindow; }
  function wait(done) { /* without timers, which spend the browser's virtual time */
    var channel = new MessageChannel();
    return new Promise(function (resolve) {
      channel.port1.onmessage = function () { if (done()) resolve(); else channel.port2.postMessage(0); };
      channel.port2.postMessage(0);
    });
  }
  var wide = table.parentNode;
  say("cut", wide.scrollWidth - wide.clientWidth);
  say("pictures", document.body.dataset.thumbnails);
  say("empty", Array.from(document.querySelectorAll("canvas[data-thumbnail]")).filter(function (c) {
    var pixels = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, colours = new Set();
    for (var k = 0; k < pixels.length; k += 4) colours.add(pixels[k] + " " + pixels[k + 1] + " " + pixels[k + 2]);
    return colours.size < 20;
  }).length);
  var filter = document.querySelector("input.filter");
  filter.value = "squat";
  filter.dispatchEvent(new Event("input"));
  say("found", Array.from(table.tBodies[0].rows).filter(function (r) { return !r.hidden; }).map(function (r) { return r.cells[0].textContent; }));
  filter.value = "";
  filter.dispatchEvent(new Event("input"));
  ["holding", "wrist", "wrist_coulomb"].forEach(function (name) { rowOf(name).querySelector("input").click(); });
  say("frames", Array.from(document.querySelectorAll("iframe")).map(function (f) { return f.getAttribute("src"); }));
  say("command", /stiction report wrist wrist_coulomb$/.test(document.querySelector("table.runs").parentNode.previousElementSibling.previousElementSibling.textContent));
  wait(function () {
    return [0, 1].every(function (k) { return framed(k).document.body && framed(k).document.body.dataset.replay; });
  }).then(function () {
    framed(0).eval("stictionReplay.setTime(0.75)");
    return wait(function () { return framed(1).eval("stictionReplay.time()") === 0.75; });
  }).then(function () {
    say("follows", framed(1).document.querySelector(".clock").textContent);
    place.id = "seen";
    place.textContent = "\n" + lines.join("\n") + "\n";
    document.body.appendChild(place);
  });
});
END
{ cat "$runs/index.html"; echo '<script>'; cat "$work/visit.js"; echo '</script>'; } >"$runs/visit.html"
# the visitor looks into the frames, which are files of their own
visits runs/visit.html --disable-web-security --allow-file-access-from-files --disable-site-isolation-trials
sed -n '/<pre id="seen">/,/<\/pre>/p' "$work/dom" | grep -v 'pre' >"$work/seen"
# sees LINE
sees() { grep -qxF -e "$1" "$work/seen" || fail "not seen: $1, but: $(cat "$work/seen")"; }
sees 'cut 0'
sees "pictures $count"
sees 'empty 0'
sees 'found humanoid_squat'
sees 'frames wrist/report.html,wrist_coulomb/report.html'
sees 'command true'
sees 'follows 0.75 s'
if [ -n "${PICTURES:-}" ]; then
    mkdir -p "$PICTURES"
    opens --hide-scrollbars --window-size=1300,1000 --virtual-time-budget=5000 --screenshot="$PICTURES/index.png" "file://$runs/index.html" 2>"$work/log"
fi
[ "$failures" -eq 0 ]
