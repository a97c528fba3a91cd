#!/bin/sh
# Installs what the tests need, builds into build/, runs all of CTest.
. "$(dirname "$0")/setup.sh"

install_packages tests
build tests
ctest --test-dir "$root/build" -j "$tests_at_once" --output-on-failure --progress
