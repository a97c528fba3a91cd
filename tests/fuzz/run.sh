#!/bin/sh
# SPDX-License-Identifier: MIT
# A number of inputs for one reader, from the seeds and a fixed start: a test must not fail by luck,
# nor try fewer on a busy machine. Limits are there for hangs and for memory without end.
# usage: run.sh BUILD READER WORK_DIR RUNS SEEDS...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fuzzer=$1/fuzz_$2
dictionary=$here/dict/$2.dict
work=$3
runs=$4
shift 4
if [ ! -x "$fuzzer" ]; then
    echo "skipped: the fuzzers were not built, see fuzz.build"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work/found"
if ! "$fuzzer" -runs="$runs" -seed=1 -timeout=300 -rss_limit_mb=4096 -max_len=4096 \
    -dict="$dictionary" -close_fd_mask=3 -print_final_stats=1 -artifact_prefix="$work/" \
    "$work/found" "$@" >"$work/log" 2>&1; then
    tail -n 60 "$work/log"
    echo "the input is in $work; see CONTRIBUTING.md for what to do with it"
    exit 1
fi
grep -E 'number_of_executed_units|peak_rss_mb' "$work/log"
