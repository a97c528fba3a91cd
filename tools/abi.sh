#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the interface of the libraries with the one recorded in capi/abi: docs/abi.md.
set -eu

usage() {
    cat <<'END'
usage: abi.sh check|record [--only NAME] [--sources DIR]

Compares the interface of libstiction, libstiction_engine and of controllers
(names, versions of symbols, types of public headers) with that of capi/abi.

  check   0: the same, or only more, which is printed; 1: programs that are built
          already would break; 77: abidw or abidiff (abigail-tools) is missing
  record  writes capi/abi anew

  --only NAME     libstiction, libstiction_engine or controller
  --sources DIR   of another tree
CC names the compiler.
END
}

root=$(cd "$(dirname "$0")/.." && pwd)
what= only='libstiction libstiction_engine controller'
while [ $# -gt 0 ]; do
    case $1 in
    check | record) what=$1 ;;
    --only)
        only=$2
        shift
        ;;
    --sources)
        root=$(cd "$2" && pwd)
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift
done
[ -n "$what" ] || {
    usage >&2
    exit 2
}
for tool in abidw abidiff; do
    command -v $tool >/dev/null || { echo "skipped: $tool (abigail-tools) is not installed"; exit 77; }
done
[ "$(getconf LONG_BIT)" = 64 ] || { echo "skipped: the recorded interface is for 64-bit machines"; exit 77; }

recorded=$root/capi/abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
headers="capi/include joint_models/include plugin/engine/include plugin/controllers/include"

# dump NAME FLAGS_AND_SOURCES: writes the interface of a library to $work/NAME.abi. It is built here with
# debug information, which has its types; of the engine only the files with exported functions.
dump() {
    name=$1
    shift
    include="-I$root -I$root/capi -I$root/plugin -I$root/plugin/engine -I$root/tools"
    folders=
    for folder in $headers; do
        include="$include -I$root/$folder"
        folders="$folders --headers-dir $root/$folder"
    done
    # shellcheck disable=SC2086 # lists of words
    ${CC:-cc} -std=gnu11 -g -O0 -w -fPIC -fvisibility=hidden -shared -DSTICTION_VERSION='"0"' \
        $include "$@" -o "$work/$name.so"
    # shellcheck disable=SC2086
    abidw --no-architecture --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed \
        --no-parameter-names --no-write-default-sizes --type-id-style hash --drop-undefined-syms \
        --exported-interfaces-only --drop-private-types $folders "$work/$name.so" \
        --out-file "$work/$name.abi"
}
# soname FILE: the number that CMake gives the library
soname() { sed -n 's/.*[^A-Z]SOVERSION \([0-9]*\).*/\1/p' "$root/$1"; }

cd "$root"
for name in $only; do
    case $name in
    libstiction)
        dump $name capi/*.c capi/document/*.c capi/implicit/*.c joint_models/*.c \
            joint_models/laws/*.c joint_models/fast/*.c joint_models/reference/*.c \
            joint_models/drive/*.c \
            -Wl,--version-script=capi/stiction.map \
            -Wl,-soname,libstiction.so."$(soname capi/CMakeLists.txt)"
        ;;
    libstiction_engine)
        dump $name plugin/engine/*.c -Wl,--version-script=plugin/engine/engine.map \
            -Wl,-soname,libstiction_engine.so."$(soname plugin/engine/CMakeLists.txt)"
        ;;
    controller) dump $name -DPOSTURE_IS_LIBRARY plugin/controllers/posture/posture_controller.c ;;
    *)
        echo "abi.sh: unknown library '$name'; see --help" >&2
        exit 2
        ;;
    esac
done

if [ "$what" = record ]; then
    mkdir -p "$recorded"
    cp "$work"/*.abi "$recorded"
    echo "recorded in capi/abi: $only"
    exit 0
fi

# Structs that begin with their size may grow at their end unless a function returns them by value,
# which would write beyond the struct of an older program.
for folder in $headers; do find "$root/$folder" -name "*.h" -exec cat {} +; done |
    awk '/^typedef struct/ { name = $3 } /^ +size_t size;/ && name { print name; name = "" }' >"$work/sized"
broken=0
for name in $only; do
    [ -f "$recorded/$name.abi" ] || { echo "$name: not recorded; run sh tools/abi.sh record"; exit 1; }
    status=0
    abidiff --redundant "$recorded/$name.abi" "$work/$name.abi" >"$work/difference" 2>&1 || status=$?
    if [ $((status & 3)) -ne 0 ]; then
        cat "$work/difference"
        exit 1
    fi
    if [ $status -eq 0 ]; then
        echo "$name: as recorded"
        continue
    fi
    verdict=$(awk '
    NR == FNR { sized[$1] = 1; next }
    /\[D\]|SONAME changed|deletion|offset changed|changed from|enumerator change|name changed|entity changed/ &&
        !/type size changed from/ { bad = 1 }
    /^  \[C\]/ { by_value = 0 }
    /return type changed:/ { by_value = 1 }
    /parameter [0-9]+ of type|in pointed to type/ { by_value = 0 }
    /.struct [a-z_]+. changed/ && by_value { bad = 1 }
    /.struct [a-z_]+. changed:/ { match($0, /struct [a-z_]+/); name = substr($0, RSTART + 7, RLENGTH - 7) }
    /type size changed from/ {
        for (k = 1; k <= NF; k++) if ($k == "from") size = $(k + 1) + 0
        if (!sized[name]) bad = 1
    }
    /, at offset [0-9]+/ {
        match($0, /at offset [0-9]+/)
        if (substr($0, RSTART + 10, RLENGTH - 10) + 0 < size) bad = 1
    }
    /with some .* change|sub-type change/ { changed = 1 }
    /type size changed from/ { grown = 1 }
    END { print bad || (changed && !grown) ? "broken" : "more" }' "$work/sized" "$work/difference")
    cat "$work/difference"
    if [ "$verdict" = more ]; then
        echo "$name: additions only; to record them: sh tools/abi.sh record"
    else
        broken=1
        echo "$name: existing programs would break. If this is intended, raise the version number of the"
        echo "library (docs/abi.md) and record it: sh tools/abi.sh record"
    fi
done
exit $broken
