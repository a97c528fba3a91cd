#!/bin/sh
# SPDX-License-Identifier: MIT
# Searches that find little or nothing: messages, files, and the effect of the same command
# then. tests/command/sampling.sh has those that find something.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid
# search NAME GOAL MORE...: a sweep file with these lines after the goal
search() {
    name=$1 goal=$2
    shift 2
    {
        printf 'sweep: 1\nprojects: ["%s"]\n%s\nevaluations: 4\n' "$wrist" "$goal"
        printf '%s\n' "$@"
    } >"$name.yaml"
}
go() { # CODE NAME OPTIONS...
    expected=$1 of=$2
    shift 2
    run "$expected" sweep "$of.yaml" --out "$of" --figures-only "$@"
}
kp='set: { duration: 0.02, controller.kp: { uniform: [20, 50] } }'
search there 'minimise: RWRR.final_position' "$kp"
"$STICTION" sweep there.yaml --out there --figures-only >out 2>err
! grep -q 'built without NLopt' err || { echo 'skipped: there is no NLopt'; exit 77; }
says out 'best of 4 evaluations'

# ---- its runs are those of a sweep: reports, damage ----
run 0 sweep there.yaml --out kept
[ "$(find kept/runs -name report.html | wc -l)" -eq 4 ] || fail 'a search writes no reports'
for file in kept/runs/0002-*/joints.csv; do : >"$file"; done
run 0 sweep there.yaml --out kept --no-reports
says err 'run 2 is damaged: kept/runs/0002-'
says err 'joints.csv is not as it was written (checksum); it does not count as complete'
whole kept kept/runs/*
refuses 1 'leaves out none (--skip)' sweep there.yaml --out other --skip kept
run 0 sweep there.yaml --out there --reports
says err 'warning: 4 of the runs that are complete already have no such series'

# ---- the mean of scenarios is not the worst of them ----
search worst 'minimise: RWRR.final_position' \
    'set: { duration: [0.02, 0.04], "joints.*.static_torque": { uniform: [1, 2] } }'
go 0 worst
says out 'best of 4 evaluations'
says out "  --set 'joints.*.static_torque=" # for a shell
worst=$(sed -n 's/.* = //p' out | head -n 1)
sed 's/^evaluations/over: mean\nevaluations/' worst.yaml >mean.yaml
go 0 mean
mean=$(sed -n 's/.* = //p' out | head -n 1)
[ -n "$worst" ] && [ -n "$mean" ] && [ "$worst" != "$mean" ] || fail "the worst is $worst, the mean $mean"
awk -v w="$worst" -v m="$mean" 'BEGIN { exit !(m <= w) }' || fail "the mean $mean is above the worst $worst"

# ---- a goal that is null in every run ----
search null 'minimise: RWRR.hunting_amplitude' "$kp"
go 1 null
says err 'none of the first 1 evaluations has a value of RWRR.hunting_amplitude'
[ "$(wc -l <null/sweep.csv)" -eq 2 ] || fail 'its run is not in the table'
# ... and one that no run has
search unknown 'minimise: RWRRR.rms_error' "$kp"
go 1 unknown
says err "there is no figure 'RWRRR.rms_error'; the nearest is 'RWRR.rms_error'"
search figure 'minimise: rms_eror' "$kp"
go 1 figure
says err "figure.yaml:3:11: there is no figure 'rms_eror'; the nearest is 'rms_error'"
[ ! -e figure ] || fail 'a goal that is none leaves a folder'

# ---- conditions that hold nowhere ----
search nowhere 'minimise: RWRR.rms_error' "$kp" 'where: controller.kp > 1000'
go 1 nowhere
says err 'holds at no point of the ranges that was tried'
[ ! -e nowhere ] || fail 'a search without a point leaves a folder'
# where few points are allowed the search stays among them
search few 'minimise: RWRR.final_position' "$kp" 'where: controller.kp < 23'
go 0 few
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "controller.kp") c = k } NR > 1 && $c >= 23 { exit 1 }' \
    few/sweep.csv || fail 'a run where the condition does not hold'

# ---- runs that fail are the worst; --retry does them again ----
search fails 'minimise: RWRR.final_position' \
    'set: { duration: { uniform: [0.01, 1e7] }, controller.kp: 20 }'
go 1 fails --timeout 0.3 --keep-going
says err 'none of the first 1 evaluations has a value'
runs=$(wc -l <fails/sweep.csv)
go 1 fails --timeout 0.3 --keep-going
says err '1 runs of the first 1 evaluations are complete already'
go 1 fails --timeout 0.3 --keep-going --retry
! grep -q 'complete already' err || fail '--retry does not repeat what failed'
[ "$(wc -l <fails/sweep.csv)" -eq "$runs" ] || fail 'a run more'

# ---- an interrupt ends it between evaluations, and the same command continues ----
search long 'minimise: RWRR.final_position' "set: { duration: 20, controller.kp: { uniform: [20, 50] } }"
: >long.err
"$STICTION" sweep long.yaml --out long --figures-only >long.out 2>long.err &
sweep=$!
until grep -q 'evaluation 1 of 4' long.err || ! kill -0 $sweep 2>/dev/null; do sleep 0.05; done
kill -INT $sweep 2>/dev/null
wait $sweep
code=$?
if [ "$code" -ne 0 ]; then # else it was faster
    [ "$code" -eq 1 ] || fail "an interrupted search ends with $code"
    says long.out 'best so far, of '
    grep -q '"stopped": true' long/sweep.json || fail 'sweep.json does not say that it was stopped'
    grep -q 'A search, stopped after [123] of 4 evaluations, found the smallest RWRR.final_position so far, ' \
        long/sweep.html || fail 'the page says that the search is over'
    [ "$(wc -l <long/sweep.csv)" -ge 2 ] || fail 'what was complete is not in the table'
fi
go 0 long
says out 'best of 4 evaluations'
grep -q '"stopped": false' long/sweep.json || fail 'sweep.json says that it was stopped'
grep -q 'A search found the smallest RWRR.final_position, ' long/sweep.html || fail 'nothing is found'

# ---- a best value at the end of its range, and a search that ends before its evaluations ----
search edge 'maximise: RWRR.final_position' 'set: { duration: 0.1, controller.kp: { uniform: [20, 50] } }'
sed -i 's/evaluations: 4/evaluations: 100/' edge.yaml
go 0 edge
says out 'at the end of its range: controller.kp=50 (upper); a wider range may have a better value'
grep -q '^the search ended early, after [0-9]* of 100 evaluations' out || fail 'an early end is not said'
grep -q '"early": true' edge/sweep.json && grep -q 'it ended early, .*at the end of its range: controller.kp=50' edge/sweep.html ||
    fail 'sweep.json or the page does not say how the search ended'
go 0 there
! grep -q 'ended early' out || fail 'a search that used its evaluations ended early'
finish
