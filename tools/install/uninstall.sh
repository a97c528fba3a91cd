#!/bin/sh
# SPDX-License-Identifier: MIT
# Removes what `cmake --install` installed, by the list that it wrote: installed.txt.
set -eu

usage() {
    cat <<'END'
usage: uninstall.sh [--force] [--dry-run] [PREFIX]

Removes what `cmake --install` installed below PREFIX (default: where this file
lies), and the folders that were made for it if they are empty then. A file that
was changed since is kept and named; what others put there is never touched.

  --force          remove changed files, too
  --dry-run        say what would be removed
  --manifest FILE  the install_manifest.txt of a build folder tells PREFIX; this
                   is what the target `uninstall` does. DESTDIR is heeded
END
}

complain() {
    printf 'uninstall.sh: %s\n' "$*" >&2
    exit 1
}

force= dry= prefix= manifest=
while [ $# -gt 0 ]; do
    case $1 in
    --force) force=1 ;;
    --dry-run) dry=1 ;;
    --manifest)
        [ $# -gt 1 ] || complain "--manifest wants a file"
        manifest=$2
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    -*) complain "option '$1' is not known; see --help" ;;
    *) prefix=$1 ;;
    esac
    shift
done

# the list: named by the build's manifest, below the prefix, or beside this file
if [ -n "$manifest" ]; then
    [ -f "$manifest" ] || complain "$manifest is not there: this build was not installed"
    list=$(sed -n '\#/stiction/installed\.txt$#p' "$manifest")
    [ -n "$list" ] || complain "$manifest lists no installed.txt: only a part was installed"
    list=${DESTDIR:-}$list
    [ -f "$list" ] || complain "$list is not there: what was installed is removed already"
elif [ -n "$prefix" ]; then
    list=$prefix/share/stiction/installed.txt
    [ -f "$list" ] || complain "$list is not there: no stiction is installed below $prefix by cmake --install"
else
    list=$(dirname "$0")/installed.txt
    [ -f "$list" ] || complain "$list is not there; give the PREFIX"
fi
place=$(cd "$(dirname "$list")" && pwd -P)
list=$place/installed.txt
up=$(sed -n 's/^prefix  //p' "$list")
[ -n "$up" ] || complain "$list is not a list of installed files"
root=$(cd "$place/$up" && pwd -P)
parents=$(sed -n 's/^parents  \([0-9]*\)$/\1/p' "$list")

outside=$(sed -n -e '/^prefix  /d' -e 's/^[0-9a-z]*  \(.*\)$/\1/p' "$list" |
    grep -E '(^|/)\.\.(/|$)' | head -n 1) || true
[ -z "$outside" ] || complain "$list: the path '$outside' leads out of the prefix; nothing is removed"

# here PATH: where a path of the list is
here() {
    case $1 in
    .) printf '%s' "$root" ;;
    /*) printf '%s%s' "${DESTDIR:-}" "$1" ;;
    *) printf '%s/%s' "$root" "$1" ;;
    esac
}

kept=$(mktemp)
todo=$(mktemp)
trap 'rm -f "$kept" "$todo"' EXIT
removed=0

# away FILE
away() {
    if [ -n "$dry" ]; then printf 'would remove %s\n' "$1"; else rm -f "$1"; fi
    removed=$((removed + 1))
}

# the list and this file are the last to go
own=
grep -E '^([0-9a-f]{64}|link)  ' "$list" >"$todo" || true
while read -r sum path; do
    file=$(here "$path")
    case $file in "$place/uninstall.sh")
        own=$file
        continue
        ;;
    esac
    if [ "$sum" = link ]; then
        [ ! -L "$file" ] || away "$file"
        continue
    fi
    if [ -f "$file" ] && [ ! -L "$file" ] && [ -z "$force" ] &&
        [ "$(sha256sum <"$file" | cut -d ' ' -f 1)" != "$sum" ]; then
        printf '%s  %s\n' "$sum" "$path" >>"$kept"
        printf 'kept, since it was changed: %s\n' "$file"
        continue
    fi
    if [ -e "$file" ] || [ -L "$file" ]; then away "$file"; fi
    # what Python made of a file of ours
    case $file in *.py)
        for cache in "$(dirname "$file")/__pycache__/$(basename "$file" .py)".*.pyc; do
            [ ! -f "$cache" ] || away "$cache"
        done
        [ -n "$dry" ] || rmdir "$(dirname "$file")/__pycache__" 2>/dev/null || true
        ;;
    esac
done <"$todo"
[ -z "$dry" ] || exit 0

folders=$(sed -n 's/^folder  //p' "$list" | LC_ALL=C sort -r)
if [ -s "$kept" ]; then
    # what is left can be removed later
    { grep -Ev '^([0-9a-f]{64}|link)  ' "$list"; grep '  .*/uninstall\.sh$' "$list"; cat "$kept"; } >"$list.new"
    mv "$list.new" "$list"
else
    rm -f "$list" ${own:+"$own"}
    removed=$((removed + 2))
fi
# deepest first; "." is the prefix itself and sorts last
cd /
printf '%s\n' "$folders" | while read -r folder; do
    [ -n "$folder" ] || continue
    rmdir "$(here "$folder")" 2>/dev/null || true
done
above=$root
while [ "${parents:-0}" -gt 0 ] && [ ! -e "$root" ]; do
    above=$(dirname "$above")
    rmdir "$above" 2>/dev/null || break
    parents=$((parents - 1))
done
printf 'removed %s files from %s\n' "$removed" "$root"
if [ -s "$kept" ]; then
    printf '%s changed files are kept; sh %s/uninstall.sh --force removes them, too\n' \
        "$(wc -l <"$kept")" "$place"
fi
