#!/bin/sh
# SPDX-License-Identifier: MIT
# Every sample project, run headlessly by an engine, comes to the figures of its expected.yaml.
# usage: samples.sh STICTION CHECK_EXPECTED ENGINE
set -eu
stiction=$1 check_expected=$2 engine=$3
samples=$(cd "$(dirname "$0")/../sample_projects" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$stiction" run "$samples"/*/*.cnoid --engine "$engine" --out "$work" --no-report
# a sample that needs another program has no figures here
set --
for figures in "$samples"/*/expected.yaml; do set -- "$@" "$(dirname "$figures")/"; done
"$check_expected" "$work" "$@"
