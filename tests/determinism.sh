#!/bin/sh
# The same bits from every compiler, optimisation level and instruction set: one hash.
# usage: determinism.sh SOURCE_ROOT WORK_DIR
set -eu
root=$1
work=$2
expected=75f9e0a1a67b6bbb

mkdir -p "$work"
failed=0
built=0
check() {
    compiler=$1
    shift
    command -v "$compiler" >/dev/null || { echo "$compiler is not here: skipped"; return 0; }
    flags="-std=gnu11 -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd -DSTICTION_VERSION=\"0\"
        -I$root -I$root/capi -I$root/capi/include -I$root/joint_models/include -I$root/tests"
    rm -f "$work"/*.o
    if [ -n "$avx2" ]; then
        copies=
        for law in "$root"/joint_models/laws/*.c; do
            name=$(basename "$law" .c)
            for file in "$law" "$root/joint_models/fast/$name.c"; do
                [ -e "$file" ] || continue
                object="$work/$(basename "$(dirname "$file")")_$name.o"
                # shellcheck disable=SC2086 # lists of words
                "$compiler" $flags "$@" -mavx2 -mfma -c "$file" -o "$object" \
                    "-Dstiction_law_$name=stiction_law_${name}_avx2" \
                    "-Dstiction_fast_$name=stiction_fast_${name}_avx2"
                copies="$copies $object"
            done
        done
        flags="$flags -DSTICTION_WITH_AVX2 $copies"
    fi
    # shellcheck disable=SC2086
    "$compiler" $flags "$@" "$root"/tests/determinism.c "$root"/joint_models/*.c \
        "$root"/joint_models/laws/*.c "$root"/joint_models/fast/*.c \
        "$root"/joint_models/reference/*.c "$root"/joint_models/drive/*.c "$root"/capi/*.c \
        "$root"/capi/document/*.c \
        -lyaml -lm -pthread -o "$work/determinism"
    hash=$("$work/determinism")
    built=$((built + 1))
    printf '%-6s %-5s %-18s %s\n' "$compiler" "$avx2" "$*" "$hash"
    [ "$hash" = "$expected" ] || failed=1
}

for compiler in gcc clang; do
    avx2=
    for level in -O0 -O3; do check "$compiler" "$level"; done
    # with the copy of the laws that the library chooses at run time, then all compiled that way
    if grep -qw fma /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo; then
        avx2=avx2
        check "$compiler" -O3
        avx2=
        check "$compiler" -O3 -march=native
    fi
done
if [ "$built" -lt 4 ]; then echo "no compiler built it"; exit 1; fi
if [ "$failed" -ne 0 ]; then echo "expected $expected everywhere"; exit 1; fi
