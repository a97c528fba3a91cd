#!/bin/sh
# SPDX-License-Identifier: MIT
# replay.sh STICTION SAMPLES: the 3D replay of reports in a browser. Joints must be drawn where
# joints.csv has them, the plots and the replay must have one time, and a page without WebGL must say
# so and draw its plots. Skipped (77) where chromium, dygraphs or three.js is missing.
set -u
stiction=$1
samples=$2
. "$(dirname "$0")/browser.sh"
needs_browser
has_dygraphs && [ -r /usr/share/javascript/three/three.min.js ] || {
    echo "skipped: dygraphs or three.js is not there (Debian packages libjs-dygraphs, libjs-three)"
    exit 77
}

# visits PAGE SCRIPT [FLAG...]: what the script adds to the page, in ./seen
visits() {
    { cat "$1"; echo '<script>'; cat "$2"; echo '</script>'; } >"$work/visit.html"
    shift 2
    opens "$@" --virtual-time-budget=5000 --dump-dom "file://$work/visit.html" >"$work/dom" 2>"$work/log" ||
        fail "chromium could not open a page: $(tail -3 "$work/log")"
    sed -n '/<pre id="seen">/,/<\/pre>/p' "$work/dom" | grep -v 'pre' >"$work/seen"
}

"$stiction" run "$samples/wrist/wrist.cnoid" "$samples/humanoid/humanoid_arms.cnoid" --set duration=3 \
    --out "$work/runs" >"$work/log" 2>&1 || fail "the runs: $(cat "$work/log")"
"$stiction" run "$samples/wrist/wrist.cnoid" --set duration=3 --set law=none --out "$work/runs/free" \
    >"$work/log" 2>&1 || fail "the run without friction: $(cat "$work/log")"

# "RUN JOINT TIME POSITION" of all joints at three times, as read back from the drawing
cat >"$work/poses.js" <<'END'
var lines = [], place = document.createElement("pre");
window.addEventListener("load", function () {
  stictionReplay.runs[0].joints.forEach(function (joint) {
    [0.3, 1.4, 2.9].forEach(function (t) {
      stictionReplay.setTime(t);
      lines.push(joint.name + " " + t + " " + stictionReplay.drawnPosition(0, joint.name));
    });
  });
  place.id = "seen";
  place.textContent = "\n" + lines.join("\n") + "\n";
  document.body.appendChild(place);
});
END
# poses RUN COUNT
poses() {
    visits "$work/runs/$1/report.html" "$work/poses.js"
    [ "$(wc -l <"$work/seen")" -eq "$2" ] || fail "$1: not $2 poses, but $(wc -l <"$work/seen")"
    # 1e-3 rad is less than what can be seen; between two postures of the page the line is straight
    awk -v run="$1" 'NR == FNR { joint[NR] = $1; time[NR] = $2; drawn[NR] = $3; n = NR; next }
        FNR == 1 { count = split($0, names, ",")
            for (k = 1; k <= count; k++) column[names[k]] = k
            next }
        { split($0, v, ",")
          for (k = 1; k <= n; k++) if (v[1] >= time[k] - 1e-6 && !(k in is)) is[k] = v[column[joint[k] ".position"]] }
        END { for (k = 1; k <= n; k++) { off = drawn[k] - is[k]; if (off < 0) off = -off
                  if (off > worst) worst = off; if (is[k] > 0.1) moved++ }
              print run ": drawn within " worst + 0 " rad of joints.csv"
              exit !(worst <= 1e-3 && moved > 0) }' "$work/seen" "$work/runs/$1/joints.csv" ||
        fail "$1: joints are drawn in other places"
}
poses wrist 3
poses humanoid_arms 159

cat >"$work/cursor.js" <<'END'
window.addEventListener("load", function () {
  var lines = [], graphs = [], place = document.createElement("pre");
  document.querySelectorAll("section.plots > div").forEach(function (d) {
    (d.stictionGraphs || []).forEach(function (peer) { graphs.push(peer.graph); });
  });
  stictionReplay.setTime(1.25);
  lines.push("cursor " + graphs[0].getValue(graphs[0].getSelection(), 0).toFixed(2));
  graphs[0].getOption("highlightCallback")(null, 2);
  lines.push("moved " + stictionReplay.time());
  lines.push("runs " + document.body.dataset.replay);
  var input = document.querySelector(".replay input[type=checkbox]");
  input.click();
  lines.push("ghost " + !!stictionReplay.runs[0].ghost);
  place.id = "seen";
  place.textContent = "\n" + lines.join("\n") + "\n";
  document.body.appendChild(place);
});
END
# sees TEXT
sees() { grep -qx -e "$1" "$work/seen" || fail "not seen: $1, but: $(cat "$work/seen")"; }
visits "$work/runs/wrist/report.html" "$work/cursor.js"
sees 'cursor 1.25'
sees 'moved 2'
sees 'runs 1'
sees 'ghost true'
"$stiction" report "$work/runs/wrist" "$work/runs/free/wrist" --out "$work/two.html" >"$work/log" 2>&1 ||
    fail "two runs: $(cat "$work/log")"
visits "$work/two.html" "$work/cursor.js"
sees 'runs 2'
sees 'moved 2'

# without WebGL
: >"$work/nothing.js"
visits "$work/runs/wrist/report.html" "$work/nothing.js" --disable-3d-apis
grep -q 'data-replay="none"' "$work/dom" && grep -q 'has no WebGL' "$work/dom" || fail "no word about WebGL"
grep -q 'data-drawn="6"' "$work/dom" || fail "no plots without WebGL"

# what happened, in words
grep -q '<p class="summary">RWRR stopped 20.1° short of its target after 2.77 s and stuck [0-9]* % of the time\.' \
    "$work/runs/wrist/report.html" || fail "the words: $(grep words "$work/runs/wrist/report.html")"

STICTION_THREE=/no/such/folder "$stiction" report "$work/runs/wrist" >"$work/log" 2>&1 || fail "without three.js"
grep -q 'There is no 3D replay' "$work/runs/wrist/report.html" || fail "no word about three.js"
[ "$failures" -eq 0 ]
