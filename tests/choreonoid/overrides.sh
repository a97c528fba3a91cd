# SPDX-License-Identifier: MIT
# A batch run can override the project; what it cannot do is an error and exit
# code 1. Also: how far it is.
. "$(dirname "$0")/lib.sh"
wrist=$SOURCES/sample_projects/wrist/wrist.cnoid

# run_with OUTDIR VARIABLE=VALUE...: the sample project with overrides.
run_with() {
    out=$work/$1
    shift
    (export "$@" && choreonoid "$out" "$wrist")
}

# refused SENTENCE VARIABLE=VALUE...
refused() {
    message=$1
    shift
    if run_with refused "$@"; then fail "$* was not refused"; fi
    says "$message"
}

# gains, target, step, time, one simulator, no friction: without it the joint reaches its target,
# within what exp(-4.4 s^-1 t) leaves after 6.5 s
run_with free STICTION_SIMULATOR=ODESimulator STICTION_FRICTION=none STICTION_TIMESTEP=0.002 \
    STICTION_TIME=6.5 "STICTION_CONTROLLER=kv=9 target=30" || fail "exit code $?"
[ "$(ls "$work/free")" = ODESimulator ] || fail "not the one simulator: $(ls "$work/free")"
summary=$work/free/ODESimulator/summary.json
near "free stop angle, deg" "$(degrees "$(figure "$summary" RWRR final_position)")" 30 1e-6
near "free peak torque of kp 20 and 30 deg, N m" "$(figure "$summary" RWRR peak_torque)" \
    1.7540 0.0001 # 0.1675 kg m^2 20 s^-2 30 deg
grep -q '"timestep": 0.002' "$summary" || fail "the time step is not overridden"
[ "$(wc -l <"$work/free/ODESimulator/joints.csv")" -eq 3251 ] || fail "not 3250 rows"
grep -q '"law": "none"' "$summary" || fail "friction is not off"

# another configuration, another law
sed 's/coulomb_torque: 0.4 /coulomb_torque: 0.75 /' "$SOURCES/config/wrist.yaml" >"$work/other.yaml"
run_with law STICTION_SIMULATOR=AISTSimulator "STICTION_CONFIGURATION=$work/other.yaml" \
    STICTION_LAW=coulomb || fail "exit code $?"
grep -q '"law": "coulomb", "coulomb_torque": 0.75' "$work/law/AISTSimulator/summary.json" ||
    fail "the law or the configuration is not overridden"

# friction that is drawn: the numbers of the seed, which are those of every engine
sed 's/static_torque: 2.5 /static_torque: {uniform: [2.0, 3.0]} /' "$SOURCES/config/wrist.yaml" \
    >"$work/drawn.yaml"
run_with drawn STICTION_SIMULATOR=AISTSimulator "STICTION_CONFIGURATION=$work/drawn.yaml" \
    STICTION_OVERRIDE=seed=42 STICTION_TIME=0.01 || fail "exit code $?"
summary=$work/drawn/AISTSimulator/summary.json
grep -q '"static_torque": 2.4048206948015691' "$summary" || fail "not the numbers of seed 42"
grep -q '"seed": 42' "$summary" || fail "the results do not have the seed"

# an item that is off leaves a run without friction, with results
ITEM="enabled: false"
project "$work/off.cnoid"
sed -i 's/enabled: true, //' "$work/off.cnoid"
choreonoid "$work/off" "$work/off.cnoid" || fail "exit code $?"
grep -q '"law": "none"' "$work/off/Simulator/summary.json" || fail "an item that is off acts"

# how far it is: at the start, each second of the clock, at the end
run_with progress STICTION_SIMULATOR=AISTSimulator STICTION_TIME=8 STICTION_PROGRESS=1 ||
    fail "exit code $?"
grep -Eq '^stiction: progress [0-9.e-]+ 8$' "$work/log" || fail "no progress was printed"
near "last progress, s" "$(awk '/^stiction: progress/ { t = $3 } END { print t }' "$work/log")" 8 0.002

refused "has no simulator item 'AIST'; it has AISTSimulator, ODESimulator" STICTION_SIMULATOR=AIST
refused "STICTION_TIME must be a number above 0 (s), not '3s'" STICTION_TIME=3s
refused "duration 0.0001 s is shorter than a time step, 0.001 s" STICTION_TIME=0.0001
refused "STICTION_TIMESTEP must be a number above 0 (s), not '-1'" STICTION_TIMESTEP=-1
refused "STICTION_LAW: there is no law 'coulumb'; there are" STICTION_LAW=coulumb
refused "STICTION_FRICTION can only be none, not 'off'" STICTION_FRICTION=off
refused "three numbers such as \"0 0 -9.8\" (m/s^2), not '0 0'" "STICTION_GRAVITY=0 0"
refused "STICTION_GRAVITY: only an AISTSimulatorItem can change it, not ODESimulator" \
    "STICTION_GRAVITY=0 0 -1" STICTION_SIMULATOR=ODESimulator
refused "STICTION_CONFIGURATION: nowhere.yaml cannot be used" STICTION_CONFIGURATION=nowhere.yaml
refused "option 'kpp': there is no such option; the nearest is 'kp'" STICTION_CONTROLLER=kpp=1
[ ! -e "$work/refused" ] || fail "results of a run that was refused"

# gravity across an eccentric joint, which the controller knows of: it reaches its target, where it
# holds 2 kg at 0.1 m
sed 's/center_of_mass: \[ 0, 0, 0 \]/center_of_mass: [ 0.1, 0, 0 ]/' "$BODY" >"$work/eccentric.body"
BODY=$work/eccentric.body
project "$work/eccentric.cnoid"
wrist=$work/eccentric.cnoid
run_with gravity STICTION_FRICTION=none "STICTION_GRAVITY=0 -5 0" \
    "STICTION_CONTROLLER=kv=9 target=60" || fail "exit code $?"
summary=$work/gravity/Simulator/summary.json
near "stop angle under gravity, deg" "$(degrees "$(figure "$summary" RWRR final_position)")" 60 1e-6
near "torque against gravity, N m" "$(figure "$summary" RWRR final_torque)" 0.5 1e-6

CONTROLLER=none
project "$work/none.cnoid"
wrist=$work/none.cnoid
refused "STICTION_CONTROLLER: no body has a StictionPostureController" STICTION_CONTROLLER=kp=1
finish
