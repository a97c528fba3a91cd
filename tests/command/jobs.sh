#!/bin/sh
# SPDX-License-Identifier: MIT
# Parallel runs of a sweep give the same results as sequential ones; short enough for
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

# without a terminal there is a line of progress now and then; the variable sets the interval, 0: none;
# messages.txt of a run has none
for interval in 0.001 0; do
    STICTION_PROGRESS_INTERVAL=$interval
    export STICTION_PROGRESS_INTERVAL
    run 0 sweep sweep.yaml --out "told$interval" --no-reports
    [ -z "$(find "told$interval" -name messages.txt)" ] || fail 'progress is among the messages of a run'
    if [ $interval = 0 ]; then
        silent err
    else
        grep -Eq '^[0-9][0-9]:[0-9][0-9]:[0-9][0-9] sweep: 100 %, 4 of 4 done, 0 failed, [0-9.e+]* a second, after [0-9]* s$' err ||
            { fail 'no line of progress'; cat err; }
    fi
done

# an empty shard is reported
run 0 sweep sweep.yaml --out none --shard 9/10 --no-reports
is err '--shard 9/10: the sweep has 4 runs, none of which is in it'

# those that another folder has are left out, and are those of the shards
run 0 sweep sweep.yaml --out first --shard 1/2 --no-reports
run 0 sweep sweep.yaml --out rest --skip first --no-reports
[ "$(cut -d, -f1 rest/sweep.csv | xargs)" = 'number 2 4' ] || fail 'runs that are there were done again'
run 0 merge first rest --out joined --remove
cmp -s joined/sweep.csv by1/sweep.csv || fail 'what was left out is not what was missing'
[ ! -e first ] && [ ! -e rest ] || fail 'merge --remove leaves the shards'
refuses 1 '--remove would remove joined, which is to be merged' merge joined --out joined --remove

# a shard whose sweep continues during the merge is not removed with runs that were not copied; the
# tables are written, and the other shards removed
run 0 sweep sweep.yaml --out grows --shard 1/4 --no-reports
run 0 sweep sweep.yaml --out ready --shard 2/4 --no-reports
{ echo 'begin exclusive;'; until [ -e go_on ]; do sleep 0.05; done; } | sqlite3 ready/sweep.db &
"$STICTION" merge grows ready --out grown --partial --remove --accept-changes >grown.out 2>grown.err &
merge=$!
copied() { [ -n "$(find grown/runs -name '0001-*')" ]; }
waits_for 600 copied || fail 'no run is copied'
run 0 sweep sweep.yaml --out grows --shard 3/4 --no-reports
: >go_on
wait $merge
[ $? -eq 1 ] || fail 'a shard that could not be removed is no failure'
says grown.err '1 run became complete in grows since it was merged, so it is not removed'
[ "$(cut -d, -f1 grows/sweep.csv | xargs)" = 'number 1 3' ] || fail 'a run that was not copied is gone'
[ "$(cut -d, -f1 grown/sweep.csv | xargs)" = 'number 1 2' ] || fail 'the tables are not written'
[ ! -e ready ] || fail 'one shard that stays keeps others'
run 0 merge grows --out grown --partial --remove
[ ! -e grows ] || fail 'the same command does not remove the rest'

sed 's/100/101/' sweep.yaml >other.yaml
refuses 1 '--skip by1: it has another sweep' sweep other.yaml --out other --skip by1

# a cluster ends a job by killing its processes one after the other: that is not a failure
sed 's/0.05/1e6/' sweep.yaml >long.yaml
"$STICTION" sweep long.yaml --out ended --jobs 1 --no-reports --keep-going >ended.out 2>ended.err &
sweep=$!
works() { has_child $sweep && [ -n "$(find ended/runs -name '.0001*')" ]; }
waits_for 600 works || fail 'no run begins'
has_worked 1 "$child"
run 1 merge ended --out taken --partial --remove
says err 'a sweep writes into ended at this moment, so it is not removed'
[ -e ended/sweep.json ] || fail 'a shard in the making was removed'
says err '4 of 4 runs are missing'
[ -e taken/sweep.csv ] || fail 'a shard in the making is merged without a table'
# the sweep is stopped while its workers are killed, so that it sees all of them ended and the
# signal at once
kill -STOP $sweep
children=$(cat "/proc/$sweep/task/$sweep/children")
# shellcheck disable=SC2086 # a list of numbers
kill -9 $children
for child in $children; do
    until grep -q '^State:.Z' "/proc/$child/status"; do sleep 0.05; done
done
kill -TERM $sweep
kill -CONT $sweep
wait $sweep
says ended.err 'stopped; 0 of 4 runs are complete'
finish
