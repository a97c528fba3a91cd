#!/bin/sh
# SPDX-License-Identifier: MIT
# Where a configuration says auto, check reports the coupling that the engine takes.
. "$(dirname "$0")/lib.sh"
. "$sources/tests/coupling_robots.sh"

make_robots >list
[ "$(wc -l <list)" -ge 10 ] || fail 'fewer than ten robots'
while read -r name coupling; do
    # its exit code says whether that coupling is stable
    "$STICTION" check "$name.yaml" --body "$name.body" --json >out 2>err
    says out '"coupling": {"configured": "auto", "taken": "'"$coupling"'"'
    run 0 run "$name.body" --config "$name.yaml" --out results --no-report --set duration=0.01
    says "results/$name/summary.json" '"coupling": "'"$coupling"'"'
done <list
finish
