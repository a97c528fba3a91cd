#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the commands of README.md and docs/*.md: the fenced blocks that begin with ```sh run, those
# of one document in one shell, in a copy of the sources. README.md itself puts the build on the
# PATH, as whoever begins there must; the others find it there.
# usage: run_documented_commands.sh SOURCES BUILD
set -eu
sources=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/copy"
tar -C "$sources" --exclude=./build --exclude=./.git -cf - . | tar -C "$work/copy" -xf -
cd "$work/copy"
ln -s "$build" build

blocks=0
failures=0
for document in README.md docs/*.md; do
    [ -f "$document" ] || continue
    awk '/^```/ { inside = !inside && /^```sh run *$/; next } inside' "$document" >"$work/script"
    [ -s "$work/script" ] || continue
    blocks=$((blocks + $(grep -c '^```sh run *$' "$document")))
    path=$build:$PATH
    [ "$document" != README.md ] || path=$PATH
    if PATH=$path sh -eux "$work/script" >"$work/log" 2>&1 </dev/null; then
        printf '%s: its commands run\n' "$document"
    else
        failures=$((failures + 1))
        printf '%s: a command failed:\n' "$document"
        tail -n 30 "$work/log"
    fi
done
# a picture that a command draws into docs/images is the one that stands there
for picture in docs/images/*; do
    [ ! -f "$picture" ] || cmp -s "$picture" "$sources/$picture" || {
        failures=$((failures + 1))
        printf '%s: its command draws another picture\n' "$picture"
    }
done
printf '%s blocks, %s failures\n' "$blocks" "$failures"
[ "$blocks" -gt 0 ] && [ "$failures" -eq 0 ]
