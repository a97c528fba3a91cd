#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/your_robot.md, word by word, against the installed tree: a block with a name is a file, a block
# of sh is run, and a block of text behind it is what it prints.
# usage: your_robot.sh BUILD SOURCES WORK PYTHON [--write]: --write puts what is printed into the page
set -eu
build=$1
page=$2/docs/your_robot.md
work=$3
rm -rf "$work"
mkdir -p "$work/here" "$work/bin"
ln -s "$4" "$work/bin/python3"
cmake --install "$build" --prefix "$work/prefix" >/dev/null

awk -v folder="$work" '
/^```/ && !inside {
    inside = 1
    kind = substr($1, 4)
    if ($2) { # written when its turn comes: a later block may write it anew
        file = folder "/" ++count ".file"
        print $2 > (folder "/" count ".name")
    } else
        file = kind == "sh" ? folder "/" ++count ".sh" : kind == "text" ? folder "/" count ".text" : ""
    if (file) printf "" > file
    next
}
/^```$/ { inside = 0; if (file) close(file); file = ""; next }
inside && file { print > file }
END { print count > (folder "/count") }' "$page"

export PATH="$work/prefix/bin:$work/bin:$PATH" PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
export PYTHONPATH="$work/prefix/lib/python3/dist-packages" LD_LIBRARY_PATH="$work/prefix/lib"
export PYTHONDONTWRITEBYTECODE=1
unset STICTION_LIBRARY_PATH STICTION_COMMAND STICTION_PYTHON
cd "$work/here"
failed=0
k=0
while [ $k -lt "$(cat ../count)" ]; do
    k=$((k + 1))
    if [ -e ../$k.name ]; then
        cp ../$k.file "$(cat ../$k.name)"
        continue
    fi
    sh -eu ../$k.sh >../$k.out 2>../$k.err || {
        echo "FAILED:"
        cat ../$k.sh ../$k.out ../$k.err
        exit 1
    }
    if [ -e ../$k.text ] && ! diff ../$k.text ../$k.out >../$k.diff; then
        echo "the page (<) does not say what is printed (>):"
        cat ../$k.sh ../$k.diff
        failed=1
    fi
done
[ "${5:-}" = --write ] && awk -v folder="$work" '
/^```/ && !inside {
    inside = 1
    print
    if (substr($1, 4) == "sh" || $2) count++
    if ($1 == "```text") { while ((getline line < (folder "/" count ".out")) > 0) print line; skip = 1 }
    next
}
/^```$/ { inside = 0; skip = 0 }
!skip { print }' "$page" >"$work/page" && cp "$work/page" "$page"
# the engine's library writes results; stiction report makes a page of them
[ -s loop_c/summary.json ] || { echo "there are no results in loop_c"; failed=1; }
for folder in ours/arm mine/arm python/arm loop_python work/results/arm; do
    [ -s "$folder/report.html" ] || { echo "there is no report in $folder"; failed=1; }
done
exit $failed
