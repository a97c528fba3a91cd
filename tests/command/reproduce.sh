#!/bin/sh
# reproduce: which experiments words choose, what it writes, and what it never overwrites.
. "$(dirname "$0")/lib.sh"

run 0 reproduce --list
says out 'S.fig12'
all=$(wc -l <out)
run 0 reproduce --list S
[ "$(wc -l <out)" -lt "$all" ] || fail 'a letter does not choose'
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
says papers/results.json '"source": "inferred"'
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
says err 'cannot make the folder file'
finish
