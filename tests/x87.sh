#!/bin/sh
# SPDX-License-Identifier: MIT
# A build for x87, whose results would depend on the compiler, is refused with one sentence.
# usage: x87.sh SOURCE_ROOT WORK_DIR
set -eu
case $(uname -m) in
x86_64 | i?86) ;;
*) echo "skipped: no x87 here" && exit 77 ;;
esac
command -v gcc >/dev/null || { echo "skipped: gcc is not here" && exit 77; }
rm -rf "$2"
mkdir -p "$2"
if cmake -S "$1" -B "$2" -DSTICTION_ENGINE=OFF -DSTICTION_TESTS=OFF -DCMAKE_C_COMPILER=gcc \
    -DCMAKE_C_FLAGS=-mfpmath=387 >"$2/log" 2>&1; then
    echo "not refused"
    exit 1
fi
grep -q "more digits than a double has" "$2/log" && grep -q "msse2 -mfpmath=sse" "$2/log" ||
    { cat "$2/log" && exit 1; }
