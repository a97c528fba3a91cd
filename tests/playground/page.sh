#!/bin/sh
# SPDX-License-Identifier: MIT
# page.sh BUILD STICTION: builds the playground. Its WebAssembly must compute the same bits as the native
# library, and its page must answer to a visitor. Skipped (77) without a browser or node.
set -u
build=$1
stiction=$2
. "$(dirname "$0")/../report/browser.sh"
needs_browser
command -v node >/dev/null || {
    echo "skipped: node is not there (Debian package nodejs)"
    exit 77
}
cmake --build "$build" --target playground_tests >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
page=$build/docs/playground/playground.html

"$build/playground_runs" >"$work/native" || fail "the native program"
# without it, this node tries to fetch its own data from an address
node --no-experimental-fetch "$build/docs/playground/runs.js" >"$work/wasm" 2>"$work/log" ||
    fail "the program in node: $(head -c 300 "$work/log")"
[ "$(wc -l <"$work/native")" -gt 4000 ] || fail "the programs print too little"
cmp "$work/native" "$work/wasm" || fail "WebAssembly computes other bits than the library"

{
    cat "$page"
    echo '<script>'
    cat "$(dirname "$0")/visit.js"
    echo '</script>'
} >"$work/visit.html"
opens --virtual-time-budget=8000 --dump-dom "file://$work/visit.html#kp=21" >"$work/dom" 2>"$work/log" ||
    fail "chromium could not open the page"
sed -n '/<pre id="seen">/,/<\/pre>/p' "$work/dom" | grep -v '<pre\|</pre' | tee "$work/seen" | grep FAILED &&
    fail "the visitor, see above"
grep -q '^seen ' "$work/seen" || fail "the visitor did not come to the end: $(cat "$work/seen")"

# what "copy YAML" gives is a configuration of the command
sed -n 's/^yaml: //p' "$work/seen" | tr '|' '\n' >"$work/joint.yaml"
"$stiction" check "$work/joint.yaml" >"$work/log" 2>&1 || fail "its YAML: $(cat "$work/log")"
grep -q 'stribeck_velocity: 0.06' "$work/joint.yaml" || fail "no value in its YAML"
cat "$work/seen"
python3 "$(dirname "$0")/frames.py" "$page" || fail "the frames of the page"
[ "$failures" -eq 0 ]
