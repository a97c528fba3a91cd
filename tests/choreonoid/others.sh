# SPDX-License-Identifier: MIT
# Choreonoid's own projects and controllers, on one of its simulator items, with friction that
# `stiction init` makes for their robots and without: they run to their end, nothing stops being
# finite, and what friction takes from the joints is what it says it turned into heat.
# usage: others.sh ITEM
. "$(dirname "$0")/lib.sh"
item=$1
needs_item "$item"
[ -d "$SHARE/project" ] || {
    echo "skipped: this Choreonoid has no sample projects"
    exit 77
}
export STICTION_CHOREONOID="$CHOREONOID" CNOID_PLUGIN_PATH="$PLUGINS" XDG_RUNTIME_DIR="$work" LANG=C

# Projects whose controllers drive joints by effort: robot, time step, seconds
projects='
SR1Minimum      SR1/SR1.body                    0.001 2
SR1Walk         SR1/SR1.body                    0.002 3
SR1DHWalk       SR1/SR1DH.body                  0.002 3
SR1Liftup       SR1/SR1.body                    0.002 5
SR1WalkinHouse  SR1/SR1Hand.body                0.002 3
PA10Pickup      PA10/PA10.body                  0.001 5
UR5Pickup       UniversalRobots/UR5-2F85.body   0.001 4
Tank            Tank/Tank.body                  0.001 2
TankTutorial    Tank/Tank.body                  0.001 2
'
# Choreonoid's MuJoCo and PhysX items cannot use a flat mesh in Tank's surroundings, and say so.
refused='' reason=''
case $item in
MuJoCo) refused=Tank reason="MuJoCo: model compilation failed" ;;
PhysX) refused=Tank reason="TriangleMeshBuilder::cleanMesh: mesh cleaning removed all triangles" ;;
esac

# friction ROBOT TIMESTEP: a file for it; a gripper may be in the folder of another robot
friction() {
    file=$work/$(basename "$1" .body)_$2.yaml
    [ -f "$file" ] || "$STICTION" init "$SHARE/model/$1" --timestep "$2" \
        --out "$file" 2>"$work/log" ||
        fail "init $1"
    printf '%s\n' "$file"
}

# balance FOLDER: what went into friction and where it is, J, and whether friction's own account of its
# heat agrees. It counts with the velocity at the start of a step, the simulator moves with that at its
# end: the difference is T f dv, which adds up where feet hit the floor.
balance() {
    sed -n '/"energy":/s/[{,]/\n/gp' "$1/summary.json" | awk '
        { key = $1; gsub(/[":]/, "", key); value[key] = $2 + 0 }
        END {
            work = value["work_against_friction"]; heat = value["heat"]; reported = value["heat_by_friction"]
            printf "heat %.4g J (by friction %.4g), work %.4g J\n", heat, reported, work
            gap = heat - reported
            exit !(heat > 0 && gap < 0.03 * heat + 0.05 && -gap < 0.03 * heat + 0.05)
        }'
}

path_of() {
    [ "$1" = TankTutorial ] && echo "$work/TankTutorial.cnoid" || echo "$SHARE/project/$1.cnoid"
}

# simulator_of PROJECT: its first simulator of this item, or nothing: older releases have fewer
simulator_of() {
    [ ! -f "$(path_of "$1")" ] || awk -v class="${item}SimulatorItem" '
        $1 == "name:" { name = $2 }
        $1 == "class:" && $2 == class { gsub(/"/, "", name); print name; exit }' "$(path_of "$1")"
}

# run PROJECT SIMULATOR [OPTION...]
run() {
    path=$(path_of "$1")
    simulator=$2
    shift 2
    rm -rf "$work/results"
    timeout 1000 "$STICTION" run "$path" --engine choreonoid --simulator "$simulator" --no-report \
        --out "$work/results" "$@" >"$work/log" 2>&1
}

# the tutorial has no project that is installed, and its controllers only where they were built
ls "$(dirname "$CHOREONOID")"/../lib/choreonoid-*/simplecontroller/TankTutorial_TurretController2.so \
    >/dev/null 2>&1 || {
    echo "left out: the controllers of Choreonoid's tutorial are not installed"
    projects=$(printf '%s\n' "$projects" | grep -v TankTutorial)
}
BODY=$SHARE/model/Tank/Tank.body CONTROLLER=- SIMULATOR=$item CONFIG=none ROOT_HEIGHT=0.5 POSE="fix_root: true"
project "$work/TankTutorial.cnoid"
sed -i 's/StictionPostureController/TankTutorial_TurretController2/; s/controllerOptions: "-"/controllerOptions: ""/;
    s/name: Simulator/name: '"$item"'Simulator/' "$work/TankTutorial.cnoid"

printf '%s\n' "$projects" | sed '/^$/d' >"$work/projects"
while read -r project robot timestep seconds; do
    file=$(friction "$robot" "$timestep")
    simulator=$(simulator_of "$project")
    [ -n "$simulator" ] || { echo "left out: this Choreonoid has no $project with $item"; continue; }
    for source in none stiction; do
        code=0
        run "$project" "$simulator" --set configuration="$file" --set friction=$source \
            --set duration="$seconds" || code=$?
        if [ "$project" = "$refused" ]; then
            [ "$code" -ne 0 ] || fail "$project: ran after all"
            # its own reason is an error of the run
            says "stiction: Choreonoid says: $reason"
            continue
        fi
        [ "$code" -eq 0 ] || { fail "$project, friction $source: exit code $code"; continue; }
        if grep -qi 'nan\|inf' "$work/results/$project/joints.csv"; then
            fail "$project, friction $source: not finite"
        fi
        if [ $source = stiction ]; then
            joints=$(grep -c '"stiffness"' "$work/results/$project/summary.json")
            sum=$(balance "$work/results/$project") || fail "$project: energy is not kept"
            printf '%-6s %-14s %s joints with friction, %s\n' "$item" "$project" "$joints" "$sum"
        fi
        grep "^$project: warning: " "$work/log" | grep -v 'switched off' || true
    done
done <"$work/projects"

# joints without an id, which controllers do not see, have friction as well
simulator=$(simulator_of Ragdoll)
if [ -n "$simulator" ]; then
    run Ragdoll "$simulator" --set configuration="$(friction misc/ragdoll.body 0.001)" \
        --set duration=0.5 || fail "Ragdoll: exit code $?"
    [ "$(grep -c '"stiffness"' "$work/results/Ragdoll/summary.json")" -eq 22 ] ||
        fail "not every joint without an id has friction"
fi

# values of the file are replaced here as anywhere
simulator=$(simulator_of SR1Minimum)
if [ -n "$simulator" ]; then
    run SR1Minimum "$simulator" --set configuration="$(friction SR1/SR1.body 0.001)" \
        --set 'joints.*.viscous=1' --set duration=0.1 || fail "SR1Minimum with more viscosity: exit code $?"
    [ "$(grep -c '"viscous": 1,' "$work/results/SR1Minimum/summary.json")" -eq 29 ] ||
        fail "not every joint has the viscosity that was set"
fi

# A controller that drives its joints by position: reported once, with the joints and what to do.
simulator=${item}Simulator-Position
[ "$item$version" != AIST2.5 ] || simulator=AISTSimulator-HighGain
if [ "$item" != ODE ]; then
    run SR1Walk "$simulator" --set configuration="$(friction SR1/SR1.body 0.002)" \
        --set duration=0.5 || fail "SR1Walk by position: exit code $?"
    [ "$(grep -c '^warning: SR1: joints that are not driven by effort get no friction: RLEG_HIP_R,' "$work/log")" -eq 1 ] ||
        fail "joints that are driven by position are not reported once"
    says "and 21 more (driven by position). Drive them by effort: "
    says "warning: no joint has friction: no joint is driven by effort"
fi
finish
