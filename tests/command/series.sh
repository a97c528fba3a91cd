#!/bin/sh
# SPDX-License-Identifier: MIT
# run --series and --pictures: the same numbers in whichever file (python.results reads both), pictures where they are
# asked for, and where the time went.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid
arm7=$sources/sample_projects/arm7/arm7.cnoid

# files FOLDER: their names, in order
files() { (cd "$1" && echo *); }

# ---- which files ----
run 0 run "$arm7" --out csv --set duration=0.2
run 0 run "$arm7" --out npz --set duration=0.2 --series npz
run 0 run "$arm7" --out both --set duration=0.2 --series both
run 0 run "$arm7" --out none --set duration=0.2 --series none
whole csv/arm7 npz/arm7 both/arm7 none/arm7
[ "$(files csv/arm7)" = 'SHA256SUMS joints.csv report.html scene.json summary.json' ] || fail "csv has $(files csv/arm7)"
[ "$(files npz/arm7)" = 'SHA256SUMS joints.npz report.html scene.json summary.json' ] || fail "npz has $(files npz/arm7)"
[ "$(files both/arm7)" = 'SHA256SUMS joints.csv joints.npz report.html scene.json summary.json' ] || fail "both has $(files both/arm7)"
[ "$(files none/arm7)" = 'SHA256SUMS report.html scene.json summary.json' ] || fail "none has $(files none/arm7)"
for other in npz both none; do
    cmp csv/arm7/report.html $other/arm7/report.html || fail "the page of $other is another one"
    cmp csv/arm7/summary.json $other/arm7/summary.json || fail "the summary of $other is another one"
done
cmp csv/arm7/joints.csv both/arm7/joints.csv || fail 'both has another joints.csv'
cmp npz/arm7/joints.npz both/arm7/joints.npz || fail 'both has another joints.npz'
refuses 2 '--series numpy: must be csv, npz, both or none' run "$wrist" --series numpy
# those of a run before are not left behind
run 0 run "$arm7" --out npz --set duration=0.2 --series csv --force
[ ! -e npz/arm7/joints.npz ] || fail 'the old joints.npz is left behind'
run 0 run "$arm7" --out npz --set duration=0.2 --series npz --force
[ ! -e npz/arm7/joints.csv ] || fail 'the old joints.csv is left behind'

# ---- all readers of runs read both formats ----
for from in csv npz; do
    rm -f $from/arm7/report.html
    run 0 report $from/arm7 --force
    run 0 report $from/arm7 --draw J1.position --out $from.svg
    run 0 report $from/arm7 both/arm7 --out $from.html
    sed -i "s#$from/arm7#X/arm7#g; s#\"$from\"#\"X\"#g; s#>$from<#>X<#g; s#title>[^<]*#title>#" $from.html
done
cmp csv/arm7/report.html npz/arm7/report.html || fail 'reports of the two files differ'
cmp csv.svg npz.svg || fail 'pictures of the two files differ'
cmp csv.html npz.html || fail 'overlays of the two files differ'
refuses 1 'there is no such file, nor joints.npz beside it: the run has no series' report none/arm7
rm npz/arm7/SHA256SUMS # with it, it is the checksum that tells
head -c 3000 npz/arm7/joints.npz >cut && mv cut npz/arm7/joints.npz
run 1 report npz/arm7
says err 'joints.npz: it is not an npz file, or its end is missing'

# ---- pictures ----
run 0 run "$wrist" --out plain --set duration=0.1
[ -z "$(find plain -name '*.png')" ] || fail 'PNGs that nobody asked for'
if command -v gnuplot >/dev/null; then
    run 0 run "$wrist" --out drawn --set duration=0.1 --pictures --no-report
    [ "$(head -c 4 drawn/wrist/position.png | tail -c 3)" = PNG ] || fail 'no PNG of the run'
    [ ! -e drawn/wrist/report.html ] || fail 'a page with --no-report'
    whole drawn/wrist
    run 0 report plain/wrist --pictures
    cmp plain/wrist/position.png drawn/wrist/position.png || fail 'report draws another picture'
fi
PATH=/nonexistent "$STICTION" run "$wrist" --out undrawn --pictures 2>err && fail 'pictures without gnuplot'
says err '--pictures: PNGs need gnuplot'
[ ! -e undrawn ] || fail 'a run whose pictures cannot be drawn has started'
refuses 2 '--pictures needs one run' report csv/arm7 both/arm7 --pictures

# ---- sweeps ----
cat >sweep.yaml <<EOF
sweep: 1
projects: [$wrist]
set: {duration: 0.05, controller.kp: [20, 50]}
EOF
run 0 sweep sweep.yaml --out sn --series npz
run 0 sweep sweep.yaml --out sc
[ "$(find sn -name joints.npz | wc -l)" -eq 2 ] || fail 'no arrays of the sweep'
[ -z "$(find sn -name joints.csv)" ] || fail 'CSV in a sweep with arrays'
cmp sn/sweep.csv sc/sweep.csv || fail 'the sweeps differ'
cmp sn/sweep.html sc/sweep.html || fail 'the pages of the sweeps differ'
before=$(ls -i sn/runs/*/joints.npz)
run 0 sweep sweep.yaml --out sn --series npz
[ "$before" = "$(ls -i sn/runs/*/joints.npz)" ] || fail 'runs with arrays do not count as complete'
run 0 sweep sweep.yaml --out sf --figures-only
[ -z "$(find sf -name 'joints.*')" ] || fail 'series in a sweep of figures'
refuses 2 '--figures-only keeps none' sweep sweep.yaml --series none
finish
