#!/bin/sh
# SPDX-License-Identifier: MIT
# Models that others made, with the element that `export` writes: MuJoCo 3 loads them, and with
# brakes on all joints they rest for 10 s. STICTION_MJCF names folders, separated by colons, such as
# a checkout of mujoco_menagerie. Models whose files are not all there are left out. At least twenty
# must rest; those that do not are listed, as some are not stable without friction either.
# MUJOCO_PLUGINS names the folder of MuJoCo's own plugins, which some models need.
# usage: robots.sh STICTION AT_REST PLUGIN
[ -n "${STICTION_MJCF:-}" ] || { echo "skipped: STICTION_MJCF names no folder of models"; exit 77; }
stiction=$1 at_rest=$2 plugin=$3
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "$copy" ] || rm -f "$copy"' EXIT
copy=
cat >"$work/brakes.yaml" <<'YAML'
stiction: 1
joints: { "*": { law: coulomb, coulomb_torque: 1000, stiffness: 1e5, damping: 1000 } }
YAML
held=0 failed=0 left_out=0
for file in $(echo "$STICTION_MJCF" | tr : '\n' | while read -r folder; do find "$folder" -name '*.xml'; done | sort); do
    copy=$(dirname "$file")/.stiction_$$.xml
    # without joints that have a name, or parts of models
    "$stiction" export "$work/brakes.yaml" --robot "$file" --to mjcf --out "$copy" >"$work/out" 2>&1 ||
        { left_out=$((left_out + 1)); rm -f "$copy"; continue; }
    (cd "$work" && timeout 120 "$at_rest" "$plugin" "$copy") >"$work/out" 2>"$work/err"
    case $? in
    0) held=$((held + 1)); echo "$(cat "$work/out")  $file" ;;
    124) left_out=$((left_out + 1)); echo "left out: $file: 10 s take longer than two minutes to simulate" ;;
    77) left_out=$((left_out + 1)); echo "left out: $file: $(head -c 200 "$work/err" | tr '\n' ' ')" ;;
    *) failed=$((failed + 1)); echo "does not rest: $file: $(tail -n 2 "$work/out" "$work/err" | head -c 300)" ;;
    esac
    rm -f "$copy"
done
echo "$held models rest, $failed do not, $left_out were left out"
[ "$held" -ge 20 ]
