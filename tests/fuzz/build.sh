#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the fuzzers with clang, whatever builds the rest: the libraries once, one program, and a
# link fuzz_READER to it for every reader. 77: clang or its libFuzzer is not here.
# usage: [STICTION_FUZZ_LEVEL=-O0] build.sh FOLDER [OPTION OF CMAKE...]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
shift
mkdir -p "$folder"
printf '%s\n' 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n);' \
    'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return (int)(n * 0) * *d; }' \
    >"$folder/probe.c"
clang=''
for name in clang clang-14 clang-15 clang-16; do
    if [ -z "$clang" ] && command -v "$name" >/dev/null &&
        "$name" -fsanitize=fuzzer,address,undefined "$folder/probe.c" -o "$folder/probe" 2>/dev/null; then
        clang=$name
    fi
done
if [ -z "$clang" ]; then
    echo "skipped: clang with its libFuzzer runtime is not here (Debian: clang libclang-rt-14-dev)"
    exit 77
fi
flags="${STICTION_FUZZ_LEVEL:--O1} -g1 -fno-omit-frame-pointer -DSTICTION_FUZZED"
flags="$flags -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_COMPILER="$clang" -DCMAKE_CXX_COMPILER="$(echo "$clang" | sed 's/clang/clang++/')" \
    -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DSTICTION_FUZZERS=ON -DSTICTION_TESTS=OFF \
    -DSTICTION_CHOREONOID=OFF -DSTICTION_WARNINGS_AS_ERRORS=OFF "$@" >"$folder/configure.log" 2>&1 ||
    { cat "$folder/configure.log" && exit 1; }
cmake --build "$folder" --target stiction_fuzz ${STICTION_FUZZ_JOBS:+-j "$STICTION_FUZZ_JOBS"} \
    >"$folder/build.log" 2>&1 || { tail -n 60 "$folder/build.log" && exit 1; }
