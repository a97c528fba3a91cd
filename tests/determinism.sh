#!/bin/sh
# The same bits from every compiler, optimisation level and instruction set: one hash.
# usage: determinism.sh SOURCE_ROOT WORK_DIR
set -eu
root=$1
work=$2
expected=1724b4c6365b05b4

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
    if [ -n "$variant" ]; then
        # the files, names and flags of joint_models/CMakeLists.txt
        case $variant in
        avx2) wide="-mavx2 -mfma" ;;
        avx512) wide="-mavx2 -mfma -mavx512f -mavx512vl -mavx512bw -mavx512dq -mprefer-vector-width=512" ;;
        esac
        copies=
        names="stiction_drive_hot stiction_drive_block_step stiction_ln stiction_power stiction_dd_exp
            stiction_dd_expm1 stiction_dd_log stiction_w0_in_cells stiction_wm1_in_cells"
        for law in "$root"/joint_models/laws/*.c; do
            name=$(basename "$law" .c)
            names="$names stiction_law_$name stiction_fast_$name"
        done
        renamed=
        for name in $names; do renamed="$renamed -D$name=${name}_$variant"; done
        for file in "$root"/joint_models/laws/*.c "$root"/joint_models/fast/*.c \
            "$root"/joint_models/drive/drive_hot.c "$root"/joint_models/drive/drive_block.c \
            "$root"/joint_models/double_double.c "$root"/joint_models/exponential.c \
            "$root"/joint_models/lambert_w.c; do
            case $file in */fast/fast.c | */fast/variant.c) continue ;; esac
            object="$work/$(basename "$(dirname "$file")")_$(basename "$file" .c).o"
            # shellcheck disable=SC2086 # lists of words
            "$compiler" $flags "$@" $wide $renamed -c "$file" -o "$object"
            copies="$copies $object"
        done
        flags="$flags -DSTICTION_WITH_$(echo "$variant" | tr a-z A-Z) $copies"
    fi
    # shellcheck disable=SC2086
    "$compiler" $flags "$@" "$root"/tests/determinism.c "$root"/joint_models/*.c \
        "$root"/joint_models/laws/*.c "$root"/joint_models/fast/*.c \
        "$root"/joint_models/reference/*.c "$root"/joint_models/drive/*.c "$root"/capi/*.c \
        "$root"/capi/document/*.c \
        -lyaml -lm -pthread -o "$work/determinism"
    hash=$("$work/determinism")
    built=$((built + 1))
    printf '%-6s %-7s %-18s %s\n' "$compiler" "$variant" "$*" "$hash"
    [ "$hash" = "$expected" ] || failed=1
}

# the copies of the laws that the library chooses from at run time
variants=
if grep -qw fma /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo; then variants=avx2; fi
if [ -n "$variants" ] && grep -qw avx512dq /proc/cpuinfo && grep -qw avx512vl /proc/cpuinfo; then
    variants="$variants avx512"
else
    echo "avx512: not here, skipped; tools/other_machines.sh avx512 emulates it"
fi
variant=
check clang -O0
for compiler in gcc clang; do
    for variant in "" $variants; do check "$compiler" -O3; done
done
variant=
check gcc -O3 -march=native
if [ "$built" -lt 3 ]; then echo "no compiler built it"; exit 1; fi
if [ "$failed" -ne 0 ]; then echo "expected $expected everywhere"; exit 1; fi
