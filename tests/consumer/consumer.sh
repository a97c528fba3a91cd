#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the build into a folder of its own and builds other people's programs against it.
# usage: consumer.sh BUILD_DIR SOURCE_DIR WORK_DIR
set -eu
build=$1
source=$2
work=$3
rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" >/dev/null
library=$(dirname "$(find "$work/prefix" -name libstiction.so)")

cmake -S "$source" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/cmake" >/dev/null
"$work/cmake/consumer_c"
"$work/cmake/consumer_cpp"
"$work/cmake/consumer_ffi" "$library/libstiction.so"

# and through pkg-config
flags=$(PKG_CONFIG_PATH="$library/pkgconfig" pkg-config --cflags --libs stiction)
# shellcheck disable=SC2086 # a list of words
cc "$source/consumer.c" $flags -o "$work/consumer_pkg_config"
LD_LIBRARY_PATH="$library" "$work/consumer_pkg_config"

# and the example, whose output docs/c_api.md shows
# shellcheck disable=SC2086 # a list of words
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$source/../../capi/examples/arm.c" $flags -lm \
    -o "$work/arm"
LD_LIBRARY_PATH="$library" "$work/arm" >"$work/printed"
cat "$work/printed"
grep -qxFf "$work/printed" "$source/../../docs/c_api.md"

# the command is there unless the core was built alone
[ ! -e "$work/prefix/bin/stiction" ] || "$work/prefix/bin/stiction" --version
