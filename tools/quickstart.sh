#!/bin/sh
# SPDX-License-Identifier: MIT
# From a fresh Debian 12 machine to first results: installs packages, builds, simulates every sample
# project on the embedded engine, and prints a table of results.
. "$(dirname "$0")/setup.sh"

install_packages
build
print_line
print_line "Simulating every sample project:"
print_line
rm -rf "$root/build/samples" # may contain results of an earlier version, which cannot be replaced
"$root/build/stiction" run "$root"/sample_projects/*/*.cnoid --out "$root/build/samples"
print_line
print_line "Open the report in a browser. Next: $root/docs/getting_started.md, or build/stiction --help"
