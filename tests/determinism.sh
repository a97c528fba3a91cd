#!/bin/sh
# The same bits from every compiler, optimisation level and instruction set: one hash.
# usage: determinism.sh SOURCE_ROOT WORK_DIR
set -eu
root=$1
work=$2
expected=bc428240548ece55

mkdir -p "$work"
failed=0
built=0
check() {
    compiler=$1
    shift
    command -v "$compiler" >/dev/null || { echo "$compiler is not here: skipped"; return 0; }
    # shellcheck disable=SC2086 # lists of words
    "$compiler" -std=c11 -ffp-contract=off "$@" -DSTICTION_VERSION='"0"' \
        -I"$root/capi/include" -I"$root/joint_models/include" -I"$root/tests" \
        "$root"/tests/determinism.c "$root"/joint_models/*.c "$root"/capi/*.c \
        -lyaml -lm -o "$work/determinism"
    hash=$("$work/determinism")
    built=$((built + 1))
    printf '%-6s %-24s %s\n' "$compiler" "$*" "$hash"
    [ "$hash" = "$expected" ] || failed=1
}

for compiler in gcc clang; do
    for level in -O0 -O1 -O2 -O3; do check "$compiler" "$level"; done
    if grep -qw fma /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo; then
        check "$compiler" -O3 -mfma -mavx2
    fi
done
if [ "$built" -lt 4 ]; then echo "no compiler built it"; exit 1; fi
if [ "$failed" -ne 0 ]; then echo "expected $expected everywhere"; exit 1; fi
