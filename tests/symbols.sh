#!/bin/sh
# SPDX-License-Identifier: MIT
# The public headers, the lists *.map and the shared libraries name the same functions; every symbol has
# our prefix and, in a library that others link with, a version; what others load shows the one symbol
# that they look for. The core calls nothing that prints, ends the program, starts another or talks to
# the network.
# usage: symbols.sh SOURCE_ROOT ARCHIVES SHARED_OBJECT...
set -eu
root=$1
archives=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# same A B: the lists A and B of the folder are equal.
same() {
    diff "$work/$1" "$work/$2" >"$work/difference" && return 0
    echo "$1 (<) and $2 (>) do not list the same:"
    cat "$work/difference"
    failed=1
}

# library FILE MAP VERSION HEADERS...: what it shows, what the list names, what the headers declare
library() {
    file=$1 map=$2 version=$3
    shift 3
    sed -n 's/^ *\(stiction_[a-z0-9_]*\);$/\1/p' "$map" | sort >"$work/$(basename "$map")"
    # a declaration is STICTION_API, what is not a parenthesis, the name; comments have no STICTION_API
    cat "$@" | grep -v '#define STICTION_API' | tr '\n' ' ' |
        grep -oE 'STICTION_API [^(;]*' | sed 's/.*[ *]//' | sort >"$work/headers"
    nm -D --defined-only --with-symbol-versions "$file" | awk '$2 != "A" {print $3}' |
        sed "s/@@*${version}_[0-9.]*\$//" | sort >"$work/$(basename "$file")"
    [ -s "$work/headers" ] || { echo "no declaration was found in the headers"; failed=1; }
    same "$(basename "$map")" headers
    same "$(basename "$map")" "$(basename "$file")"
}

# only FILE SYMBOL: it shows nothing else
only() {
    shown=$(nm -D --defined-only "$1" | awk '$2 != "A" {print $3}')
    [ "$shown" = "$2" ] && return 0
    echo "$1 shows, in place of $2 alone:"
    echo "$shown"
    failed=1
}

# quiet FILE: it takes none of these from others
quiet() {
    loud=$(nm -D --undefined-only "$1" | sed 's/@.*//; s/.* //' | grep -xE \
        '(__)?v?printf(_chk)?|puts|putchar|perror|stdout|stderr|syslog|_?exit|_Exit|abort|system|popen|v?fork|posix_spawnp?|exec[lv]p?e?|socket|socketpair|connect|bind|listen|accept4?|send(to|msg)?|recv(from|msg)?|getaddrinfo|gethostby.*|dlopen') || return 0
    echo "$1 calls" $loud
    failed=1
}

for file in "$@"; do
    case $(basename "$file") in
    libstiction.so*)
        library "$file" "$root/capi/stiction.map" STICTION "$root"/capi/include/stiction/*.h \
            "$root"/joint_models/include/stiction/models/*.h
        quiet "$file"
        ;;
    libstiction_engine.so*)
        library "$file" "$root/plugin/engine/engine.map" STICTION_ENGINE \
            "$root"/plugin/engine/include/stiction/*.h
        ;;
    libstiction_mujoco.so)
        library "$file" "$root/plugin/mujoco_plugin/mujoco_plugin.map" STICTION_MUJOCO \
            "$root"/plugin/mujoco_plugin/include/stiction/*.h
        ;;
    posture.so | whole_body.so) only "$file" stiction_controller ;;
    StictionCustomizer.so) only "$file" getHrpBodyCustomizerInterface ;;
    Stiction*Controller.so) only "$file" createSimpleController ;;
    libCnoidStictionPlugin.so) only "$file" getChoreonoidPlugin ;;
    *)
        echo "$file is installed, and nothing says what it may show"
        failed=1
        ;;
    esac
    echo "looked at $(basename "$file")"
done

# shellcheck disable=SC2086 # a list of words
nm --defined-only --extern-only $archives 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u |
    grep -v '^stiction_' >"$work/foreign" || true
if [ -s "$work/foreign" ]; then
    echo "external symbols of the archives without the prefix stiction_:"
    cat "$work/foreign"
    failed=1
fi
exit $failed
