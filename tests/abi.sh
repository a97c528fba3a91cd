#!/bin/sh
# SPDX-License-Identifier: MIT
# The interface is the recorded one; and the comparison sees what would break programs.
# usage: abi.sh SOURCE_ROOT
set -eu
root=$(cd "$1" && pwd)
status=0
sh "$root/tools/abi.sh" check || status=$?
[ $status -eq 0 ] || exit $status # 77: skipped

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# fresh: a copy of the sources to change, with the record of the interface as it is
fresh() {
    rm -rf "$work/copy"
    mkdir -p "$work/copy/plugin"
    cp -r "$root/capi" "$root/joint_models" "$root/tools" "$work/copy"
    cp -r "$root"/plugin/[!c]* "$root/plugin/controllers" "$work/copy/plugin"
    [ -d "$work/abi" ] && cp "$work"/abi/*.abi "$work/copy/capi/abi"
    cd "$work/copy"
}
# verdict NAME EXIT_CODE SENTENCE: what abi.sh must say of a library of the copy
verdict() {
    status=0
    sh "$root/tools/abi.sh" check --sources "$work/copy" --only "$1" >"$work/log" 2>&1 || status=$?
    [ $status -eq "$2" ] && grep -q "^$1: $3" "$work/log" && return 0
    echo "failed: $1 was to be '$3' with $2, and was, with $status:"
    cat "$work/log"
    exit 1
}
changed() { cmp -s "$root/$1" "$1" && echo "failed: $1 was not changed" && exit 1 || true; }

# additions may wait for their record; what is changed is compared with the interface of today
fresh
sh "$root/tools/abi.sh" record --sources "$work/copy" >/dev/null
mkdir "$work/abi"
cp capi/abi/*.abi "$work/abi"

# a new function
sed -i 's/^    stiction_abi_version;$/&\n    stiction_addition;/' capi/stiction.map
sed -i 's/^STICTION_API int stiction_abi_version(void);$/&\nSTICTION_API int stiction_addition(void);/' \
    capi/include/stiction/stiction.h
printf '#include "stiction/stiction.h"\nint stiction_addition(void) { return 1; }\n' >capi/addition.c
verdict libstiction 0 'additions only'
grep -q "Added function" "$work/log"
# a field at the end of a struct that says its size, and that hosts hand over
sed -i 's/^} stiction_controller_input;$/    double addition;\n&/' plugin/controllers/include/stiction/controller.h
changed plugin/controllers/include/stiction/controller.h
verdict controller 0 'additions only'

# a field in the middle
fresh
sed -i 's/^    double timestep; .*$/    double addition;\n&/' capi/include/stiction/state.h
changed capi/include/stiction/state.h
verdict libstiction 1 'existing programs would break'
awk '/^typedef struct stiction_controller_input/ { inside = 1 } { print }
    inside && /size_t size;/ { print "    double addition;"; inside = 0 }' \
    plugin/controllers/include/stiction/controller.h >changed.h
mv changed.h plugin/controllers/include/stiction/controller.h
changed plugin/controllers/include/stiction/controller.h
verdict controller 1 'existing programs would break'
# a field at the end of a struct that a function returns by value
sed -i 's/^} stiction_engine_def;$/    double addition;\n&/' plugin/engine/include/stiction/engine.h
changed plugin/engine/include/stiction/engine.h
verdict libstiction_engine 1 'existing programs would break'

# a function that goes; another number of the library
fresh
sed -i '/^    stiction_engine_gravity;$/d' plugin/engine/engine.map
changed plugin/engine/engine.map
verdict libstiction_engine 1 'existing programs would break'
grep -q "Removed function" "$work/log"
fresh
sed -i 's/SOVERSION 1/SOVERSION 9/' plugin/engine/CMakeLists.txt
changed plugin/engine/CMakeLists.txt
verdict libstiction_engine 1 'existing programs would break'
echo "what would break is seen"
