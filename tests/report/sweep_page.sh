#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep_page.sh MAKE_SWEEP: a visitor (sweep_visit.js) of pages of sweeps in a browser without a
# window: every way of drawing, every chooser, filters, table, mouse and keys, with no error in the
# console; then 1e4 runs. chromium.sh has the curves. PICTURES=FOLDER keeps pictures to look at.
# Skipped (77) where chromium is missing.
set -u
make_sweep=$1
. "$(dirname "$0")/browser.sh"
needs_browser
here=$(cd "$(dirname "$0")" && pwd)
opens_and_logs() { opens --hide-scrollbars --enable-logging=stderr "$@" 2>"$work/log"; }
# visits WHICH FOLDER: the page there, with the visitor in it.
visits() {
    sh "$here/with_visitor.sh" "$1" "$work/$2/sweep.html" >"$work/$2/visit.html"
    opens_and_logs --window-size=1200,900 --virtual-time-budget=5000 --dump-dom "file://$work/$2/visit.html" >"$work/dom" ||
        fail "chromium could not open the page of $1"
    sed -n '/<pre id="report">/,/<\/pre>/p' "$work/dom" >"$work/report"
    grep '^FAILED' "$work/report" && fail "$1, see above"
    grep -q '^seen [1-9]' "$work/report" || fail "$1: the visitor did not come to an end"
    grep 'CONSOLE' "$work/log" && fail "$1: the console has a message"
    grep ' ms$' "$work/report"
}
picture() { # NAME PAGE[#HASH] SIZE FLAGS...
    name=$1 page=$2 size=$3
    shift 3
    opens_and_logs --window-size="$size" "$@" --screenshot="$PICTURES/$name.png" "file://$work/$page"
}

mkdir "$work/small" "$work/large"
"$make_sweep" "$work/small" 320 || fail "no small page"
"$make_sweep" "$work/large" 10000 || fail "no large page"
[ "$(wc -c <"$work/large/sweep.html")" -lt 2000000 ] || fail "1e4 runs make a page of more than 2 MB"
grep -qE '(src|href)="(https?:)?//' "$work/small/sweep.html" && fail "the page needs a network"
visits small small
visits large large
# the address alone shows the same
opens_and_logs --virtual-time-budget=5000 --dump-dom \
    "file://$work/small/sweep.html#view=lines&x=joints.*.static_torque&wrap=controller.kv&rows=25" >"$work/dom"
grep -q 'id="drawing"[^>]*data-view="lines"' "$work/dom" || fail "the address does not choose lines"
grep -q 'id="drawing"[^>]*data-panels="4"' "$work/dom" || fail "the address does not choose panels"

if [ -n "${PICTURES:-}" ]; then
    mkdir -p "$PICTURES"
    picture heat small/sweep.html 1200,1300
    picture lines 'small/sweep.html#view=lines&logx=yes&logy=yes&wrap=(nothing)' 1200,1300
    picture dark 'small/sweep.html#wrap=joints.*.law' 1200,1300 --force-dark-mode
    picture narrow 'small/sweep.html' 500,2400
    picture large 'large/sweep.html#view=lines&x=noise' 1200,1300
fi
[ "$failures" -eq 0 ]
