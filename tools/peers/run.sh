#!/bin/sh
# SPDX-License-Identifier: MIT
# The comparison with other simulators: builds the contestants that are installed and measures them.
set -eu
usage='usage: sh tools/peers/run.sh [--install] [--reduced] [--out FOLDER]
  --install   first install the simulators that Debian has, and MuJoCo 3 for node into FOLDER
  --reduced   shorter runs, about a minute
  --out       for peers.json, peers.html, peers.md and the plots (default: build-peers)
MuJoCo 3 takes part from the folder MUJOCO3_ROOT, of an installation or of the Python package mujoco, or
in node from MUJOCO3_NODE, the mujoco.js of the npm package @mujoco/mujoco.'
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
mkdir -p "$out"
out=$(cd "$out" && pwd)
if [ -n "$install" ]; then
    as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
    npm=$(command -v npm >/dev/null || echo npm)
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends libyaml-dev libmujoco-dev libode-dev \
        libbullet-dev libsimbody-dev libdart-dev libdart-external-ikfast-dev \
        libdart-external-odelcpsolver-dev python3-matplotlib $npm
    npm install --silent --prefix "$out" @mujoco/mujoco || echo "peers: npm could not install @mujoco/mujoco"
fi
cmake -S "$root/tools/peers" -B "$out/build" -DMUJOCO3_ROOT="${MUJOCO3_ROOT:-}" >"$out/build.log" 2>&1 ||
    { cat "$out/build.log"; exit 1; }
sed -n 's/^-- peers: //p' "$out/build.log"
echo "PhysX is left out: it runs in Choreonoid only, which is no program of one chain"
cmake --build "$out/build" -j 2 >"$out/build.log" 2>&1 || { cat "$out/build.log"; exit 1; }
node=${MUJOCO3_NODE:-$out/node_modules/@mujoco/mujoco/mujoco.js}
cd "$out/build"
rm -f peers*.json "$out/run.log"
measure() { # PROGRAM JSON [--only NAME]
    PEERS_NODE_PACKAGE=$node "./$1" $reduced ${3:+"$3" "$4"} "$2" 2>>"$out/run.log" || { cat "$out/run.log"; exit 1; }
}
measure peers peers1.json & # on the other core
if [ -n "${MUJOCO3_ROOT:-}" ]; then
    measure peers3 peers2.json
else
    echo "native MuJoCo 3 was not given (MUJOCO3_ROOT) and is left out"
fi
if [ ! -s "$node" ] || ! command -v node >/dev/null; then
    echo "MuJoCo 3 in node was not found (MUJOCO3_NODE, --install) and is left out"
elif [ -n "${MUJOCO3_ROOT:-}" ]; then
    measure peers_node peers3.json --only dcmotor
else
    measure peers_node peers3.json
fi
wait $!
# with the plots of the package that --install installs
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" "$root/tools/peers/page.py" "$out" peers[1-3].json
echo "peers: $out/peers.html"
