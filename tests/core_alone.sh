#!/bin/sh
# SPDX-License-Identifier: MIT
# The core built alone, in C: it needs libyaml and nothing else, and passes its tests.
# usage: core_alone.sh SOURCE_ROOT WORK_DIR
set -eu
root=$1
work=$2

# no C++ compiler, no MuJoCo, Eigen, expat, jansson or MPFR is asked for; without optimisation, which
# takes most of the time and is tested in the whole build
cmake -S "$root" -B "$work" -DSTICTION_ENGINE=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DCMAKE_CXX_COMPILER=/nonexistent -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON >"$work.log" 2>&1 ||
    { cat "$work.log"; exit 1; }
# the quick ones: the whole build runs the same files, the long ones among them
tests='capi laws load customizer'
# shellcheck disable=SC2046 # a word a test
cmake --build "$work" -j 2 --target stiction StictionCustomizer $(printf 'test_%s ' $tests) \
    >"$work.log" 2>&1 || { cat "$work.log"; exit 1; }

needed=$(readelf -d "$work/libstiction.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -v '^libc\.so\|^libm\.so\|^ld-linux' | tr '\n' ' ')
case $needed in
libyaml-0.so.*' ') ;;
*)
    echo "libstiction.so needs $needed, not libyaml alone"
    exit 1
    ;;
esac

ctest --test-dir "$work" -j 2 -R "^($(echo $tests | tr ' ' '|'))\." -E leaks_nothing >"$work.log" 2>&1 ||
    { cat "$work.log"; exit 1; }
tail -n 3 "$work.log"
