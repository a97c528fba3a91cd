#!/bin/sh
# SPDX-License-Identifier: MIT
# The study of robustness: a few of its runs are of the classes that expected.yaml says, the page shows
# them, and the sweeps of the whole study can begin.
# usage: robustness.sh STICTION
. "$(dirname "$0")/lib.sh"
folder=$sources/sample_projects/robustness

PYTHONDONTWRITEBYTECODE=1 python3 "$folder/study.py" "$STICTION" few --few >out 2>err || {
    fail 'a run is of another class, or the study failed'
    cat out err
}
[ "$(grep -c "'class': " out)" -eq 8 ] || { fail 'runs are missing'; cat out; }
for picture in arm_classes arm_errors curves; do
    [ -s "few/robustness_$picture.svg" ] || fail "there is no picture $picture"
done
# a cell a run in either map, with what it came to
[ "$(grep -o '<title>run ' few/robustness.html | wc -l)" -eq 16 ] || fail 'the page has not all cells'
says few/robustness.html '<td>hunts</td><td>25.0 %</td>'

# ---- one run of each robot's whole grid ----
for robot in arm humanoid; do
    run 0 sweep "$folder/$robot.yaml" --shard 1296/1296 --out "$robot" --no-reports --figures-only
    [ "$(wc -l <"$robot/sweep.csv")" -eq 2 ] || fail "$robot: the shard has not one row"
done
finish
