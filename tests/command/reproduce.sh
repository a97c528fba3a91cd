#!/bin/sh
# SPDX-License-Identifier: MIT
# reproduce: how experiments are chosen, the files, and that nothing is overwritten.
. "$(dirname "$0")/lib.sh"

run 0 reproduce --list
says out 'S.fig12'
all=$(wc -l <out)
# the letters are explained, under the list and in the document
sed -n '/^[A-Z]  /p' out >legend
[ "$(sed 's/ .*//' legend | tr -d '\n')" = SKREB ] || fail 'a letter is not explained'
sed 's/^\(.\)  \(.*\)/| \1 | \2 |/' legend | while read -r row; do
    grep -qF -e "$row" "$sources/docs/papers.md" || echo "$row"
done >absent
silent absent
run 0 reproduce --list S
[ "$(wc -l <out)" -lt "$all" ] || fail 'a letter does not choose'
[ "$(grep -c '^[A-Z]  ' out)" -eq 1 ] || fail 'letters that are not in the list are explained'
! grep -q '^K' out || fail 'S chooses K'
run 0 reproduce --list K R.sim1
grep -q '^R.sim1 ' out && grep -q '^K.fig6 ' out || fail 'letters and ids do not go together'
! grep -q '^R.sim2' out || fail 'R.sim1 chooses R.sim2'
refuses 2 "there is no experiment 'S.fig99'; the nearest is 'S.fig" reproduce S.fig99
refuses 2 "there is no experiment 'S.fig'" reproduce S.fig
refuses 2 'give --csv or --json, not both' reproduce --csv --json S.fig12

run 0 reproduce S.fig12 --out papers
silent err
says out 'S.fig12  stop angle, Stribeck'
says out 'reproduced'
says out 'gallery: papers/gallery.html'
for file in gallery.html results.json curves/S.fig12-1.csv png/S.fig12-1.png; do
    [ -s "papers/$file" ] || [ "$file" = png/S.fig12-1.png ] || fail "papers/$file is missing"
done
says out 'S  Rafael Cisneros, Mehdi Benallegue'
says papers/results.json '"source": "inferred"'
# the page explains the letters; what it links to is there
run 0 reproduce S.fig3 --out pages
page=pages/gallery.html
for letter in S K R E B; do says "$page" "<dt id=\"paper-$letter\">$letter</dt>"; done
says "$page" 'Reliable chattering-free simulation of friction torque'
sed 's/<a href=/\n&/g' "$page" | sed -n 's/^<a href="\([^"]*\)".*/\1/p' >links
[ "$(wc -l <links)" -gt 3 ] || fail "$page has no links"
while read -r link; do
    target=pages/${link%%#*}
    [ "$target" != pages/ ] || target=$page
    [ -s "$target" ] || fail "$page: a link to $link, which is not there"
    case $link in *#*) says "$target" "id=\"${link#*#}\"" ;; esac
done <links
says "$page" '<a href="curves/S.fig3-1.csv">'
says papers/curves/S.fig12-1.csv 'curve,time (s),angle (deg)'
cp papers/results.json before.json
refuses 1 'papers has results already; give --force' reproduce S.fig12 --out papers
cmp -s before.json papers/results.json || fail 'results were overwritten'
run 0 reproduce S.fig12 --out papers --force --jobs 1 --json
says out '"verdict": "text claim holds"'
run 0 reproduce S.fig12 --out papers --force --csv
says out 'id,quantity,ours,unit,paper,verdict,reason,stated,tolerance,why'
: >file
run 1 reproduce S.fig12 --out file
says err 'file exists and is not a directory'
# all of it takes its place at once, beside what others have there, and nothing of another stays
whole papers
echo mine >papers/notes.txt
run 0 reproduce K.fig5 --out papers --force
whole papers
is papers/notes.txt mine
[ -z "$(find papers -name 'S.*')" ] || fail 'results of two reproductions are mixed'
mkdir -p others/curves
echo mine >others/curves/a.csv
refuses 1 "others has 'curves' in it" reproduce K.fig5 --out others
# two at once: one of them is refused, or neither has begun when the other ends
"$STICTION" reproduce S.fig12 --out both >/dev/null 2>&1 &
first=$!
waits_for 60 [ -e both/results.json -o -e .both.part/lock ]
refuses 1 both reproduce K.fig5 --out both
wait $first || fail 'who comes first does not come to the end'
whole both
[ -z "$(find both -name 'K.*')" ] || fail 'results of two at once are mixed'
# one that is killed leaves nothing that counts as results
"$STICTION" reproduce K --out killed >/dev/null 2>&1 &
first=$!
waits_for 60 [ -e .killed.part/new ]
kill -9 $first
wait $first 2>/dev/null
run 0 reproduce K.fig5 --out killed
whole killed
[ ! -e .killed.part ] || fail 'what a killed one left is still there'
finish
