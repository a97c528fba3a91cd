#!/bin/sh
# SPDX-License-Identifier: MIT
# Without memory for this or that: the command says so, or does all of its work; never a table that
# lacks something, and never another sentence. $2: fail_allocation.so
. "$(dirname "$0")/lib.sh"
shim=$2
if ! (ulimit -v 4000000 && "$STICTION" --version) >out 2>&1; then
    echo 'skipped: a sanitizer has an allocator of its own'
    exit 0
fi
cat >good.yaml <<'END'
stiction: 1
profiles:
  wrist: &w { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06, stiffness: 5000, damping: 50 }
joints:
  RWRR: { profile: wrist }
  "L*": { <<: *w }
END
printf 'time,RWRR\n0,1\n0.001,1\n0.002,2\n' >log.csv

# walk LAST ARGUMENTS...
walk() {
    last=$1
    shift
    "$STICTION" "$@" >whole 2>whole.err || fail "$*: it fails with memory"
    failed=0
    number=1
    while [ "$number" -le "$last" ]; do
        FAIL_AT=$number LD_PRELOAD=$shim "$STICTION" "$@" >out 2>err
        code=$?
        if [ "$code" -eq 0 ]; then
            cmp -s out whole || fail "$*, allocation $number: exit code 0 and another output"
        else
            failed=$((failed + 1))
            [ "$code" -eq 1 ] || fail "$*, allocation $number: exit code $code"
            grep -q -e 'out of memory' -e 'Cannot allocate memory' err || {
                fail "$*, allocation $number: another sentence"
                cat err
            }
        fi
        number=$((number + 2))
    done
    [ "$failed" -gt 20 ] || fail "$*: only $failed allocations failed"
}
walk 250 check good.yaml --json
walk 150 check good.yaml --print
walk 150 check good.yaml --csv
walk 150 curve good.yaml RWRR --csv --points 5
walk 165 replay good.yaml log.csv
walk 81 import "$sources/tests/import/m2.json"
finish
