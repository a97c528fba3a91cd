#!/bin/sh
# How many of the projects in a folder run on the embedded engine, and why the others do not.
# Controllers of Choreonoid's own cannot run there: each project runs without them, for 0.2 s.
# usage: choreonoid_projects.sh STICTION FOLDER [SHARE]
#   FOLDER  Choreonoid's source tree, or its share folder; all .cnoid below it are run
#   SHARE   what ${SHARE} stands for (default: FOLDER/share, else FOLDER)
# VERBOSE=1 prints a line for each project as well.
set -eu
[ $# -ge 2 ] || { sed -n 's/^# //p' "$0"; exit 2; }
stiction=$(realpath "$1")
folder=$(realpath "$2")
share=${3:-$folder}
[ $# -ge 3 ] || [ ! -d "$folder/share" ] || share=$folder/share
share=$(realpath "$share")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# a build of Choreonoid makes this link; its source tree lacks it
mkdir "$work/share"
ln -s "$share"/* "$work/share"
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
diverged|diverges without its controllers
which only Choreonoid can run|a controller of Choreonoid's on a body without joints
No such file|a file is missing
must have|a mistake in one of its files
ROWS
    echo "${1##*: }"
}

run() {
    timeout 60 "$stiction" run "$project" --set duration=0.2 --set friction=none --no-report \
        --force --out "$work/results" "$@" >"$work/log" 2>&1
}

cd "$folder"
find . -name '*.cnoid' | sort >"$work/list"
while read -r project; do
    code=0
    sentence=
    run --controller none || code=$?
    # where nothing can be driven, --controller is refused
    if grep -q 'no body has joints' "$work/log"; then
        code=0
        run || code=$?
    fi
    case $code in
    0) reason=runs ;;
    124) reason='takes more than 60 s' ;;
    *)
        sentence=$(grep -v '^warning: ' "$work/log" | grep -v '^[^ ]*: warning: ' |
            grep -E ': |diverged' | head -n 1)
        reason=$(reason_of "$sentence")
        ;;
    esac
    printf '%s\n' "$reason" >>"$work/reasons"
    [ -z "${VERBOSE:-}" ] || printf '%-60s %s\n' "$project" "${sentence:-$reason}"
done <"$work/list"

count=$(grep -cx runs "$work/reasons" || true)
echo "$count of $(wc -l <"$work/list") projects run"
grep -vx runs "$work/reasons" | sort | uniq -c | sort -k1,1nr -k2
