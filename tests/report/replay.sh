#!/bin/sh
# SPDX-License-Identifier: MIT
# replay.sh STICTION SAMPLES: the 3D replay of reports in a browser. Joints must be drawn where
# joints.csv has them, the plots and the replay must have one time, marks, arrows and targets must be
# what the run recorded, and a page without WebGL must say so and draw its plots. Skipped (77) where chromium, dygraphs or three.js is missing.
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

# What a page shows beside the links: "NAME VALUE" for each line of the script `say`
cat >"$work/begin.js" <<'END'
window.addEventListener("load", function () {
  var lines = [], place = document.createElement("pre"), r = stictionReplay, run = r.runs[0];
  function say(name, value) { lines.push(name + " " + value); }
  function markOf(name) { return run.marks.find(function (m) { return m.joint.name === name; }).mesh; }
  function colourOf(name) { return markOf(name).material.color.getHexString(); }
END
cat >"$work/end.js" <<'END'
  place.id = "seen";
  place.textContent = "\n" + lines.join("\n") + "\n";
  document.body.appendChild(place);
});
END
# shows PAGE: what the script on stdin says
shows() {
    cat "$work/begin.js" - "$work/end.js" >"$work/show.js"
    visits "$1" "$work/show.js"
}

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

# marks: their colour and size; the target is shown at once, as the joint misses it
shows "$work/runs/wrist/report.html" <<'END'
  r.setTime(1);
  say("moving", colourOf("RWRR") + " " + (markOf("RWRR").scale.x > 0.03 * run.size));
  r.setTime(2.9);
  say("resting", colourOf("RWRR"));
  var target = run.ghost.pivots.RWRR.pivot.quaternion;
  say("target", (2 * Math.atan2(target.z, target.w) * 180 / Math.PI).toFixed(1));
  run.robot.pivots.RWRR.joint.limits = [-1, 1.2];
  r.setTime(2.91);
  say("limit", colourOf("RWRR"));
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  say("key", r.time().toFixed(2));
END
sees 'moving d55e00 true'
sees 'resting 0072b2'
sees 'target 90.0'
sees 'limit f0e442'
sees 'key 2.88'
# two runs side by side, and over each other
shows "$work/two.html" <<'END'
  var box = Array.from(document.querySelectorAll(".replay .bar label")).find(function (l) { return /side/.test(l.textContent); }).firstChild;
  say("apart", (r.runs[1].robot.root.position.length() > 0.5 * run.size) + " " + r.runs[1].materials[0].material.opacity);
  box.click();
  say("over", r.runs[1].robot.root.position.length() + " " + r.runs[1].materials[0].material.opacity + " " + run.materials[0].material.opacity);
  r.setTime(2.9);
  say("differ", (r.drawnPosition(1, "RWRR") - r.drawnPosition(0, "RWRR")).toFixed(1));
END
sees 'apart true 1'
sees 'over 0 0.45 1'
sees 'differ 0.3'
grep -q '"scene":0' "$work/two.html" || fail "the same shapes twice"
# a click on a joint shows its plots
shows "$work/runs/humanoid_arms/report.html" <<'END'
  r.setTime(1);
  var at = markOf("REP").getWorldPosition(new THREE.Vector3()).project(r.camera), canvas = r.renderer.domElement;
  var frame = canvas.getBoundingClientRect(), where = { clientX: frame.left + (at.x + 1) / 2 * frame.width, clientY: frame.top + (1 - at.y) / 2 * frame.height };
  stictionPage.choose("joint", "LEP");
  say("before", location.hash);
  canvas.dispatchEvent(new PointerEvent("pointerdown", where));
  canvas.dispatchEvent(new PointerEvent("pointerup", where));
  say("clicked", location.hash + " " + document.querySelector("figure b").textContent);
END
sees 'before #joint=LEP'
sees 'clicked #joint=REP Position, REP'
# pushes and contact forces; what they carry is the weight
"$stiction" run "$samples/whole_body/humanoid_push.cnoid" --set duration=1.2 --out "$work/runs" >"$work/log" 2>&1 ||
    fail "the push: $(cat "$work/log")"
shows "$work/runs/humanoid_push/report.html" <<'END'
  function arrows() { return run.arrows[0].visible + " " + run.contactArrows.filter(function (a) { return a.visible; }).length; }
  function direction(arrow) { return new THREE.Vector3(0, 0, 1).applyQuaternion(arrow.quaternion).toArray().map(Math.round); }
  r.setTime(0.5);
  say("standing", arrows() + " " + direction(run.contactArrows[0]));
  var moment = run.contacts.filter(function (m) { return m[0] < 0.5; }).pop();
  say("weight", Math.round((moment[6] + moment[12]) / 10));
  r.setTime(1.05);
  say("pushed", arrows() + " " + direction(run.arrows[0]));
END
sees 'standing false 2 0,0,1'
sees 'weight 99'
sees 'pushed true 2 1,0,0'
# a mesh stands where its file and the joint put it
cp "$samples/../tests/meshes/box.obj" "$work/box.obj"
cat >"$work/flag.urdf" <<'END'
<robot name="flag"><link name="base"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="1 0 0"/><geometry><mesh filename="box.obj"/></geometry></collision></link></robot>
END
"$stiction" run "$work/flag.urdf" --fixed-base --posture turn:90 --duration 0.2 --out "$work/runs" >"$work/log" 2>&1 ||
    fail "the mesh: $(cat "$work/log")"
shows "$work/runs/flag/report.html" <<'END'
  var box = new THREE.Box3();
  r.setTime(0.1);
  run.robot.root.updateMatrixWorld(true);
  box.expandByObject(run.robot.root);
  say("box", box.min.toArray().concat(box.max.toArray()).map(function (v) { return v.toFixed(2); }));
END
sees 'box -0.15,0.90,-0.20,0.15,1.10,0.20'
# the largest page of the samples
"$stiction" run "$samples/whole_body/humanoid_squat.cnoid" --out "$work/runs" >"$work/log" 2>&1 || fail "the squat: $(cat "$work/log")"
bytes=$(wc -c <"$work/runs/humanoid_squat/report.html")
echo "humanoid_squat: $bytes bytes"
[ "$bytes" -le 3000000 ] || fail "the report of the squat has more than 3 MB: $bytes"

# an animation of a page
if command -v ffmpeg >/dev/null; then
    sh "$(dirname "$0")/../../tools/animation.sh" "$work/two.html" "$work/two.gif" 5 1 300 >"$work/log" 2>&1 || fail "no animation: $(cat "$work/log")"
    grep -q 'two.gif: 6 frames' "$work/log" && head -c 6 "$work/two.gif" | grep -q GIF89a || fail "the animation: $(cat "$work/log")"
fi

# without WebGL
: >"$work/nothing.js"
visits "$work/runs/wrist/report.html" "$work/nothing.js" --disable-3d-apis
grep -q 'data-replay="none"' "$work/dom" && grep -q 'has no WebGL' "$work/dom" || fail "no word about WebGL"
grep -q 'data-drawn="6"' "$work/dom" || fail "no plots without WebGL"

# what happened, in words
# says RUN PATTERN
says() { grep -q "<p class=\"summary\">$2" "$work/runs/$1/report.html" || fail "$1 says: $(grep 'class="summary"' "$work/runs/$1/report.html")"; }
says wrist 'RWRR stopped 20\.1° short of its target after 2\.77 s and stuck [0-9]* % of the time\. The largest friction was 4\.63 N m\. No chatter\. Friction turned 3\.69 J into heat; the energy balance closes to 0\.0[0-9]* %\.'
says humanoid_squat 'HRP5P did not fall\. [RL]KP stopped 10\.7° short of its target after 6\.88 s and stuck 6[0-9] % of the time\. 6 of 53 joints broke away\. The largest friction was 25\.0 N m, in RKP\. No chatter\.'
grep -q 'class="summary"' "$work/two.html" || fail "two runs: no words"

STICTION_THREE=/no/such/folder "$stiction" report "$work/runs/wrist" >"$work/log" 2>&1 || fail "without three.js"
grep -q 'There is no 3D replay' "$work/runs/wrist/report.html" || fail "no word about three.js"
[ "$failures" -eq 0 ]
