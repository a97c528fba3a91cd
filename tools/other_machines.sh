#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the core with Debian's cross compilers, runs it under qemu, and compares the bits.
set -eu

usage() {
    cat <<'END'
usage: other_machines.sh [--tests] [--install] [TARGET...]

Builds the core for each target, runs the program of the determinism hash there
(tests/determinism.c) and hands a saved state over, and prints a table:
target, bits of a word, order of bytes, hash, what becomes of this machine's state.
Exit code 0: all hashes are the documented one; 1: one is not; 77: no target has
its cross compiler and qemu here.

  TARGET     aarch64, armhf or s390x; default: all that are installed. Or, where
             it is named, i386 with SSE2 (with --tests by itself, too)
  --tests    run tests of the core there, too (some minutes)
  --install  first install what is missing, with apt-get
END
}

root=$(cd "$(dirname "$0")/.." && pwd)
tests= install= chosen=
while [ $# -gt 0 ]; do
    case $1 in
    --tests) tests=1 ;;
    --install) install=1 ;;
    -h | --help) usage && exit 0 ;;
    -*)
        usage >&2
        exit 2
        ;;
    *) chosen="$chosen $1" ;;
    esac
    shift
done

# name, tuple of the compiler, qemu or, of what this machine runs itself, the loader, Debian's name, flags. armhf:
# with the fma of its newer processors, which only saves time; without, libm computes the same. i386: as the
# registers of x87 are wider than numbers, SSE2.
machines='aarch64 aarch64-linux-gnu qemu-aarch64 arm64 -O1
armhf arm-linux-gnueabihf qemu-arm armhf -O1 -mfpu=neon-vfpv4
s390x s390x-linux-gnu qemu-s390x s390x -O1
i386 i686-linux-gnu ld-linux.so.2 i386 -O1 -msse2 -mfpmath=sse'
for name in $chosen; do
    echo "$machines" | grep -q "^$name " || {
        echo "other_machines.sh: unknown target '$name'; see --help" >&2
        exit 2
    }
done
[ -n "$chosen" ] || [ -n "$tests" ] || chosen=" aarch64 armhf s390x"
version=$(sed -n 's/^project(stiction VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
expected=$(sed -n 's/^expected=//p' "$root/tests/determinism.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# libyaml is not cross-compiled: no file is read, so its header and functions that fail are enough
mkdir "$work/include"
cp "$(pkg-config --variable=includedir yaml-0.1)/yaml.h" "$work/include"
cat >"$work/no_yaml.c" <<'END'
#include <stdio.h>
#include <yaml.h>
int yaml_parser_initialize(yaml_parser_t *p) { return (void)p, fputs("no libyaml here\n", stderr), 0; }
void yaml_parser_delete(yaml_parser_t *p) { (void)p; }
void yaml_parser_set_encoding(yaml_parser_t *p, yaml_encoding_t e) { (void)p, (void)e; }
void yaml_parser_set_input_string(yaml_parser_t *p, const unsigned char *s, size_t n) {
    (void)p, (void)s, (void)n;
}
int yaml_parser_parse(yaml_parser_t *p, yaml_event_t *e) { return (void)p, (void)e, 0; }
void yaml_event_delete(yaml_event_t *e) { (void)e; }
END

# build COMPILER FLAGS...: the core as $work/core.a
build() {
    compiler=$1
    shift
    rm -rf "$work/objects" "$work/core.a"
    mkdir "$work/objects"
    flags="-std=gnu11 -w -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd $*
        -I$work/include -I$root -I$root/capi -I$root/capi/include -I$root/joint_models/include -I$root/tests"
    # shellcheck disable=SC2086 # lists of words
    (cd "$work/objects" && for part in joint_models joint_models/laws joint_models/fast \
        joint_models/reference joint_models/drive capi capi/document capi/implicit; do
        mkdir -p "$part"
        (cd "$part" && $compiler $flags -DSTICTION_VERSION="\"$version\"" -c "$root/$part"/*.c)
    done
    $compiler $flags -c "$work/no_yaml.c")
    find "$work/objects" -name '*.o' -exec ar qc "$work/core.a" {} +
}
# program SOURCE...: linked with it, as $work/program
program() {
    # shellcheck disable=SC2086
    $compiler $flags "$@" "$work/core.a" -lm -pthread -o "$work/program"
}

# the saved state of this machine and its next step; -O0, because it is short
build cc -O0
program "$root/tests/state_buffer.c"
next=$("$work/program" save "$work/state")

failed=0
seen=0
format='%-8s %-5s %-7s %-17s %-10s %s\n'
# shellcheck disable=SC2059
printf "$format" target word order hash same "this machine's state"
echo "$machines" >"$work/machines"
while read -r name tuple qemu debian options; do
    case " $chosen " in "  " | *" $name "*) ;; *) continue ;; esac
    if [ -n "$install" ]; then
        apt-get install -qy --no-install-recommends qemu-user "gcc-$tuple" "libc6-dev-$debian-cross" \
            >"$work/log" 2>&1 </dev/null || { tail -n 5 "$work/log"; exit 1; }
    fi
    missing=
    on="$qemu -L /usr/$tuple"
    case $qemu in
    ld-*)
        libraries=/usr/$tuple/lib
        on="$libraries/$qemu --library-path $libraries"
        [ -x "$libraries/$qemu" ] && "$libraries/$qemu" --version >/dev/null 2>&1 || missing=" a system for $name"
        ;;
    *) command -v "$qemu" >/dev/null || missing=" $qemu" ;;
    esac
    command -v "$tuple-gcc" >/dev/null || missing="$missing $tuple-gcc"
    if [ -n "$missing" ]; then
        printf '%-8s skipped:%s not installed\n' "$name" "$missing"
        continue
    fi
    # shellcheck disable=SC2086
    build "$tuple-gcc" $options
    word=$(echo __SIZEOF_POINTER__ | "$tuple-gcc" -E -P -)
    order=$(echo __BYTE_ORDER__ | "$tuple-gcc" -E -P -)
    case $order in 1234) order=little ;; 4321) order=big ;; esac
    program "$root/tests/state_buffer.c"
    # shellcheck disable=SC2086
    state=$($on "$work/program" restore "$work/state" </dev/null)
    # what must become of it: docs/abi.md
    case "$word $order" in
    '8 little') [ "$state" = "$next" ] && state="restored, to the bit" || failed=1 ;;
    *' big') case $state in 'refused: '*'of another byte order') ;; *) failed=1 ;; esac ;;
    *) case $state in 'refused: '*' a state of this model has '*) ;; *) failed=1 ;; esac ;;
    esac
    program "$root/tests/determinism.c"
    # shellcheck disable=SC2086
    hash=$($on "$work/program" </dev/null)
    same=yes
    [ "$hash" = "$expected" ] || { same=NO; failed=1; }
    seen=$((seen + 1))
    # shellcheck disable=SC2059
    printf "$format" "$name" "$((word * 8))" "$order" "$hash" "$same" "$state"
    [ -n "$tests" ] || continue
    for test in laws elements fast_steps capi; do
        sources=$(find "$root/tests" -name "test_$test.c")
        set -- "$sources"
        case $test in laws | elements) set -- "$@" "$root"/joint_models/comparison/*.c ;; esac
        program "$@"
        # the cases that read no file
        for case in $(sed -n 's/^TEST(\([a-zA-Z0-9_]*\)).*/\1/p' "$sources"); do
            # shellcheck disable=SC2086
            if (cd "$root/tests" && $on "$work/program" "$case" >"$work/log" 2>&1 </dev/null); then
                echo "ok"
            elif grep -q 'no libyaml here' "$work/log"; then
                echo "needs libyaml"
            else
                echo "FAILED $case"
                cat "$work/log" >&2
            fi
        done | sort | uniq -c | sed "s/^ */         $test: /" | tee "$work/cases"
        ! grep -q FAILED "$work/cases" || failed=1
    done
done <"$work/machines"
[ "$seen" -gt 0 ] || { echo "skipped: no cross compiler with qemu-user is installed"; exit 77; }
[ $failed -eq 0 ] || echo "FAILED: expected $expected, and states as docs/abi.md says"
exit $failed
