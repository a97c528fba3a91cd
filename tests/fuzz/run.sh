#!/bin/sh
# Fuzzes the loader: SECONDS of it, from the seeds and all that earlier runs found. START 0 begins
# somewhere else each time, another number where it began before: a test must not fail by luck.
# usage: run.sh FUZZER WORK_DIR SECONDS START SEEDS...
set -eu
fuzzer=$1
work=$2
seconds=$3
start=$4
shift 4
if [ ! -x "$fuzzer" ]; then
    echo "skipped: clang with its libFuzzer runtime is not here (Debian: clang libclang-rt-14-dev)"
    exit 77
fi
mkdir -p "$work/found"
log=$work/log
if ! "$fuzzer" -max_total_time="$seconds" -seed="$start" -timeout=20 -rss_limit_mb=2048 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix="$work/" "$work/found" "$@" >"$log" 2>&1; then
    tail -n 60 "$log"
    exit 1
fi
grep -E 'number_of_executed_units|average_exec_per_sec|peak_rss_mb' "$log"
