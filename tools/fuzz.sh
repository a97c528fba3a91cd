#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzes the readers for hours, on all cores; see --help.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
here=$root/tests/fuzz

usage() {
    cat <<'END'
usage: sh tools/fuzz.sh [OPTION...] HOURS [READER...]

Fuzzes all readers, or those that are named, for HOURS (0.1 is six minutes) on all cores, with clang's
libFuzzer and its address and undefined behaviour sanitizers. Readers take turns, a few minutes each,
and go on from what they found interesting before.

  --jobs N     so many at once (default: all cores)
  --out DIR    where the build, what was found and the logs are (default: build-fuzz)
  --list       the names of the readers
  --help       this

Findings are kept in DIR/findings/READER. The exit code is 1 where there are some. What to do with one:

  1. See it:        DIR/build/fuzz_READER DIR/findings/READER/crash-...
  2. Make it small: DIR/build/fuzz_READER -minimize_crash=1 -runs=100000 DIR/findings/READER/crash-...
  3. Keep it:       copy it to tests/fuzz/corpus/READER/, with a name that says what was wrong.
                    CTest reads it from then on (corpus.READER, fuzz.READER): see that fail.
  4. Mend the reader.
END
}

list() { # the names in readers.h
    sed -n 's/.*X(\([a-z_]*\)).*/&/p' "$here/readers.h" | grep -o 'X([a-z_]*)' | sed 's/X(\(.*\))/\1/' |
        grep -vx '' | sort -u
}

jobs=$(nproc)
out=$root/build-fuzz
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --list) list && exit 0 ;;
    --jobs | --out)
        [ $# -gt 1 ] || { echo "fuzz.sh: $1 needs a value" >&2 && exit 2; }
        if [ "$1" = --jobs ]; then jobs=$2; else out=$2; fi
        shift 2
        ;;
    -*) echo "fuzz.sh: unknown option $1; see --help" >&2 && exit 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || { usage >&2 && exit 2; }
hours=$1
shift
seconds=$(awk -v h="$hours" 'BEGIN { if (h !~ /^[0-9]*\.?[0-9]+$/ || h <= 0) exit 1; printf "%d", h * 3600 + 0.5 }') ||
    { echo "fuzz.sh: '$hours' is not a number of hours above 0" >&2 && exit 2; }
case $jobs in '' | *[!0-9]* | 0) echo "fuzz.sh: --jobs '$jobs' is not a number from 1" >&2 && exit 2 ;; esac
readers=${*:-$(list)}
for reader in $readers; do
    list | grep -qx -- "$reader" ||
        { echo "fuzz.sh: unknown reader '$reader'; known: $(list | tr '\n' ' ')" >&2 && exit 2; }
done

mkdir -p "$out"
out=$(cd "$out" && pwd)
echo "building into $out/build"
sh "$here/build.sh" "$out/build" || exit 1

# One turn of one reader; it continues after a finding until its time is over.
turn() {
    reader=$1
    end=$(($(date +%s) + $2))
    mkdir -p "$out/corpus/$reader" "$out/findings/$reader" "$out/logs"
    while left=$((end - $(date +%s))) && [ "$left" -gt 0 ]; do
        log=$out/logs/$reader.$$.$(date +%s%N)
        "$out/build/fuzz_$reader" -max_total_time="$left" -timeout=120 -rss_limit_mb=4096 -max_len=16384 \
            -dict="$here/dict/$reader.dict" -close_fd_mask=3 -print_final_stats=1 \
            -artifact_prefix="$out/findings/$reader/" "$out/corpus/$reader" "$here/corpus/$reader" \
            >"$log" 2>&1 &
        fuzzer=$!
        trap 'kill $fuzzer 2>/dev/null; exit 1' INT TERM
        wait $fuzzer || true
        count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
        echo "${count:-0}" >>"$out/logs/$reader.executed"
        # only what tells of a finding is worth its room
        if grep -q '^stat::' "$log" && ! grep -q 'ERROR\|SUMMARY' "$log"; then rm -f "$log"; fi
    done
    printf '%s  %-14s %12s inputs so far, %s findings\n' "$(date +%T)" "$reader" \
        "$(awk '{ n += $1 } END { print n + 0 }' "$out/logs/$reader.executed")" \
        "$(find "$out/findings/$reader" -type f | wc -l)"
}
rm -f "$out"/logs/*.executed

# Short rounds, so that all readers have run when the user stops early.
count=$(echo "$readers" | wc -w)
total=$((seconds * jobs))
rounds=$((total / (count * 300) + 1))
share=$((total / (count * rounds)))
[ "$share" -gt 0 ] || share=1
echo "$count readers, $jobs at once, $rounds rounds of $share s each"
trap 'trap "" INT TERM; kill $(jobs -p) 2>/dev/null; wait; echo stopped; exit 130' INT TERM
for round in $(seq "$rounds"); do
    echo "round $round of $rounds"
    running=0
    for reader in $readers; do
        turn "$reader" "$share" &
        running=$((running + 1))
        if [ "$running" -ge "$jobs" ]; then
            wait
            running=0
        fi
    done
    wait
done

echo
printf '%-14s %12s %9s %9s\n' reader inputs corpus findings
found=0
for reader in $readers; do
    findings=$(find "$out/findings/$reader" -type f | wc -l)
    found=$((found + findings))
    printf '%-14s %12s %9s %9s\n' "$reader" \
        "$(awk '{ n += $1 } END { print n + 0 }' "$out/logs/$reader.executed")" \
        "$(find "$out/corpus/$reader" -type f | wc -l)" "$findings"
done
[ "$found" -eq 0 ] || { echo "findings are in $out/findings; see --help for what to do with them" && exit 1; }
