#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures of sweeps for papers: what is drawn, of which sweep, and what is said of names that are
# none.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid

cat >gains.yaml <<END
sweep: 1
projects: ["$wrist"]
interval: 0.05
set:
  controller.kp: [20, 50, 80]
  controller.kv: [2, 6]
  joints.RWRR.static_torque: [0.1, 2.5]   # the first is below coulomb_torque: these runs fail
  duration: 0.2
END
run 1 sweep gains.yaml --out gains --keep-going --figures-only
# has FILE PATTERN COUNT: so many lines of it match
has() { [ "$(grep -c -e "$2" "$1")" -eq "$3" ] || fail "$1: $(grep -c -e "$2" "$1") of $2, not $3"; }
# dots FILE COUNT: so many dots are drawn
dots() { [ "$(grep -o h0 "$1" | wc -l)" -eq "$2" ] || fail "$1: $(grep -o h0 "$1" | wc -l) dots, not $2"; }

heat=x=kp,y=kv,z=RWRR.rms_error,wrap=static_torque
# ---- a heat map: cells, what failed, the colour bar, units, the short name of a figure ----
run 0 sweep gains --plot x=controller.kp,y=controller.kv,z=RWRR.rms_error,wrap=static_torque heat.svg
says out 'picture: heat.svg (12 runs, 6 of them failed)'
! command -v xmllint >/dev/null || xmllint --noout heat.svg || fail 'heat.svg is no XML'
has heat.svg 'controller.kp (s⁻²)' 1
has heat.svg 'controller.kv (s⁻¹)' 1
has heat.svg '>RMS tracking error, RWRR (rad)<' 1
has heat.svg '>static_torque = 0.1<' 1
has heat.svg '>static_torque = 2.5<' 1
has heat.svg '>failed<' 1
has heat.svg 'crispEdges' 134 # the bar's 128, and a cell for each run that went well
# the numbers are those of sweep.csv
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "RWRR.rms_tracking_error") column = k }
         $3 == "done" { printf "%.3g\n", $column }' gains/sweep.csv >numbers
[ "$(wc -l <numbers)" -eq 6 ] || fail "sweep.csv has $(wc -l <numbers) runs that went well"
while read -r number; do says heat.svg ">$number</text>"; done <numbers
# the worst of several is a failure where one failed, the best is not
run 0 sweep gains --plot x=kp,y=kv,z=rms_error worst.svg
has worst.svg 'crispEdges' 128
has worst.svg '>worst of several runs<' 1
run 0 sweep gains --plot x=kp,y=kv,z=rms_error,of=best best.svg
has best.svg 'crispEdges' 134
run 0 sweep gains --plot 'x=kp,y=kv,z=rms_error,where=static_torque > 1' where.svg
says out 'picture: where.svg (6 runs)'
has where.svg 'crispEdges' 134
has where.svg '>failed<' 0

# ---- lines, dots, logarithms, titles ----
run 0 sweep gains --plot 'x=kp,y=abs(RWRR.error),by=kv,log=x,y,where=static_torque > 1,title=A & B' lines.svg
dots lines.svg 8 # six points, two in the legend
has lines.svg '>kv = 2<' 1
has lines.svg '>|tracking error|, RWRR (rad)<' 1
has lines.svg 'A &amp; B' 2
run 0 sweep gains --plot 'x=RWRR.peak_torque,y=rms_error,where=static_torque > 1' dots.svg
dots dots.svg 6

run 0 sweep gains --plot 'x=RWRR.peak_torque,y=rms_error,where=static_torque > 1,range=:100' range.svg
dots range.svg 6
run 0 sweep gains --plot 'x=RWRR.peak_torque,y=rms_error,where=static_torque > 1,range=100:200' range.svg --force
dots range.svg 0
run 0 sweep gains --plot $heat,range=0:70 range.svg --force # the bar ends at 70
has range.svg '>70</text>' 1

# an existing picture is kept
cp range.svg before.svg
refuses 1 'range.svg already exists; --force replaces it' sweep gains --plot $heat range.svg
cmp range.svg before.svg || fail 'a picture was replaced'

# ---- any order, any way to name the sweep ----
run 0 sweep heat2.svg gains --plot $heat
cmp heat.svg heat2.svg || fail 'the order of the arguments matters'
run 0 sweep --out gains --plot $heat heat5.svg
cmp heat.svg heat5.svg || fail '--out names another sweep'
run 0 sweep gains.yaml --out gains --plot $heat heat6.svg
cmp heat.svg heat6.svg || fail 'the file names another sweep'
(cd gains && "$STICTION" sweep --plot $heat ../heat3.svg >../out 2>../err) || fail 'not the current folder'
cmp heat.svg heat3.svg || fail 'the current folder is another sweep'
# a file whose sweep is not there yet is run first; runs that fail are in the picture
run 1 sweep gains.yaml --keep-going --figures-only --plot $heat heat4.svg
cmp heat.svg heat4.svg || fail 'the sweep that was run first gives another picture'
if command -v gnuplot >/dev/null; then
    run 0 sweep gains --plot $heat heat.png
    [ "$(head -c 8 heat.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail 'no PNG'
fi

# the sweep of another file is not drawn; --force replaces it first
cp -r gains forced
sed 's/duration: 0.2/duration: 0.3/' gains.yaml >other.yaml
refuses 1 'forced has the results of another sweep than other.yaml' \
    sweep other.yaml --out forced --plot $heat other.svg
[ ! -e other.svg ] || fail 'a picture of another sweep'
run 1 sweep other.yaml --out forced --keep-going --figures-only --force --plot $heat other.svg
cmp -s heat.svg other.svg && fail '--force draws the old sweep'
# a run that is damaged is named, left out, and no success
run 1 sweep other.yaml --out kept --keep-going --no-reports
for file in kept/runs/*/joints.csv; do
    : >"$file"
    break
done
run 1 sweep kept --plot $heat damaged.svg
says err 'it is not in the picture'
says out 'picture: damaged.svg (11 runs'
# options of runs are refused without runs
for option in --retry --shard=1/2 --timeout=3 --accept-changes --keep-going --figures-only \
    --series=none --skip=nope --chunk=3 --jobs=2; do
    refuses 2 "runs nothing: $option does not go with it" sweep gains --plot $heat $option refused.svg
done

# ---- errors, which leave no picture; test_picture.c has more ----
# wrong CODE SENTENCE WHAT
wrong() {
    refuses "$1" "$2" sweep gains --plot "$3" wrong.svg
    [ ! -e wrong.svg ] || fail "$3 left a picture"
}
wrong 2 "of=wurst: unknown value; the nearest is 'worst'" x=kp,y=rms_error,of=wurst
wrong 2 'x is given twice' x=kp,x=kv,y=rms_error
wrong 2 'x= has no value' x=,y=rms_error
wrong 1 "x=kpp: the sweep has no such setting or figure; the nearest is 'kp'" x=kpp,y=rms_error
wrong 1 'y=controller.kv is a setting' x=kp,y=controller.kv
wrong 1 'z=kv is a setting' x=kp,y=static_torque,z=kv
wrong 1 'where: ' 'x=kp,y=rms_error,where=kp >'
refuses 2 'ends in .png or .svg' sweep gains --plot x=kp,y=rms_error
refuses 2 'is one too many' sweep gains.yaml a.svg
finish
