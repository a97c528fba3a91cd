#!/bin/sh
# SPDX-License-Identifier: MIT
# gallery.sh STICTION: every experiment of the papers comes to our stated numbers, leaves its files,
# and every plot of the pages draws in a browser.
set -u
stiction=$1
. "$(dirname "$0")/report/browser.sh"

"$stiction" reproduce --out "$work/papers" >"$work/table" || fail "stiction reproduce"
cat "$work/table"
! grep -q FAILED "$work/table" || fail "a quantity left its tolerance"

# every experiment has a figure or a table, a quantity, and parameters
"$stiction" reproduce --list --csv | sed -n '2,$s/,.*//p' >"$work/ids"
[ "$(wc -l <"$work/ids")" -ge 35 ] || fail "experiments are missing"
while read -r id; do
    grep -q "^$id " "$work/table" || fail "$id has no quantity"
    [ "$id" = E.table1 ] || [ -s "$work/papers/curves/$id-1.csv" ] || fail "$id has no curve"
done <"$work/ids"
grep -q '"id": "S.fig12"' "$work/papers/results.json" || fail "results.json"

# ---- in a browser ----
if has_browser && has_dygraphs; then
    # a visitor chooses every choice of every chooser, and counts what is drawn
    cat >"$work/visit" <<'END'
<script>
var drawn = 0, plots = 0;
function look() {
  drawn += Number(document.body.dataset.drawn || 0);
  plots += Number(document.body.dataset.plots || 0);
}
var selects = document.querySelectorAll(".choosers select");
if (!selects.length) look();
selects.forEach(function (select) {
  Array.from(select.options).forEach(function (option) {
    select.value = option.value;
    select.dispatchEvent(new Event("change"));
    look();
  });
});
document.body.dataset.visit = drawn + " of " + plots;
</script>
END
    for page in "$work"/papers/*.html; do
        name=$(basename "$page")
        cat "$page" "$work/visit" >"$work/visit.html"
        opens --virtual-time-budget=20000 --dump-dom "file://$work/visit.html" >"$work/dom" 2>/dev/null ||
            fail "chromium could not open $name"
        visit=$(grep -o '<body[^>]*>' "$work/dom" | sed -n 's/.*data-visit="\([^"]*\)".*/\1/p')
        pictures=$(grep -c '^<figure>' "$work/dom")
        # as many as the experiments on this page have plots with points
        expected=0
        for id in $(sed -n 's/.*<h2 id="\([^"]*\)".*/\1/p' "$page"); do
            for curves in "$work/papers/curves/$id"-*.csv; do
                [ "$(head -n 2 "$curves" | wc -l)" -lt 2 ] || expected=$((expected + 1))
            done
        done
        echo "$name: $visit plots drawn, $pictures pictures, of $expected"
        [ "$visit" = "$((expected - pictures)) of $((expected - pictures))" ] ||
            fail "$name: not every plot drew"
    done
else
    echo "chromium or dygraphs is not there: the pages were not opened"
fi
[ "$failures" -eq 0 ]
