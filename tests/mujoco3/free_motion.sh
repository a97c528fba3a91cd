#!/bin/sh
# SPDX-License-Identifier: MIT
# Robots that others made, without friction and contacts, for 2 s: the same motion as MuJoCo 3 has on
# the file itself, to 1e-6 rad or m. STICTION_MJCF names folders, separated by colons, such as a
# checkout of mujoco_menagerie. At least ten must agree; the others are listed with their worst joint.
# usage: free_motion.sh STICTION FREE_MOTION
[ -n "${STICTION_MJCF:-}" ] || { echo "skipped: STICTION_MJCF names no folder of models"; exit 77; }
stiction=$1 free_motion=$2
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "$copy" ] || rm -f "$copy"' EXIT
copy=
agree=0 differ=0 left_out=0
for file in $(echo "$STICTION_MJCF" | tr : '\n' | while read -r folder; do find "$folder" -name '*.xml'; done | sort); do
    case $file in */scene*) continue ;; esac
    { grep -q '<mujoco' "$file" && grep -Eq '<(joint|freejoint|include)' "$file"; } || continue
    copy=$(dirname "$file")/.stiction_$$.xml
    awk '{ print }
        !done && /<mujoco[^>]*>/ { done = 1; print "<option><flag contact=\"disable\"/></option>" }' "$file" >"$copy"
    rm -rf "$work/out"
    timeout 600 "$stiction" run "$copy" --set friction=none --duration 2 --interval 0.02 --no-report \
        --out "$work/out" --name run >"$work/log" 2>&1 ||
        { left_out=$((left_out + 1)); echo "left out: $file: $(tail -n 1 "$work/log")"; rm -f "$copy"; continue; }
    found=$(timeout 600 "$free_motion" "$copy" "$work/out/run/joints.csv" 2>"$work/log")
    case $? in
    0) agree=$((agree + 1)); echo "$found  $file" ;;
    77) left_out=$((left_out + 1)); echo "left out: $file: $(head -c 200 "$work/log" | tr '\n' ' ')" ;;
    *) differ=$((differ + 1)); echo "differs: $found  $file" ;;
    esac
    rm -f "$copy"
done
echo "$agree robots move as in MuJoCo 3, $differ do not, $left_out were left out"
[ "$agree" -ge 10 ]
