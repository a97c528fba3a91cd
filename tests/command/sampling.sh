#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples, pairs, conditions, repetitions and searches, from the file to the table.
. "$(dirname "$0")/lib.sh"
cp -r "$sources/sample_projects" "$sources/config" .
folder=sample_projects/wrist

# sweep_file NAME < LINES after the head
sweep_file() {
    { printf 'sweep: 1\nprojects: wrist.cnoid\n'; cat; } >"$folder/$1.yaml"
}
# column FILE NAME; cells in quotes may have commas
column() {
    sed 's/"[^"]*"/quoted/g' "$1" |
        awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k; next } { print $at }'
}

# lists, samples and a condition; the same again, in shards, and after a kill
sweep_file samples <<'END'
sampling: {method: latin, samples: 4, seed: 1}
set:
  controller.kp: {uniform: [20, 100]}
  joints.RWRR.static_torque: {loguniform: [0.3, 3]}
  joints.RWRR.coulomb_torque: {choice: [0.4, 1]}
  law: [stribeck, rational]
  duration: 0.02
where: static_torque > coulomb_torque
END
run 0 sweep $folder/samples.yaml --out a --figures-only
run 0 sweep $folder/samples.yaml --out b --figures-only --shard 1/2
run 0 sweep $folder/samples.yaml --out c --figures-only --shard 2/2
run 0 merge b c --out d
cmp a/sweep.csv d/sweep.csv || fail "shards of samples are other runs"
run 0 sweep $folder/samples.yaml --out a --figures-only
says err 'runs are complete already'
[ "$(column a/sweep.csv law | sort | uniq -c | wc -l)" -eq 2 ] || fail "not both laws"
column a/sweep.csv joints.RWRR.static_torque >static
column a/sweep.csv joints.RWRR.coulomb_torque >coulomb
paste -d' ' static coulomb | awk '!($1 > $2) { exit 1 }' || fail "where lets others through"

# another seed is another sweep
sed 's/seed: 1/seed: 2/' $folder/samples.yaml >$folder/other.yaml
refuses 1 'has the results of another sweep' sweep $folder/other.yaml --out a --figures-only

# zip, sequences, and repetitions of random values
sweep_file pairs <<'END'
zip: {controller.kp: [20, 50], controller.kv: {linspace: [2, 5, 2]}}
repetitions: 2
set: {joints.RWRR.viscous: "{uniform: [2, 5]}", duration: 0.1}
END
run 0 sweep $folder/pairs.yaml --out pairs --figures-only
silent err
[ "$(column pairs/sweep.csv controller.kp | tr '\n' ' ')" = '20 20 50 50 ' ] || fail "kp of pairs"
[ "$(column pairs/sweep.csv controller.kv | tr '\n' ' ')" = '2 2 5 5 ' ] || fail "kv of pairs"
[ "$(column pairs/sweep.csv repetition | tr '\n' ' ')" = '1 2 1 2 ' ] || fail "repetitions"
[ "$(column pairs/sweep.csv RWRR.final_position | sort -u | wc -l)" -eq 4 ] || fail "repetitions do not differ"

# a search ends with its best settings, which are as good in a run of their own
sweep_file tune <<'END'
minimise: RWRR.rms_error
evaluations: 14
seed: 1
set:
  controller.kp: {loguniform: [5, 500]}
  controller.kv: {uniform: [0.2, 20]}
  joints.RWRR.static_torque: [1, 2.5]
  duration: 0.3
where: kv < kp
END
if run 0 sweep $folder/tune.yaml --out tune --figures-only; grep -q 'without NLopt' err; then
    echo "this stiction was built without NLopt"
else
    cp out first
    says out 'best of 14 evaluations'
    says err 'is the best so far'
    [ "$(column tune/sweep.csv number | wc -l)" -eq 28 ] || fail "14 evaluations of 2 scenarios are not 28 runs"
    says tune/sweep.html 'A search found the smallest RWRR.rms_error'
    options=$(sed -n 's/^  \(--set .*\)/\1/p' out)
    value=$(sed -n 's/^best of.* = //p' out)
    # shellcheck disable=SC2086
    run 0 run $folder/wrist.cnoid $options --set joints.RWRR.static_torque=2.5 --set duration=0.3 \
        --no-report --out best
    found=$(sed -n 's/.*"rms_tracking_error": *\([0-9.e+-]*\).*/\1/p' best/wrist/summary.json)
    awk -v a="$value" -v b="$found" 'BEGIN { exit !(a - b < 1e-8 && b - a < 1e-8) }' ||
        fail "the best is $value, and $found in a run of its own"
    column tune/sweep.csv RWRR.rms_tracking_error |
        awk -v best="$value" 'NR % 2 { last = $1; next } { worst = $1 > last ? $1 : last } worst < best - 1e-8 { exit 1 }' ||
        fail "an evaluation is better than the best"
    # again, and on from where it was
    run 0 sweep $folder/tune.yaml --out again --no-reports
    cmp again/sweep.csv tune/sweep.csv || fail "a search is not repeatable"
    run 0 sweep $folder/tune.yaml --out again --no-reports
    says err '6 runs of the first 3 evaluations are complete already'
    if command -v sqlite3 >/dev/null; then # some were killed between their folders and their rows
        sqlite3 again/sweep.db 'delete from runs where number > 17'
        rm -r again/runs/002*
        run 0 sweep $folder/tune.yaml --out again --no-reports
        cmp again/sweep.csv tune/sweep.csv || fail "a search that goes on ends elsewhere"
    fi
    run 0 sweep $folder/tune.yaml --out again --figures-only --force # all of it anew
    cmp again/sweep.csv tune/sweep.csv || fail "a search that replaces itself ends elsewhere"
    grep -q 'complete already' err && fail "--force took what was there"
    # a run that fails is worse than all others, and is reported
    sweep_file illegal <<'END'
maximise: RWRR.final_position
evaluations: 12
set:
  joints.RWRR.static_torque: {uniform: [0.2, 0.6]}
  joints.RWRR.coulomb_torque: 0.4
  duration: 0.02
END
    run 0 sweep $folder/illegal.yaml --out illegal --figures-only
    says err 'runs failed'
    [ "$(sed -n 's/^  --set joints.RWRR.static_torque=//p' out | awk '{ print ($1 > 0.4) }')" = 1 ] || fail "the best is no run"
    sed 's/0.2, 0.6/0.2, 0.3/' $folder/illegal.yaml >$folder/hopeless.yaml
    refuses 1 '3 of 3 runs cannot begin' sweep $folder/hopeless.yaml --out hopeless --figures-only
    [ ! -e hopeless ] || fail "something was written for runs that cannot begin"
    # there are no shards of a search; search.sh has its mistakes
    refuses 1 'it has no shards' sweep $folder/tune.yaml --out shard --shard 1/2
    refuses 1 'tune has a search, which has no shards to merge' merge tune again --out merged
    refuses 1 'it has no shards' sweep sample_projects/arm7/arm7_tune.yaml --out shard --shard 1/2
fi
finish
