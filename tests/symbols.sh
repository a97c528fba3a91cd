#!/bin/sh
# The public headers, the list capi/stiction.map and the shared library name the same functions;
# and every external symbol of the archive has our prefix.
# usage: symbols.sh SOURCE_ROOT libstiction.so libstiction_static.a
set -eu
root=$1
shared=$2
archive=$3
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

sed -n 's/^ *\(stiction_[a-z0-9_]*\);$/\1/p' "$root/capi/stiction.map" | sort >"$work/stiction.map"
# a declaration is STICTION_API, what is not a parenthesis, the name; comments have no STICTION_API
cat "$root"/capi/include/stiction/*.h "$root"/joint_models/include/stiction/models/*.h |
    grep -v '#define STICTION_API' | tr '\n' ' ' |
    grep -oE 'STICTION_API [^(;]*' | sed 's/.*[ *]//' | sort >"$work/headers"
nm -D --defined-only --with-symbol-versions "$shared" | awk '$2 != "A" {print $3}' |
    sed 's/@@*STICTION_[0-9.]*$//' | sort >"$work/libstiction.so"
[ -s "$work/headers" ] || { echo "no declaration was found in the headers"; failed=1; }
same stiction.map headers
same stiction.map libstiction.so

nm --defined-only --extern-only "$archive" 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u |
    grep -v '^stiction_' >"$work/foreign" || true
if [ -s "$work/foreign" ]; then
    echo "external symbols of the archive without the prefix stiction_:"
    cat "$work/foreign"
    failed=1
fi
exit $failed
