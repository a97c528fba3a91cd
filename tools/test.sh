#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages of the tests, builds into build/, runs the tests.
usage='usage: sh tools/test.sh [--all]
  (without options)  the suite that a contributor runs: minutes
  --all              also other machines, fuzzers, injected faults, lint, browser, packages'
case ${1:-} in
'') ;;
--all) ;;
-h | --help) echo "$usage"; exit 0 ;;
*) echo "$usage" >&2; exit 2 ;;
esac
. "$(dirname "$0")/setup.sh"
began=$(date +%s)

if [ "${1:-}" = --all ]; then
    install_packages all
    build all
    run_tests "$root/build"
else
    install_packages tests
    build tests
    run_tests "$root/build" -LE '^long$'
    echo "$(($(date +%s) - began))" >"$root/build/test_seconds" # for tools/size.sh
fi
