# SPDX-License-Identifier: MIT
# The sample projects on a simulator item come to the figures of their expected.yaml, with friction
# from a StictionItem or from the customizer, and with true velocities whether or not the simulator
# gives them by itself.
# usage: matrix.sh ITEM item|customizer, with CHECK_EXPECTED beside what lib.sh expects
. "$(dirname "$0")/lib.sh"
item=$1 road=$2
needs_item "$item"

# Where an item may differ: item, project, quantity, the range of what is found (nan: it may have
# none). Why:
# - PhysX computes in single precision: a position near 1 is known to 1e-7, and what sticks wanders
#   by that much.
#   At 1.5 rad that is 1e-4 rad/s from step to step, which near the largest torque at rest makes
#   the joint give way little by little, and break away a little earlier.
# - In contact, PhysX's solver moves positions beside velocities, which jitter: a standing robot's
#   joints never seem to stop, and creep a little.
differences='
PhysX holding RWRR.final_position 4.49e-4 4.51e-4
PhysX holding *.creep -1e-6 1e-6
PhysX two_link *.drift 0 1e-5
PhysX wrist_integral_* *.creep -2e-4 2e-4
PhysX wrist_integral_stribeck RWRR.break_away* 14 42.3
PhysX humanoid_arms *.creep -1e-6 1e-6
PhysX humanoid_standing *.creep -2e-4 2e-4
PhysX humanoid_standing *.stop_time nan nan
PhysX finger *.creep -1e-6 1e-6
PhysX brakes *.creep -2e-4 2e-4
PhysX brakes *.stop_time nan nan
PhysX brakes *.stop_time 0 10
'

# On PhysX of 2.4 a robot that stands on its brakes slips again and again, which is reported, and fingers
# creep more. By its source, bodies without a material bounce there and the solver applies forces in each
# iteration, both of which 2.5 changed; that this is the reason was not shown.
[ "$item $version" != "PhysX 2.4" ] || differences="$differences
PhysX humanoid_arms *.creep -1e-4 1e-4
PhysX brakes *.final_position 39 43
PhysX brakes *.stick_slip_events 0 40
PhysX brakes *.creep nan nan
"

# What is read off friction itself is not there where the customizer has it. Its auto is explicit,
# which fingers are too light for: they are without friction there, and hang.
[ "$road" = item ] || differences="$differences
$item * *.creep nan nan
$item * *.stick_slip_events nan nan
$item humanoid_arms ?[TI]MP.final_position -100 100"

# Projects that are other robots on an item, which must be reported: ODE knows no rotor inertia, from which
# geared joints have most of theirs.
others=
[ "$item" != ODE ] || others="arm7 humanoid_arms humanoid_standing"
# Projects that need implicit coupling, and rotor inertia.
implicit="finger brakes"
[ "$road" = item ] && [ "$item" != ODE ] || implicit=

# allowed PROJECT QUANTITY FOUND
allowed() {
    printf '%s\n' "$differences" | while read -r of project quantity lowest highest; do
        [ "$of" = "$item" ] || continue
        # patterns of the table
        # shellcheck disable=SC2254
        case $1 in $project) ;; *) continue ;; esac
        # shellcheck disable=SC2254
        case $2 in $quantity) ;; *) continue ;; esac
        awk -v x="$3" -v a="$lowest" -v b="$highest" 'BEGIN {
            exit !(x == a || (x ~ /^[-+0-9]/ && a ~ /^[-+0-9]/ && x >= a + 0 && x <= b + 0)) }' &&
            echo yes
    done | grep -q yes
}

# Copies, with the friction file beside each project that it is for.
mkdir "$work/samples"
cp -r "$SOURCES/config" "$work"
cp "$SOURCES/sample_projects/floor.body" "$work/samples"
for folder in wrist wrist_integral holding arm7 two_link humanoid $implicit; do
    cp -r "$SOURCES/sample_projects/$folder" "$work/samples"
done

# run PROJECT...: a project each, since a customizer's files hold for the whole program
run() {
    CNOID_PLUGIN_PATH=$PLUGINS XDG_RUNTIME_DIR=$work LANG=C STICTION_CHOREONOID=$CHOREONOID \
        "$STICTION" run --engine choreonoid --simulator "${item}Simulator" --no-report \
        --out "$work/results" "$@" >"$work/log" 2>&1
}

# customize PROJECT: its StictionItems are off, and their file is the customizer's. Items other than
# AIST do not give it their time step.
customize() {
    friction=$(sed -n 's/.*configuration_file: "\(.*\)"/\1/p' "$1")
    sed 's/{ profile: finger }/{ law: none }/' "$(dirname "$1")/$friction" >"$1.yaml"
    grep -q '^timestep:' "$1.yaml" || printf 'timestep: 0.001\n' >>"$1.yaml"
    sed -i 's/enabled: true/enabled: false/' "$1"
    export CNOID_CUSTOMIZER_PATH="$CUSTOMIZER" STICTION_CONFIG="$1.yaml"
}

for name in $others; do
    file=$(ls "$work"/samples/*/"$name.cnoid")
    # it has no such item, either
    sed -i "s/PhysX/$item/g" "$file"
    if [ "$road" = item ]; then
        run "$file" --set duration=2 || fail "$item $name: exit code $?"
        says "against its friction, which then gave it energy"
        printf '%s %s: runs, and warns that its results are wrong\n' "$item" "$name"
    fi
    rm -f "$(dirname "$file")/expected.yaml" "$file"
done
if [ "$road" = item ]; then
    run "$work"/samples/*/*.cnoid || fail "exit code $?"
else
    for file in "$work"/samples/*/*.cnoid; do
        customize "$file"
        run "$file" || fail "$file: exit code $?"
        says "is StictionCustomizer's, which the results do not show"
    done
fi
folders=$(for file in "$work"/samples/*/expected.yaml; do dirname "$file"; done)
# shellcheck disable=SC2086
"$CHECK_EXPECTED" "$work/results" $folders >"$work/checked" || true
cat "$work/checked"
grep -q '[0-9] figures' "$work/checked" || fail "nothing was checked"
grep 'WRONG$' "$work/checked" >"$work/wrong" || true
while read -r line; do
    # shellcheck disable=SC2086
    set -- $line
    project=$1 quantity=$2
    while [ $# -gt 2 ]; do shift; done
    if allowed "$project" "$quantity" "$1"; then
        printf '%s may differ: %s %s is %s\n' "$item" "$project" "$quantity" "$1"
    else
        fail "$item: $project $quantity is $1"
    fi
done <"$work/wrong"
finish
