#!/bin/sh
# SPDX-License-Identifier: MIT
# Of the projects that Choreonoid installs, those without tracks and other plugins' items run on the
# embedded engine, with a controller of ours where they need one of Choreonoid's.
set -eu
. "$(dirname "$0")/lib.sh"
[ -d "$SHARE/project" ] || { echo "skipped: $SHARE has no projects"; exit 77; }
table=$(sh "$SOURCES/tools/choreonoid_projects.sh" "$STICTION" "$SHARE")
echo "$table"
count=${table%% of *}
# before 2.5 grippers have pistons and fewer projects do without tracks
least=24
case $version in 2.[234]) least=18 ;; esac
[ "$count" -ge $least ] || { echo "only $count run"; exit 1; }
