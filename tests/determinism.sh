#!/bin/sh
# SPDX-License-Identifier: MIT
# The same bits from every compiler, optimisation level and instruction set: one hash.
# usage: determinism.sh SOURCE_ROOT WORK_DIR [COMPILER LIBRARY DOCUMENTS]
# LIBRARY, DOCUMENTS: libstiction_static.a and libstiction_document.a as COMPILER (gcc or clang) built them at -O3, which is then not done again.
set -eu
root=$(cd "$1" && pwd)
work=$2
built_by=${3:-}
library=${4:-}
documents=${5:-}
expected=1724b4c6365b05b4

mkdir -p "$work"
failed=0
built=0
base="-std=gnu11 -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd -DSTICTION_VERSION=\"0\"
    -I$root -I$root/capi -I$root/capi/include -I$root/joint_models/include -I$root/tests"

# What the copies of the laws for newer instruction sets are compiled with (joint_models/CMakeLists.txt)
flags_of() {
    case $1 in
    avx2) echo -mavx2 -mfma ;;
    avx512) echo -mavx2 -mfma -mavx512f -mavx512vl -mavx512bw -mavx512dq -mprefer-vector-width=512 ;;
    esac
}
# Those that this processor can run, of which the library takes the last
copies=
for copy in avx2 avx512; do
    missing=
    for flag in $(flags_of $copy); do
        case $flag in -mavx* | -mfma) grep -qw "${flag#-m}" /proc/cpuinfo || missing=$flag ;; esac
    done
    [ -n "$missing" ] || copies="$copies $copy"
    [ -z "$missing" ] || echo "$copy: not here, skipped"
done
# with COPY...: as the build says it
with() { for copy in "$@"; do echo "-DSTICTION_WITH_$(echo "$copy" | tr '[:lower:]' '[:upper:]')"; done; }

# compile COMPILER FLAGS -- COPY...: the core and these copies of the laws, as $work/core.a
compile() {
    compiler=$1
    flags=$2
    shift 3
    rm -rf "$work/objects" "$work/core.a"
    for copy in "$@"; do
        names="stiction_drive_hot stiction_ln stiction_power stiction_dd_exp stiction_dd_expm1 stiction_dd_log"
        for law in "$root"/joint_models/laws/*.c; do
            name=$(basename "$law" .c)
            names="$names stiction_law_$name stiction_fast_$name"
        done
        renamed=
        for name in $names; do renamed="$renamed -D$name=${name}_$copy"; done
        for part in laws fast drive .; do
            case $part in
            laws) files=$(echo "$root"/joint_models/laws/*.c) ;;
            fast) files=$(find "$root/joint_models/fast" -name '*.c' ! -name fast.c ! -name variant.c) ;;
            drive) files=$root/joint_models/drive/drive_hot.c ;;
            .)
                files="$root/joint_models/double_double.c $root/joint_models/exponential.c"
                ;;
            esac
            mkdir -p "$work/objects/$copy/$part"
            # shellcheck disable=SC2046,SC2086 # lists of words
            (cd "$work/objects/$copy/$part" && "$compiler" $base $flags $(flags_of "$copy") $renamed -c $files)
        done
    done
    for part in joint_models joint_models/laws joint_models/fast joint_models/reference joint_models/drive \
        capi capi/document; do
        mkdir -p "$work/objects/$part"
        # shellcheck disable=SC2046,SC2086
        (cd "$work/objects/$part" && "$compiler" $base $flags $(with "$@") -c "$root/$part"/*.c)
    done
    find "$work/objects" -name '*.o' -exec ar qc "$work/core.a" {} +
}

# check COMPILER FLAGS LIBRARY [COPY...]: the hash of the library where what chooses sees these copies alone
check() {
    compiler=$1
    flags=$2
    archive=$3
    shift 3
    name=baseline
    for name; do :; done
    # shellcheck disable=SC2046,SC2086
    "$compiler" $base $flags $(with "$@") "$root"/tests/determinism.c "$root"/joint_models/fast/variant.c \
        $archive -lyaml -lm -pthread -o "$work/determinism"
    hash=$("$work/determinism")
    built=$((built + 1))
    printf '%-6s %-9s %-18s %s\n' "$compiler" "$name" "$flags" "$hash"
    [ "$hash" = "$expected" ] || failed=1
}
here() { command -v "$1" >/dev/null || { echo "$1 is not here: skipped"; return 1; }; }

for compiler in gcc clang; do
    here $compiler || continue
    archive="$library $documents"
    if [ $compiler != "$built_by" ]; then
        # shellcheck disable=SC2086
        compile $compiler -O3 -- $copies
        archive=$work/core.a
    fi
    check $compiler -O3 "$archive"
    first=
    for copy in $copies; do
        first="$first $copy"
        # shellcheck disable=SC2086
        check $compiler -O3 "$archive" $first
    done
done
if here clang; then
    compile clang -O0 --
    check clang -O0 "$work/core.a"
fi
if here gcc; then
    compile gcc '-O3 -march=native' --
    check gcc '-O3 -march=native' "$work/core.a"
fi
if [ "$built" -lt 3 ]; then echo "no compiler built it"; exit 1; fi
if [ "$failed" -ne 0 ]; then echo "expected $expected everywhere"; exit 1; fi
