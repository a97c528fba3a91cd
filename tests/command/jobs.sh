#!/bin/sh
# A sweep whose runs go on side by side gives what they give one after the other; short enough for
# every sanitizer.
. "$(dirname "$0")/lib.sh"
{
    printf 'sweep: 1\nprojects: ["%s"]\n' "$sources/sample_projects/wrist/wrist.cnoid"
    printf 'set:\n  duration: [ 0.05 ]\n  controller.kp: [ 20, 50, 80, 100 ]\n'
} >sweep.yaml
for jobs in 1 3; do
    run 0 sweep sweep.yaml --out "by$jobs" --jobs "$jobs" --no-reports
    [ "$(wc -l <"by$jobs/sweep.csv")" -eq 5 ] || fail "$jobs jobs do not make four rows"
done
for row in by1/runs/*; do
    cmp -s "$row/joints.csv" "by3/runs/${row##*/}/joints.csv" || fail "${row##*/} differs"
done
finish
