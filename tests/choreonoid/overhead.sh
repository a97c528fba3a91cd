# SPDX-License-Identifier: MIT
# Prints what friction costs: 10 s of a 37-joint chain on the AIST simulator, without, with the
# customizer and with the item, in one run of this script. Figures, no verdict.
. "$(dirname "$0")/lib.sh"
{
    printf 'format: ChoreonoidBody\nformat_version: 2.0\nname: Chain\nroot_link: L0\nlinks:\n'
    printf '  - { name: L0, joint_type: fixed }\n'
    for k in $(seq 1 37); do
        printf '  - { name: L%d, parent: L%d, joint_type: revolute, joint_id: %d, joint_axis: Z,\n' \
            "$k" $((k - 1)) $((k - 1))
        printf '      translation: [ 0, 0, 0.1 ], elements: [ { type: RigidBody, mass: 1,\n'
        printf '      center_of_mass: [ 0, 0, 0 ], inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ] } ] }\n'
    done
} >"$work/chain.body"
{
    printf 'stiction: 1\nmodels: [Chain]\njoints:\n'
    for k in $(seq 1 37); do
        printf '  L%d: { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, viscous: 4.5,\n' "$k"
        printf '    stribeck_velocity: 0.06, stiffness: 5000, damping: 50 }\n'
    done
} >"$work/chain.yaml"
BODY=$work/chain.body POSE= CONTROLLER=none SECONDS_=10

# Choreonoid prints the computation time of each simulation; the least of three, us a step
cost() {
    project "$work/chain.cnoid"
    STICTION_REPEAT=3 choreonoid "$work/out" "$work/chain.cnoid" || fail "exit code $?"
    sed -n 's/^Computation time is \([0-9.e-]*\) .*/\1/p' "$work/log" | sort -g | head -n 1 |
        awk '{ printf "%.2f", $1 * 100 }'
}
CONFIG=none
without=$(cost)
customizer=$(CNOID_CUSTOMIZER_PATH=$CUSTOMIZER STICTION_CONFIG=$work/chain.yaml cost)
CONFIG=$work/chain.yaml ITEM="record: false"
item=$(cost)
awk -v a="$without" -v b="$customizer" -v c="$item" 'BEGIN {
    printf "a step of 37 joints: %s us without friction, %s us with the customizer (%.2f times), ",
           a, b, b / a
    printf "%s us with the item (%.2f times)\n", c, c / a }'
finish
