#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts the projects in a folder that run on the embedded engine for 0.2 s, and prints why the others do
# not. Choreonoid's own controllers cannot run there and are replaced (--controller posture).
# usage: choreonoid_projects.sh STICTION FOLDER [SHARE]
#   FOLDER  Choreonoid's source tree, or its share folder; all .cnoid below it are run
#   SHARE   value of ${SHARE} (default: FOLDER/share, else FOLDER)
# VERBOSE=1 also prints a line for each project.
set -eu
[ $# -ge 2 ] || { sed -n 's/^# //p' "$0"; exit 2; }
stiction=$(realpath "$1")
folder=$(realpath "$2")
share=${3:-$folder}
[ $# -ge 3 ] || [ ! -d "$folder/share" ] || share=$folder/share
share=$(realpath "$share")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# a tree of links, in which the copies stand beside what they name
cp -rs "$folder" "$work/tree" 2>/dev/null || true
cp -rs "$share" "$work/share" 2>/dev/null || true
# a build of Choreonoid makes this link; its source tree lacks it
[ -e "$work/share/WRS2018" ] || [ ! -d "$folder/sample/WRS2018" ] ||
    ln -s "$folder/sample/WRS2018" "$work/share/WRS2018"
export STICTION_CHOREONOID_SHARE="$work/share"

# The reason in a few words: the first row of which the sentence has the words.
reason_of() {
    while IFS='|' read -r words reason; do
        case $1 in *"$words"*) echo "$reason"; return ;; esac
    done <<'ROWS'
has no WorldItem|only a part of a project: it has no world
no simulator item|no simulator item in it
has no body in its world|only a part of a project: it has no world
is not a project|no project
the track '|tracks, whose surface moves
SimulatorItem '|an item that is not read acts on the bodies
SimScriptItem '|an item that is not read acts on the bodies
below a simulator is of an unknown class|an item that is not read acts on the bodies
dynamics_mode must be|no torques: the motion is prescribed (high-gain dynamics)
use_2d_mode|motion in a plane only (use_2d_mode)
no TimeBar has a max_time|its length is not in the file
.urdf' is not|a URDF as a body
diverged|diverges with a controller that holds it by torque, at its time step
No such file|a file is missing
must have|a mistake in one of its files
ROWS
    echo "${1##*: }"
}

# simulate PROJECT MORE...: a line of the log says why not.
simulate() {
    project=$1
    shift
    timeout 600 "$stiction" run "$project" --duration 0.2 --set friction=none --no-report --force \
        --out "$work/results" "$@" >"$work/log" 2>&1 && return
    code=$?
    sentence=$(grep -v -e '^warning: ' -e '^[^ ]*: warning: ' "$work/log" | grep -E ': |diverged' | head -n 1)
    [ $code -ne 124 ] || sentence="takes more than 60 s"
    return $code
}

cd "$work/tree"
find . -name '*.cnoid' | sort >"$work/list"
while read -r project; do
    sentence=
    if simulate "$project"; then
        reason="runs as it is"
    elif case $sentence in *"only Choreonoid can run"* | *"has a second controller"*) ;; *) false ;; esac &&
        simulate "$project" --controller posture; then
        reason="runs with a controller of ours"
    elif case $sentence in *"no body has joints"*) ;; *) false ;; esac &&
        simulate "$project" --controller none; then
        reason="runs without its controllers, which drive no joint"
    else
        reason=$(reason_of "$sentence")
    fi
    printf '%s\n' "$reason" >>"$work/reasons"
    [ -z "${VERBOSE:-}" ] || printf '%-60s %s\n' "$project" "${sentence:-$reason}"
done <"$work/list"

echo "$(grep -c '^runs ' "$work/reasons") of $(wc -l <"$work/list") projects run"
sort "$work/reasons" | uniq -c | sort -k1,1nr -k2
