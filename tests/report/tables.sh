#!/bin/sh
# SPDX-License-Identifier: MIT
# tables.sh STICTION SAMPLES: the tables of a report and the files of its plots, in a browser of 1300
# pixels. Numbers are as people write them, no column is cut off, the first one stays, rows can be
# filtered, plots can be saved, and the page follows the colours of the screen. Skipped (77) where
# chromium or dygraphs is missing.
set -u
stiction=$1
samples=$2
. "$(dirname "$0")/browser.sh"
needs_browser
has_dygraphs || {
    echo "skipped: dygraphs is not there (Debian package libjs-dygraphs)"
    exit 77
}

"$stiction" run "$samples/humanoid/humanoid_arms.cnoid" "$samples/wrist/wrist.cnoid" --set duration=3 --out "$work/runs" \
    >"$work/log" 2>&1 || fail "the runs: $(cat "$work/log")"
cat >"$work/visit.js" <<'END_OF_SCRIPT'
window.addEventListener("load", function () {
  var lines = [], place = document.createElement("pre"), blobs = [];
  function say(name, value) { lines.push(name + " " + value); }
  var table = document.querySelector("tr[data-joint]").closest("table"), wide = table.parentNode;
  var bar = wide.previousElementSibling, rows = Array.from(table.tBodies[0].rows);
  function shown() { return rows.filter(function (r) { return !r.hidden; }); }
  function set(input, value) {
    if (input.type === "checkbox") input.checked = value; else input.value = value;
    input.dispatchEvent(new Event("input"));
    input.dispatchEvent(new Event("change"));
  }
  say("widest", Math.max.apply(null, Array.from(document.querySelectorAll(".wide")).map(function (w) {
    return w.scrollWidth - w.clientWidth;
  })));
  var texts = Array.from(document.querySelectorAll("table, .legend, .summary")).map(function (e) { return e.textContent; });
  say("noise", texts.join(" ").match(/[0-9]e-1[0-9]/g) || "none");
  var elbow = rows.find(function (r) { return r.dataset.joint === "REP"; });
  say("elbow", elbow.cells[2].textContent + " " + elbow.cells[3].textContent);
  elbow.cells[3].dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  say("exact", /^-1\.29[0-9]{10,} rad$/.test(elbow.cells[3].title));
  var boxes = bar.querySelectorAll("input[type=checkbox]"), groups = bar.querySelector("[aria-label='group rows']");
  say("moved", boxes[0].checked && shown().length > 0 && shown().length < rows.length && shown().every(function (r) { return r.cells[4].textContent !== "0"; }));
  set(boxes[0], false);
  say("all joints", shown().length);
  set(groups, "motion");
  var headings = Array.from(table.querySelectorAll("tr.group"));
  say("groups", headings.map(function (r) { return r.textContent; }));
  table.tHead.rows[0].cells[0].click();
  var after = Array.from(table.tBodies[0].rows);
  say("grouped", after.indexOf(headings[0]) < 0 && after.filter(function (r) { return r.classList.contains("group"); }).length === 2 &&
    after.findIndex(function (r) { return r.textContent === "moved (10)"; }) === 44 && after[45].dataset.joint.localeCompare(after[46].dataset.joint) < 0);
  set(groups, "");
  say("no groups", table.querySelectorAll("tr.group").length);
  set(bar.querySelector(".filter"), "rw");
  say("filtered", shown().map(function (r) { return r.dataset.joint; }));
  set(bar.querySelector(".filter"), "");
  var limb = bar.querySelector("[aria-label=limb]");
  if (limb) {
    set(limb, Array.from(limb.options).find(function (o) { return /^RCY/.test(o.value); }).value);
    say("limb", shown().map(function (r) { return r.dataset.joint; }));
    set(limb, "");
  }
  set(boxes[1], true);
  wide.scrollLeft = 400;
  say("all", wide.scrollWidth > wide.clientWidth);
  say("stays", wide.scrollLeft === 400 && Math.abs(rows[0].cells[0].getBoundingClientRect().left - wide.getBoundingClientRect().left) < 2);
  say("paper", getComputedStyle(document.body).backgroundColor);
  say("buttons", document.querySelectorAll(".saves button").length);
  URL.createObjectURL = function (blob) { blobs.push(blob); return "blob:nothing"; };
  document.querySelectorAll(".saves")[0].querySelectorAll("button").forEach(function (b) { b.click(); });
  /* A PNG takes a while: messages wait for it without the browser's virtual time, which timers spend. */
  new Promise(function (done) {
    var channel = new MessageChannel();
    channel.port1.onmessage = function () { if (blobs.length === 3) done(); else channel.port2.postMessage(0); };
    channel.port2.postMessage(0);
  }).then(function () {
    var png = blobs.find(function (b) { return b.type === "image/png"; });
    blobs = blobs.filter(function (b) { return b !== png; });
    return png.arrayBuffer();
  }).then(function (bytes) {
    var head = new DataView(bytes); /* width and height of a PNG */
    say("png", head.getUint32(16) > 2000 && head.getUint32(20) > 300);
    return Promise.all(blobs.map(function (b) { return b.text(); }));
  }).then(function (texts) {
    var svg = new DOMParser().parseFromString(texts[0], "image/svg+xml");
    say("svg", svg.querySelectorAll("parsererror").length + " " + svg.querySelectorAll("g > g > path").length + " " +
      svg.querySelector("text").textContent);
    say("numbers", !/NaN|undefined/.test(texts[0]));
    var csv = texts[1].trim().split("\r\n");
    say("csv", csv[0] + " " + (csv.length > 100) + " " + csv[1]);
    place.id = "seen";
    place.textContent = "\n" + lines.join("\n") + "\n";
    document.body.appendChild(place);
  });
});
END_OF_SCRIPT
# visits FLAG...: what the script says about the page of the humanoid, in ./seen
visits() {
    { cat "$work/runs/humanoid_arms/report.html"; echo '<script>'; cat "$work/visit.js"; echo '</script>'; } >"$work/visit.html"
    opens "$@" --window-size=1300,900 --virtual-time-budget=100000 --dump-dom "file://$work/visit.html#joint=REP" >"$work/dom" 2>"$work/log" ||
        fail "chromium could not open the page: $(tail -3 "$work/log")"
    sed -n '/<pre id="seen">/,/<\/pre>/p' "$work/dom" | grep -v 'pre' >"$work/seen"
}
# sees LINE
sees() { grep -qxF -e "$1" "$work/seen" || fail "not seen: $1, but: $(cat "$work/seen")"; }
visits
sees 'widest 0'
sees 'noise none'
sees 'elbow -80 -74.1'
sees 'exact true'
sees 'filtered RWRY,RWRR,RWRP'
sees 'moved true'
sees 'all joints 53'
sees 'groups did not move (43),moved (10)'
sees 'grouped true'
sees 'no groups 0'
sees 'png true'
[ ! -r /usr/share/javascript/three/three.min.js ] || sees 'limb RCY,RCR,RCP,RKP,RAP,RAR'
sees 'all true'
sees 'stays true'
sees 'paper rgb(255, 255, 255)'
sees 'buttons 18'
sees 'svg 0 2 Position, REP'
sees 'numbers true'
sees 'csv time (s),position (rad),target (rad) true 0,0,0'
visits --blink-settings=preferredColorScheme=0
sees 'paper rgb(22, 24, 27)'
[ "$failures" -eq 0 ]
