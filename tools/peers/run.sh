#!/bin/sh
# SPDX-License-Identifier: MIT
# The comparison with other simulators: builds the contestants that are installed and measures them.
set -eu
usage='usage: sh tools/peers/run.sh [--install] [--reduced] [--out FOLDER]
  --install   first install the simulators that Debian has
  --reduced   shorter runs, about a minute
  --out       for peers.json, peers.html, peers.md and the plots (default: build-peers)
MuJoCo 3 takes part where MUJOCO3_ROOT is the folder that it is installed in.'
root=$(cd "$(dirname "$0")/../.." && pwd)
install= reduced= out=$root/build-peers
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=1 ;;
    --reduced) reduced=--reduced ;;
    --out) [ $# -gt 1 ] || { echo "$usage" >&2; exit 2; }; shift; out=$1 ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "$usage" >&2; exit 2 ;;
    esac
    shift
done
if [ -n "$install" ]; then
    as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends libyaml-dev libmujoco-dev libode-dev \
        libbullet-dev libsimbody-dev libdart-dev libdart-external-ikfast-dev \
        libdart-external-odelcpsolver-dev python3-matplotlib
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
cmake -S "$root/tools/peers" -B "$out/build" -DMUJOCO3_ROOT="${MUJOCO3_ROOT:-}" >"$out/build.log" 2>&1 ||
    { cat "$out/build.log"; exit 1; }
sed -n 's/^-- peers: //p' "$out/build.log"
cmake --build "$out/build" -j 2 >"$out/build.log" 2>&1 || { cat "$out/build.log"; exit 1; }
cd "$out/build"
rm -f peers*.json
./peers $reduced peers2.json 2>"$out/run.log" || { cat "$out/run.log"; exit 1; }
if [ -x peers3 ]; then ./peers3 $reduced peers3.json 2>>"$out/run.log"; fi
python3 "$root/tools/peers/page.py" "$out" peers[23].json
echo "peers: $out/peers.html"
