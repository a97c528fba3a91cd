#!/bin/sh
# From a fresh Debian 12 machine to a first result: packages, build, every sample project simulated
# on the embedded engine, a table of results and a report.
. "$(dirname "$0")/setup.sh"

install_packages
build
say
say "Every sample project, simulated:"
say
rm -rf "$root/build/samples" # also of an earlier version, whose results have no list of their files
"$root/build/stiction" run "$root"/sample_projects/*/*.cnoid --out "$root/build/samples"
say
say "Open the report in a browser. Next: $root/README.md, or build/stiction --help"
