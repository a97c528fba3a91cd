# SPDX-License-Identifier: MIT
# Sourced by the cases: makes projects, runs them headlessly in the installed Choreonoid, reads the
# results. Expects CHOREONOID (the program), PLUGINS (our build's plugin folder), CUSTOMIZER (ours),
# STICTION (the command), SOURCES, SHARE (Choreonoid's own models).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Choreonoid's settings: two programs at once would read each other's half-written file
export HOME="$work"
failures=0
# of Choreonoid: 2.4
version=$(basename "$SHARE")
version=${version#choreonoid-}

# Choreonoid loads neither of two copies of our plugin and then waits for ever; an installed one cannot
# be left out
installed=$(find "$(dirname "$CHOREONOID")"/../lib*/choreonoid-* -name libCnoidStictionPlugin.so \
    2>/dev/null | head -n 1)
if [ -n "$installed" ] && [ -n "$(find "$PLUGINS/libCnoidStictionPlugin.so" -newer "$installed")" ]; then
    printf 'failed: %s is older than the build and would be tested: install it again or remove it\n' "$installed"
    exit 1
fi
[ -z "$installed" ] || PLUGINS=

# needs_own_prefix: skips a case that installs the plugin elsewhere.
needs_own_prefix() {
    [ -z "$installed" ] || {
        printf 'skipped: %s would be a second copy\n' "$installed"
        exit 77
    }
}

fail() {
    printf 'failed: %s\n' "$*"
    failures=$((failures + 1))
}

# The end of a case file.
finish() {
    [ "$failures" -eq 0 ] || { tail -n 40 "$work/log"; exit 1; }
}

# needs_item NAME: skips the case where this Choreonoid has no such simulator item.
needs_item() {
    [ "$1" = AIST ] || ls "$(dirname "$CHOREONOID")"/../lib/choreonoid-*/libCnoid"$1"Plugin.* \
        >/dev/null 2>&1 || {
        printf 'skipped: this Choreonoid has no %s item\n' "$1"
        exit 77
    }
}

# choreonoid OUTDIR PROJECT: a batch run; its output is $work/log, its exit code the function's.
choreonoid() {
    CNOID_PLUGIN_PATH=$PLUGINS STICTION_BATCH=$1 QT_QPA_PLATFORM=offscreen \
        XDG_RUNTIME_DIR=$work LANG=${LOCALE:-C} timeout 1000 "$CHOREONOID" --no-window "$2" >"$work/log" 2>&1
}

# has_simulated PROCESS: waits until the Choreonoid that it started had some seconds of a processor,
# whatever else runs
has_simulated() {
    while kill -0 "$1" 2>/dev/null; do
        simulator=$(cut -d' ' -f1 "/proc/$1/task/$1/children" 2>/dev/null) || simulator=
        ticks=$(cut -d' ' -f14 "/proc/${simulator:-none}/stat" 2>/dev/null) || ticks=0
        [ "$ticks" -lt $((3 * $(getconf CLK_TCK))) ] || break
        sleep 0.05
    done
}

# figure FILE JOINT NAME: one number of summary.json, which has a figure a line.
figure() {
    awk -v joint="\"$2\": {" -v name="\"$3\":" '
        index($0, joint) { inside = 1 }
        inside && $1 == name { sub(/,$/, "", $2); print $2; exit }' "$1"
}

# near WHAT VALUE EXPECTED TOLERANCE
near() {
    printf '%s: %s (expected %s within %s)\n' "$1" "$2" "$3" "$4"
    # null, or nothing at all, is no number
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN {
        d = a - b; exit !(a ~ /^-?[0-9]/ && d <= t && -d <= t) }' ||
        fail "$1 is $2"
}

says() {
    grep -qF -- "$1" "$work/log" || fail "the output lacks: $1"
}

degrees() {
    awk -v x="$1" 'BEGIN { printf "%.6f", x * 45 / atan2(1, 1) }'
}

# project FILE: a project of one body. BODY: its file; CONTROLLER: options of the posture controller,
# or none; SIMULATOR: AIST, ODE, PhysX, ...; SECONDS_: how long; CONFIG: the friction, or none; ROOT_HEIGHT.
project() {
    controller=
    if [ "$CONTROLLER" != none ]; then
        controller="          children:
            - { id: 3, name: Controller, plugin: Body, class: SimpleControllerItem, data: {
                isNoDelayMode: true, controller: StictionPostureController,
                base_directory: \"Controller directory\",
                controllerOptions: \"$CONTROLLER\" } }"
    fi
    plugin=Body
    [ "$SIMULATOR" = AIST ] || plugin=$SIMULATOR
    stiction=
    if [ "$CONFIG" != none ]; then
        stiction="          children:
            - { id: 5, name: Stiction, plugin: Stiction, class: StictionItem, data: {
                enabled: true, configuration_file: \"$CONFIG\", ${ITEM:-record: true} } }"
    fi
    cat >"$1" <<PROJECT
items:
  id: 0
  name: Root
  plugin: Base
  class: RootItem
  children:
    -
      id: 1
      name: World
      plugin: Body
      class: WorldItem
      data: { collisionDetection: false, collision_detector: AISTCollisionDetector }
      children:
        -
          id: 2
          name: Robot
          plugin: Body
          class: BodyItem
          data:
            file: "$BODY"
            format: CHOREONOID-BODY
            rootPosition: [ 0, 0, ${ROOT_HEIGHT:-0} ]
            initialRootPosition: [ 0, 0, ${ROOT_HEIGHT:-0} ]
            ${POSE:-}
$controller
        -
          id: 4
          name: Simulator
          plugin: $plugin
          class: ${SIMULATOR}SimulatorItem
          data:
            time_step: 0.001
            realtime_sync_mode: off
            recording: off
            time_range_mode: specified
            time_length: $SECONDS_
$stiction
PROJECT
}

BODY=$SOURCES/sample_projects/wrist/wrist.body
CONFIG=$SOURCES/config/wrist.yaml
POSE="jointDisplacements: [ 0 ]" # to which every start resets it
SIMULATOR=AIST
SECONDS_=6
CONTROLLER="kp=20 kv=2 lambda=0 target=RWRR:90"
