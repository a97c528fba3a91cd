# SPDX-License-Identifier: MIT
# Pushes of a project and of the user in every simulator item that is installed: a free body gains
# their impulse, a joint that is pulled holds below its static torque, however friction is coupled,
# and what cannot be pushed is refused.
. "$(dirname "$0")/lib.sh"
export STICTION_CHOREONOID="$CHOREONOID" CNOID_PLUGIN_PATH="$PLUGINS" XDG_RUNTIME_DIR="$work" LANG=C

cat >"$work/box.body" <<'BODY'
format: ChoreonoidBody
format_version: 2.0
name: Box
links:
  - name: BOX
    joint_type: free
    center_of_mass: [ 0, 0, 0 ]
    mass: 5
    inertia: [ 0.1, 0, 0, 0, 0.08, 0, 0, 0, 0.05 ]
    elements: { Shape: { geometry: { type: Box, size: [ 0.2, 0.3, 0.4 ] } } }
BODY
BODY=$work/box.body CONTROLLER=none POSE='' SECONDS_=0.5 CONFIG='' ROOT_HEIGHT=20
ITEM='pushes: [ { link: BOX, time: 0.1, duration: 0.1, force: [ 20, 0, 0 ] } ]'

# impulse FOLDER COLUMN: m v from the last 0.1 s, N s
impulse() {
    awk -F, -v column="$2" '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == column) at = k; next }
        { time[NR] = $1; x[NR] = $at }
        END { printf "%.9f", 5 * (x[NR] - x[NR - 100]) / (time[NR] - time[NR - 100]) }' "$1/joints.csv"
}
for SIMULATOR in AIST ODE PhysX MuJoCo; do
    (needs_item $SIMULATOR) || continue
    project "$work/$SIMULATOR.cnoid"
    case $version:$SIMULATOR in
    2.[23]:ODE | 2.[23]:PhysX | 2.4:ODE)
        ! "$STICTION" run "$work/$SIMULATOR.cnoid" --engine choreonoid --out "$work/refused" \
            >"$work/log" 2>&1 || fail "$SIMULATOR runs without the push"
        says "Simulator does not apply forces to links in Choreonoid $version: use AISTSimulator for pushes."
        continue ;;
    esac
    "$STICTION" run "$work/$SIMULATOR.cnoid" --engine choreonoid --out "$work/out" \
        --set push="name=side impulse=0,-3,0 time=0.3 duration=0.05" >"$work/log" 2>&1 ||
        fail "$SIMULATOR does not run"
    # PhysX counts with single precision
    near "$SIMULATOR: impulse along x, N s" "$(impulse "$work/out/$SIMULATOR" base.x)" 2 1e-4
    near "$SIMULATOR: impulse along y, N s" "$(impulse "$work/out/$SIMULATOR" base.y)" -3 1e-4
    grep -qF '"name": "side",' "$work/out/$SIMULATOR/summary.json" || fail "a push is not in the summary"
done

# what cannot be
refuses() {
    message=$1
    shift
    ! "$STICTION" run "$work/AIST.cnoid" --engine choreonoid --out "$work/refused" "$@" \
        >"$work/log" 2>&1 || fail "it ran with $*"
    says "$message"
}
refuses "body 'Robot' has no link 'LID'" --set push="link=LID force=1,0,0"
sed 's/force: \[ 20, 0, 0 \]/force: [ 20, .nan, 0 ]/' "$work/AIST.cnoid" >"$work/nan.cnoid"
! "$STICTION" run "$work/nan.cnoid" --engine choreonoid --out "$work/refused" >"$work/log" 2>&1 ||
    fail "it ran with nan"
says "nan.cnoid:"
says "force must be three finite numbers"

# the wrist, pulled at its hand: 0.9 F_S and 1.1 F_S of 2.5 N m
BODY=$SOURCES/sample_projects/wrist/wrist.body CONFIG=$SOURCES/config/wrist.yaml SIMULATOR=AIST
POSE="jointDisplacements: [ 0 ]" ROOT_HEIGHT=0 SECONDS_=2 ITEM=
project "$work/wrist.cnoid"
# pulled COUPLING SHARE ENGINE: where it is in the end, rad
pulled() {
    "$STICTION" run "$work/wrist.cnoid" --engine "$3" --out "$work/pulled" --force \
        --set coupling="$1" --set element=bristle --set gravity=0 \
        --set push="link=$LINK force=$AXIS point=$POINT ramp=1" --set push.force="$2" \
        >"$work/log" 2>&1 || fail "the pulled wrist does not run"
    figure "$work/pulled/wrist/summary.json" RWRR final_position
}
LINK=RWRR
AXIS=0,1,0 POINT=1,0,0
for case in explicit:2.75 implicit:2.25 implicit:2.75; do
    coupling=${case%:*} force=${case#*:}
    here=$(pulled $coupling $force choreonoid) there=$(pulled $coupling $force mujoco)
    near "$coupling, $force N m: angle less that of the embedded engine, rad" \
        "$(awk -v a="$here" -v b="$there" 'BEGIN { print a - b }')" 0 1e-9
    awk -v a="$here" -v f=$force 'BEGIN { a = a < 0 ? -a : a
        exit f < 2.5 ? !(a > 1e-4 && a < 2e-3) : !(a > 0.01) }' || fail "it does not hold or slip: $here"
done
finish
