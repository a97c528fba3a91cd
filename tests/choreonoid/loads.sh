# SPDX-License-Identifier: MIT
# What the item tells friction of a step in every simulator item that is installed: a lever under
# gravity breaks away where BAM's parameters of its drive say, forwards and backwards, and the
# external torque is that of gravity, whatever holds it.
. "$(dirname "$0")/lib.sh"
export STICTION_CHOREONOID="$CHOREONOID" CNOID_PLUGIN_PATH="$PLUGINS" XDG_RUNTIME_DIR="$work" LANG=C

# 2 N m of gravity, 9.80665 m/s^2, against the joint's direction
cat >"$work/lever.body" <<'BODY'
format: ChoreonoidBody
format_version: 2.0
name: Lever
links:
  - { name: BASE, joint_type: fixed }
  - name: LEVER
    parent: BASE
    joint_name: J
    joint_type: revolute
    joint_id: 0
    joint_axis: [ 0, -1, 0 ]
    joint_range: [ -170, 170 ]
    max_joint_effort: 100
    rotor_inertia: 0.026
    gear_ratio: 1
    mass: 1.0197162129779282
    center_of_mass: [ 0.2, 0, 0 ]
    inertia: [ 0.001, 0, 0, 0, 0.001, 0, 0, 0, 0.001 ]
    elements: { Shape: { geometry: { type: Box, size: [ 0.1, 0.1, 0.1 ] } } }
BODY
# mx106, M5
cat >"$work/mx106.yaml" <<'YAML'
stiction: 1
coupling: explicit
models: [ Lever ]
joints:
  J:
    law: stribeck
    static_torque: 0.12242747198633219
    coulomb_torque: 1.8812712661235184e-10
    stribeck_velocity: 1.7457130513692263
    stribeck_exponent: 1.138313248724122
    viscous: 0.05066487276724427
    load_motor: 0.20763710226562626
    load_external: 0.022684350817709906
    load_motor_static: 0.19519320110890795
    load_external_static: 0.08490162305974122
    load_limit: 20
    stiffness: 2000
    damping: 20
YAML

# column FOLDER NAME: its number
column() {
    awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) print k }' "$1/joints.csv"
}
# breaks_away FOLDER: the command in the first row in which it slips, N m
breaks_away() {
    awk -F, -v stick="$(column "$1" J.stick)" -v command="$(column "$1" J.command)" \
        'NR > 10 && $stick == 0 { print $command; exit }' "$1/joints.csv"
}
# external FOLDER: the torque it was told farthest from -2 N m while it stuck
external() {
    awk -F, -v stick="$(column "$1" J.stick)" -v e="$(column "$1" J.external_torque)" \
        'NR > 10 && $stick == 0 { exit }
         NR > 10 && ($e + 2) ^ 2 >= worst ^ 2 { worst = $e + 2 } END { printf "%.9f", worst - 2 }' "$1/joints.csv"
}

BODY=$work/lever.body CONFIG=$work/mx106.yaml SECONDS_=98 ITEM=
# ramp NAME FROM_2_TO RATE
ramp() {
    SECONDS_=$(awk -v to="$2" 'BEGIN { d = to - 2; print (d < 0 ? -d : d) / 0.02 }')
    CONTROLLER="mode=torque shape=ramp from=2 target=$2 duration=$SECONDS_"
    project "$work/$1.cnoid"
}
for SIMULATOR in AIST ODE PhysX MuJoCo; do
    (needs_item $SIMULATOR) || continue
    ramp drive 3.97
    ramp back 1.13
    # PhysX counts with single precision: the momentum of a step is a torque
    precision=1e-6
    [ $SIMULATOR != PhysX ] || precision=1e-5
    for coupling in explicit implicit; do
        "$STICTION" run "$work/drive.cnoid" "$work/back.cnoid" --engine choreonoid \
            --out "$work/out" --force --no-report --set coupling="$coupling" --interval 0.005 \
            >"$work/log" 2>&1 || fail "$SIMULATOR does not run"
        near "$SIMULATOR $coupling drives at, N m" "$(breaks_away "$work/out/drive")" 3.9145 0.01
        near "$SIMULATOR $coupling is driven at, N m" "$(breaks_away "$work/out/back")" 1.1850 0.01
        near "$SIMULATOR $coupling external torque, N m" "$(external "$work/out/drive")" -2 $precision
    done
done

# all that a drive has at once, on both engines
cat >"$work/drive.yaml" <<'YAML'
stiction: 1
element: bristle
models: [ Lever ]
joints:
  J: { law: stribeck, static_torque: 0.5, coulomb_torque: 0.3, stribeck_velocity: 0.3, viscous: 0.5,
       stiffness: 2000, damping: 20, load_motor: 0.05, load_external: 0.1, thermal_resistance: 8,
       thermal_time: 2, temperature_level: -0.003, temperature_viscous: 0.01, ripple: 0.2,
       ripple_count: 5, reverse_factor: 1.2, reverse_viscous_factor: 0.8, lag: 0.01, presliding_torque: [ 0.05, 0.1 ],
       presliding_stiffness: [ 3000, 2000 ] }
YAML
CONFIG=$work/drive.yaml SIMULATOR=AIST SECONDS_=1.5
CONTROLLER="mode=torque shape=sine target=2 amplitude=1.2 frequency=1"
project "$work/all.cnoid"
for coupling in explicit implicit; do
    for engine in mujoco choreonoid; do
        "$STICTION" run "$work/all.cnoid" --engine $engine --out "$work/$engine" --force --no-report \
            --set coupling=$coupling --set gravity=9.80665 >"$work/log" 2>&1 || fail "$engine does not run"
    done
    for name in final_position peak_temperature least_level peak_level; do
        near "$coupling $name" "$(figure "$work/choreonoid/all/summary.json" J $name)" \
            "$(figure "$work/mujoco/all/summary.json" J $name)" 1e-9
    done
    awk -v q="$(figure "$work/mujoco/all/summary.json" J final_position)" \
        -v t="$(figure "$work/mujoco/all/summary.json" J peak_temperature)" \
        'BEGIN { exit !(q * q > 0.001 && t > 25.5) }' || fail "$coupling: it did not move"
done
finish
