#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian's packages as lintian sees them: no error and no warning but those that are overridden with a
# reason; no search path, hardened, every library with its shlibs.
# usage: packages.sh BUILD
set -eu
build=$(cd "$1" && pwd)
for tool in lintian dpkg-shlibdeps dpkg-deb cpack; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$build/CMakeCache.txt" ||
    { echo "skipped: packages are made of a release build"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$build" && cpack -G DEB -B "$work/packages") >"$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }
# with hints, of which some are demands here
lintian --allow-root --display-info --fail-on error,warning "$work"/packages/*.deb >"$work/lintian" ||
    { cat "$work/lintian"; exit 1; }
if grep 'hardening-\|custom-library-search-path\|unstripped\|no-shlibs' "$work/lintian"; then exit 1; fi

dpkg-deb -f "$work"/packages/libstiction_*.deb Provides >"$work/provides"
dpkg-deb --info "$work"/packages/libstiction_*.deb shlibs >"$work/shlibs"
cat "$work/shlibs"
# a program that links with the library depends on the number that the library bears
for library in "$build"/libstiction.so "$build"/libstiction_engine.so; do
    [ -e "$library" ] || continue
    soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    name=$(echo "${soname%.so.*}" | tr _ -)
    grep -q "^${soname%.so.*} ${soname##*.} .*, $name-abi-${soname##*.}$" "$work/shlibs"
    grep -qw -- "$name-abi-${soname##*.}" "$work/provides"
done
# MuJoCo is Debian's, and nothing of others is packed
dpkg-deb -f "$work"/packages/stiction_*.deb Depends | grep -q 'libmujoco' || {
    grep -q 'STICTION_MUJOCO:[A-Z]*=3' "$build/CMakeCache.txt"
}
for package in "$work"/packages/*.deb; do dpkg-deb -c "$package"; done |
    awk '!/\/$/ { print $6 }' | grep -iv stiction && { echo "is that ours?"; exit 1; }
echo "$(ls "$work"/packages/*.deb | wc -l) packages"
