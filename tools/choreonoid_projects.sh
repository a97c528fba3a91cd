#!/bin/sh
# How many of the projects in a folder run on the embedded engine, and why the others do not.
# Controllers of Choreonoid's own cannot run there: each project is run without its controllers,
# in a copy, for 0.2 s.
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

# a tree of links, in which the copies stand beside what they name
cp -rs "$folder" "$work/tree" 2>/dev/null || true
cp -rs "$share" "$work/share" 2>/dev/null || true
# a build of Choreonoid makes this link; its source tree lacks it
[ -e "$work/share/WRS2018" ] || [ ! -d "$folder/sample/WRS2018" ] ||
    ln -s "$folder/sample/WRS2018" "$work/share/WRS2018"
export STICTION_CHOREONOID_SHARE="$work/share"

# A project without its controller items, and without lists that are empty then.
cat >"$work/strip.awk" <<'AWK'
function indent(text) { match(text, /^ */); return RLENGTH }
function word(text) { gsub(/^ +| +$/, "", text); return text }
function end_of(k,    e) { # of the item that begins in line k
    for (e = k + 1; e <= NR && (word(line[e]) == "" || indent(line[e]) > indent(line[k])); e++) {}
    return e
}
{ sub(/\r$/, ""); line[NR] = $0 }
END {
    for (k = 1; k <= NR; k++) {
        if (word(line[k]) != "-" || gone[k]) continue
        for (i = k + 1; i < end_of(k) && word(line[i]) !~ /^class:/; i++) {}
        if (word(line[i]) ~ /^class: "?[A-Za-z]*Controller(Item)?"?$/)
            for (i = k + 0; i < end_of(k); i++) gone[i] = 1
    }
    for (k = 1; k <= NR; k++) {
        if (gone[k]) continue
        if (word(line[k]) == "children:") {
            for (i = k + 1; i <= NR && (gone[i] || word(line[i]) == ""); i++) {}
            if (i > NR || indent(line[i]) < indent(line[k]) ||
                (indent(line[i]) == indent(line[k]) && word(line[i]) !~ /^-/)) continue
        }
        print line[k]
    }
}
AWK

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
No such file|a file is missing
must have|a mistake in one of its files
ROWS
    echo "${1##*: }"
}

cd "$work/tree"
find . -name '*.cnoid' | sort >"$work/list"
while read -r project; do
    awk -f "$work/strip.awk" "$project" >"$work/stripped"
    rm -f "$project"
    cp "$work/stripped" "$project"
    if timeout 60 "$stiction" run "$project" --set duration=0.2 --set friction=none --no-report \
        --force --out "$work/results" >"$work/log" 2>&1; then
        reason=runs
    elif [ $? -eq 124 ]; then
        reason="takes more than 60 s"
    else
        sentence=$(grep -v '^warning: ' "$work/log" | grep -v '^[^ ]*: warning: ' |
            grep -E ': |diverged' | head -n 1)
        reason=$(reason_of "$sentence")
    fi
    printf '%s\n' "$reason" >>"$work/reasons"
    [ -z "${VERBOSE:-}" ] || printf '%-60s %s\n' "$project" "${sentence:-runs}"
    sentence=
done <"$work/list"

count=$(grep -cx runs "$work/reasons" || true)
echo "$count of $(wc -l <"$work/list") projects run"
grep -vx runs "$work/reasons" | sort | uniq -c | sort -k1,1nr -k2
