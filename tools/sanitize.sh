#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests under sanitizers, each in its own build folder: the whole suite for memory errors and
# undefined behaviour, programs with threads for races.
usage='usage: sh tools/sanitize.sh [address|thread]...   (default: both)'
for name in "$@"; do
    case $name in
    address | thread) ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "$usage" >&2; exit 2 ;;
    esac
done
. "$(dirname "$0")/setup.sh"

# The thread pool of a batch, engines in threads, and a sweep.
thread_programs='test_batch test_random test_engine test_vector stiction_command'
thread_tests='^(batch|random|vector)\.|^engine\.engines_run_in_threads|^command\.jobs$'

# watch NAME PROGRAMS TESTS: builds these programs and runs the tests whose names match.
watch() {
    folder=$root/build/$1
    build_into "$folder" " ($1 sanitizer)" "$2" -DSTICTION_SANITIZE="$1" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS='-O1 -g1' -DCMAKE_CXX_FLAGS='-O1 -g1' -DSTICTION_TESTS=ON -DSTICTION_ALL_TESTS=ON \
        -DSTICTION_CHOREONOID=OFF -DSTICTION_LINEAR="$root/build/plugin/stability/libstiction_linear.a"
    run_tests "$folder" -R "$3"
}

install_packages all
for name in ${*:-address thread}; do
    case $name in
    address) watch address all . ;;
    thread)
        export TSAN_OPTIONS="suppressions=$root/tools/thread_sanitizer.txt"
        watch thread "$thread_programs" "$thread_tests"
        ;;
    esac
done
