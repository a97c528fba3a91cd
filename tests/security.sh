#!/bin/sh
# SPDX-License-Identifier: MIT
# Every promise of SECURITY.md names tests, and each of them is there.
# usage: security.sh SOURCE_ROOT BUILD CTEST
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$3" --test-dir "$2" -N | sed -n 's/.*Test *#[0-9]*: //p' >"$work/tests"
sed -n '/^## What is promised/,/^## What is not/p' "$1/SECURITY.md" | grep '^| ' | sed 1d |
    awk -F'|' '{ print $3 }' >"$work/columns"
[ "$(grep -c '`' "$work/columns")" -eq "$(wc -l <"$work/columns")" ] || { echo "a promise names no test"; exit 1; }
failed=0
for name in $(tr -d '`' <"$work/columns"); do
    # a whole name, or that of a group
    grep -q "^$(echo "$name" | sed 's/\./\\./g')\(\.\|\$\)" "$work/tests" && continue
    # without clang there is no fuzzer, which tests/fuzz says
    case $name in fuzz.*) grep -q '^fuzz\.build$' "$work/tests" || continue ;; esac
    echo "SECURITY.md names the test '$name', which is not there"
    failed=1
done
echo "$(wc -l <"$work/columns") promises"
exit $failed
