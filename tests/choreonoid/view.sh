# SPDX-License-Identifier: MIT
# The Stiction view in Choreonoid's window, driven by a plugin of the test (view/): values are looked
# at, edited while the simulation runs, refused, undone and written into the file.
. "$(dirname "$0")/lib.sh"
command -v xvfb-run >/dev/null || {
    echo "skipped: there is no xvfb-run to show a window in"
    exit 77
}
cp "$SOURCES/config/wrist.yaml" "$work/wrist.yaml"
CONFIG=$work/wrist.yaml
project "$work/wrist.cnoid"
sed -i 's/time_range_mode: specified/time_range_mode: unlimited/; s/realtime_sync_mode: off/realtime_sync_mode: true/' \
    "$work/wrist.cnoid"

# Choreonoid's exit code is 1 where its message view has had an error, which wrong values are; that of
# xvfb-run is not it where the X server is slow to end
echo none >"$work/code"
STICTION_VIEW_FILE=$CONFIG CNOID_PLUGIN_PATH=$PLUGINS:$VIEW_TEST XDG_RUNTIME_DIR=$work LANG=C LIBGL_ALWAYS_SOFTWARE=1 \
    timeout 1000 xvfb-run -a -s "-screen 0 1400x900x24" sh -c '"$@"; echo $? >"$0"' "$work/code" \
    "$CHOREONOID" "$work/wrist.cnoid" >"$work/log" 2>&1 || true
code=$(cat "$work/code")
case $code in 0 | 1) ;; *) fail "exit code $code" ;; esac
says "view: 0 failures"
grep '^failed:\|friction after' "$work/log" || true

# what was edited stands in the file, and nothing else was changed
sed -e 's/RWRR: { profile: wrist_stribeck }/RWRR: { profile: wrist_stribeck, law: rational, viscous: 5.25 }/' \
    "$SOURCES/config/wrist.yaml" >"$work/expected.yaml"
diff "$work/expected.yaml" "$work/wrist.yaml" || fail "the file is not as edited"
finish
