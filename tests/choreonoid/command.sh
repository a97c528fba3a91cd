# SPDX-License-Identifier: MIT
# `stiction run --engine choreonoid`: what it hands on, what it keeps away from Choreonoid, and its
# messages about failures.
. "$(dirname "$0")/lib.sh"
export STICTION_CHOREONOID="$CHOREONOID" CNOID_PLUGIN_PATH="$PLUGINS" XDG_RUNTIME_DIR="$work" LANG=C

# ours PROJECT [OPTION...]: into $work/results, which the run before it leaves empty
ours() {
    rm -rf "$work/results"
    timeout 1000 "$STICTION" run --engine choreonoid --no-report --out "$work/results" "$@" \
        >"$work/out" 2>"$work/log"
}
# refused SENTENCE PROJECT [OPTION...]: it is the last line, and there are no results
refused() {
    message=$1
    shift
    if ours "$@"; then fail "$* was not refused"; fi
    tail -n 1 "$work/log" | grep -qF -- "$message" || fail "the last line lacks: $message"
    [ -z "$(find "$work/results" -name summary.json)" ] || fail "results of a run that was refused"
}

SECONDS_=0.2
project "$work/short.cnoid"

# variables of the shell are not the user's --set
(
    export STICTION_LAW=lugre STICTION_OVERRIDE=joints.RWRR.viscous=40 STICTION_TIMESTEP=0.002
    export STICTION_CONTROLLER=kp=1 STICTION_FRICTION=none STICTION_INTERVAL=0.1 STICTION_TIME=1
    export STICTION_REPEAT=2 STICTION_CONFIGURATION=nowhere.yaml "STICTION_GRAVITY=0 0 1"
    export STICTION_SIMULATOR=Nobody STICTION_REPLACED=law=none
    ours "$work/short.cnoid"
) || fail "exit code $?"
mv "$work/results/short/summary.json" "$work/inherited.json"
ours "$work/short.cnoid" || fail "exit code $?"
cmp "$work/inherited.json" "$work/results/short/summary.json" || fail "variables of the shell act"

# a file that a controller leaves comes along
(cd "$work" && ours "$work/short.cnoid" --controller "$BUILD/tests/controllers/faulty.so:leave") ||
    fail "exit code $?"
grep -q left "$work/results/short/left.bin" || fail "the file that the controller left is lost"

# the plugin's message is the last one, here and in sweeps
refused "override joints.RWRP.viscous=4: no joint with friction is called 'RWRP'; the nearest is 'RWRR'" \
    "$work/short.cnoid" --set joints.RWRP.viscous=4
refused "option 'target': joint 'RWRP': the robot has no such joint" "$work/short.cnoid" --set controller.target=RWRP:1
refused "duration 0.0001 s is shorter than a time step, 0.001 s" \
    "$work/short.cnoid" --set duration=0.0001
printf 'sweep: 1\nprojects: [short.cnoid]\nengine: choreonoid\nset: { joints.RWRR.static_torque: [2.5, 0.1] }\n' \
    >"$work/sweep.yaml"
if "$STICTION" sweep "$work/sweep.yaml" --out "$work/swept" >"$work/out" 2>"$work/log"; then
    fail "a failed run is exit code 0"
fi
cat "$work/out" >>"$work/log"
says "joint 'RWRR': static_torque 0.1 is below coulomb_torque 0.4"

# mistakes of the project are reported as on the embedded engine, with their place
# changed EXPRESSION: $work/changed.cnoid, the project with a change of sed
changed() {
    sed "$1" "$work/short.cnoid" >"$work/changed.cnoid"
    ! cmp -s "$work/short.cnoid" "$work/changed.cnoid" || fail "nothing was changed by $1"
}
changed 's/enabled: true/enabld: true/'
refused "StictionItem 'Stiction': there is no key 'enabld'; the nearest is 'enabled'" "$work/changed.cnoid"
changed 's/record: true/law: lugree/'
refused "StictionItem 'Stiction': there is no law 'lugree'; the nearest is 'lugre'" "$work/changed.cnoid"
changed 's/record: true/coupling: [ explicit ]/'
refused "coupling must be a single value, not a list" "$work/changed.cnoid"
changed 's/plugin: Stiction/plugin: Stictoin/'
refused "no such item in the plugin 'Stictoin'; its plugin is Stiction" "$work/changed.cnoid"
if choreonoid "$work/direct" "$work/changed.cnoid"; then fail "an unknown plugin was not reported"; fi
says "no such item in the plugin 'Stictoin'; its plugin is Stiction"
changed 's/AISTSimulatorItem/AISTSimulatorIten/'
refused "is of an unknown class, AISTSimulatorIten; the nearest is AISTSimulatorItem" "$work/changed.cnoid"
changed 's/StictionItem/StictionIten/; s/enabled: true/enabled: false/'
cat >>"$work/changed.cnoid" <<'MORE'
        - { id: 6, name: Other, plugin: Body, class: AISTSimulatorItem, data: { time_length: 0.1 } }
MORE
refused "is of an unknown class, StictionIten; the nearest is StictionItem" "$work/changed.cnoid" \
    --simulator Other
if STICTION_SIMULATOR=Other STICTION_TIME=0.1 choreonoid "$work/direct" "$work/changed.cnoid"; then
    fail "a misspelt item below another simulator was not reported"
fi
says "is of an unknown class, StictionIten; the nearest is StictionItem"
changed 's/time_range_mode: specified/time_range_mode: unlimited/'
refused "the simulator 'Simulator' runs without end; give --set duration=SECONDS" "$work/changed.cnoid"
changed 's/time_range_mode: specified/time_range_mode: sometimes/'
refused "time_range_mode must be one of unlimited, specified, timebar, not 'sometimes'" \
    "$work/changed.cnoid"
cp "$work/short.cnoid" "$work/idle.cnoid"
cat >>"$work/idle.cnoid" <<'MORE'
        - { id: 6, name: Idle, plugin: Stiction, class: StictionItem }
MORE
ours "$work/idle.cnoid" || fail "exit code $?"
grep -q "StictionItem 'Idle' is below no simulator item: it is not used" \
    "$work/results/idle/summary.json" || fail "an idle item is not in the warnings"

# several at once neither write nor disturb the settings of the user
mkdir -p "$work/.config/Choreonoid"
printf 'Base: { kept: true }\n' >"$work/.config/Choreonoid/Choreonoid.conf"
cp "$work/.config/Choreonoid/Choreonoid.conf" "$work/before.conf"
children=
for k in 1 2 3 4 5 6; do
    "$STICTION" run --engine choreonoid --no-report --out "$work/at_once$k" "$work/short.cnoid" \
        >"$work/out" 2>"$work/log$k" &
    children="$children $!"
done
for child in $children; do wait "$child" || fail "one of several at once: exit code $?"; done
cmp "$work/before.conf" "$work/.config/Choreonoid/Choreonoid.conf" || fail "settings were written"

# timeout(1) sends its signal to the command and to its group; its own clock is the alarm
SECONDS_=100000
project "$work/long.cnoid"
timeout 3600 "$STICTION" run --engine choreonoid --no-report --interval 1 --out "$work/timed" \
    "$work/long.cnoid" >"$work/out" 2>"$work/log" &
timeout=$!
command=
until [ -n "$command" ]; do
    command=$(cut -d' ' -f1 "/proc/$timeout/task/$timeout/children")
    sleep 0.05
done
has_simulated "$command"
kill -ALRM $timeout
wait $timeout && fail "it ran to its end"
grep -q '"complete": false' "$work/timed/long/summary.json" || fail "results are lost"
grep -q 'warning: the run was interrupted at ' "$work/out" || fail "the table does not say so"
finish
