#!/bin/sh
# What a run of a sweep costs, and whether that grows with their number: the wrist for a second each,
# figures only, in two shards that are merged. Prints a row for every number of runs.
# usage: sweep_scale.sh STICTION [RUNS...]     without numbers: 100 10000 100000
set -eu
stiction=$1
shift
[ $# -gt 0 ] || set -- 100 10000 100000
sources=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# measure COMMAND...: seconds and MiB of memory at the most, in $seconds and $memory
measure() {
    python3 - "$@" >measured <<'END'
import os, resource, subprocess, sys, time
begin = time.monotonic()
code = subprocess.run(sys.argv[1:], stdout=open("out", "w"), stderr=open("err", "w")).returncode
print(time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, code)
END
    read -r seconds memory code <measured
    [ "$code" -eq 0 ] || {
        cat err
        exit 1
    }
}

printf '%8s  %8s  %10s  %12s  %12s  %13s  %12s  %9s\n' runs 'runs/s' 'sweep MiB' 'bytes a run' \
    'resume s' 'merge s' 'merge MiB' 'page MiB'
for runs; do
    rm -rf one two whole
    cat >scale.yaml <<END
sweep: 1
projects: ["$sources/sample_projects/wrist/wrist.cnoid"]
set:
  duration: 1
  controller.kp: { linspace: [10, 100, $runs] }
END
    measure "$stiction" sweep scale.yaml --figures-only --shard 1/2 --out one
    first=$seconds sweep_memory=$memory
    measure "$stiction" sweep scale.yaml --figures-only --shard 2/2 --out two
    rate=$(awk "BEGIN { print $runs / ($first + $seconds) }")
    measure "$stiction" sweep scale.yaml --figures-only --shard 1/2 --out one
    resume=$seconds
    measure "$stiction" merge one two --out whole
    bytes=$(($(wc -c <whole/sweep.db) / runs))
    page=$(awk "BEGIN { print $(wc -c <whole/sweep.html) / 1048576 }")
    printf '%8d  %8.0f  %10.1f  %12d  %12.2f  %13.2f  %12.1f  %9.2f\n' "$runs" "$rate" "$sweep_memory" \
        "$bytes" "$resume" "$seconds" "$memory" "$page"
done
