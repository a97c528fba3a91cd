# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by command/coupling.sh and choreonoid/coupling.sh: robots whose coupling every host must
# decide alike. make_robots writes NAME.body and NAME.yaml and lists NAME and the coupling that auto
# takes at 1 ms, one robot a line. With coulomb_torque 1, K = 1000 and B = 10 explicit coupling is
# safe from 0.0105 kg m^2 (or kg) on.

# link NAME PARENT TYPE AXIS ID MASS X I MORE: a link whose mass is at X on its own x axis, with the
# inertia I about all axes there
link() {
    printf -- '  - { name: %s, parent: %s, joint_type: %s, joint_axis: %s, joint_id: %s, mass: %s, ' \
        "$1" "$2" "$3" "$4" "$5" "$6"
    printf 'center_of_mass: [ %s, 0, 0 ], inertia: [ %s, 0, 0, %s, 0, %s ], %s }\n' \
        "$7" "$8" "$8" "$8" "$9"
}

# body NAME [ROOT]: starts NAME.body; the links come from stdin
body() {
    {
        printf 'format: ChoreonoidBody\nformat_version: 2.0\nname: %s\nlinks:\n' "$1"
        printf -- '  - { name: BASE, %s }\n' "${2:-joint_type: fixed}"
        cat
    } >"$1.body"
}

# friction NAME JOINTS COUPLING [K B]: NAME.yaml, and the line of the list
friction() {
    cat >"$1.yaml" <<END
stiction: 1
models: [$1]
timestep: 0.001
joints:
  $2: { law: coulomb, coulomb_torque: 1, stiffness: ${4:-1000}, damping: ${5:-10} }
END
    printf '%s %s\n' "$1" "$3"
}

# one NAME INERTIA COUPLING [MORE OF THE LINK]
one() {
    link J BASE revolute Z 0 1 0 "$2" "${4:-joint_range: [ -90, 90 ]}" | body "$1"
    friction "$1" J "$3"
}

# slide_on_turn NAME X RANGE COUPLING: a turning joint that carries a slide with 1 kg at X
slide_on_turn() {
    {
        link TURN BASE revolute Z 0 0.1 0 0.004 'joint_range: [ -90, 90 ]'
        link SLIDE TURN prismatic X 1 1 "$2" 0.001 "$3"
    } | body "$1"
    friction "$1" TURN "$4"
}

make_robots() {
    one heavy 0.1 explicit
    one light 0.001 implicit
    one just_safe 0.01051 explicit
    one just_not_safe 0.01049 implicit
    one rotor 0.001 explicit 'joint_range: [ -90, 90 ], rotor_inertia: 1.0e-6, gear_ratio: 100'
    one wheel 0.02 explicit 'joint_range: unlimited'

    link J BASE prismatic X 0 1 0 0.001 'joint_range: [ -2, 2 ]' | body heavy_slider
    friction heavy_slider J explicit
    link J BASE prismatic X 0 0.005 0 0.001 'joint_range: [ -2, 2 ]' | body light_slider
    friction light_slider J implicit

    # the mass comes near the axis: at an end of the slide, within its range, never, and on a slide
    # without limits, which is tried 1 m either way
    slide_on_turn folds_at_end 2.02 'joint_range: [ -2, 0 ]' implicit
    slide_on_turn folds_within 0.43 'joint_range: [ -1, 2 ]' implicit
    slide_on_turn never_folds 2.3 'joint_range: [ -2, 0 ]' explicit
    slide_on_turn folds_without_limits 0.9 'joint_range: unlimited' implicit

    # only one place of two slides together makes the turning joint light; names and ids are in
    # different orders
    {
        link TURN BASE revolute Z 2 0.1 0 0.004 'joint_range: [ -90, 90 ]'
        link SECOND TURN prismatic Y 1 0.01 0 0.001 'joint_range: [ -2, 2 ], translation: [ 0, 0.9, 0 ]'
        link FIRST SECOND prismatic X 0 1 -0.7 0.001 'joint_range: [ -2, 2 ]'
    } | body table
    friction table TURN implicit 6000 60

    # joints that are stable by themselves and not together
    {
        link SHOULDER BASE revolute Z 0 1 0.5 0.01 'joint_range: [ -90, 90 ]'
        link ELBOW SHOULDER revolute Z 1 0.1 0.3 0.001 'joint_range: [ 0, 150 ], translation: [ 1, 0, 0 ]'
    } | body arm
    friction arm '"*"' implicit

    # a free root that is lighter than the arm on it
    link J BASE revolute Z 0 10 0 1 'joint_range: [ -90, 90 ]' |
        body floating 'joint_type: free, mass: 1, center_of_mass: [ 0, 0, 0 ], inertia: [ 0.005, 0, 0, 0.005, 0, 0.005 ]'
    friction floating J implicit

    # a law that cannot be implicit
    link J BASE revolute Z 0 1 0 0.0001 'joint_range: [ -90, 90 ]' | body literature
    friction literature J explicit
    sed -i 's/law: coulomb/law: dahl/' literature.yaml
}
