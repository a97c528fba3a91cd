# SPDX-License-Identifier: MIT
# Implicit coupling in the real simulator, whose items solve contacts after us: at time steps and
# inertias at which friction from the last velocity chatters. IMPLICIT, "Contacts solved after us".
. "$(dirname "$0")/lib.sh"
export STICTION_OVERRIDE="coupling=implicit"
samples=$SOURCES/sample_projects

# run NAME PROJECT SIMULATOR TIMESTEP SECONDS: a run of a sample, whose summary is $summary
run() {
    STICTION_SIMULATOR=$3 STICTION_TIMESTEP=$4 STICTION_TIME=$5 \
        choreonoid "$work/$1" "$samples/$2.cnoid" || fail "$1: exit code $?"
    summary=$work/$1/$3/summary.json
}
# largest NAME: of all joints
largest() {
    awk -v name="\"$1\":" '$1 == name { x = $2; sub(/,$/, "", x); x = x < 0 ? -x : x + 0
        if (x > most) most = x } END { print most + 0 }' "$summary"
}

# the same digits as the embedded engine's bristle, to 1e-4 deg
for simulator in AIST ODE; do
    (needs_item $simulator) >/dev/null || continue
    run wrist wrist/wrist ${simulator}Simulator 0.001 6
    near "$simulator wrist at 1 ms, deg" "$(degrees "$(figure "$summary" RWRR final_position)")" 69.8702 1e-4
    run wrist wrist/wrist ${simulator}Simulator 0.01 6
    near "$simulator wrist at 10 ms, deg" "$(degrees "$(figure "$summary" RWRR final_position)")" 69.8171 1e-4
    near "$simulator its creep, rad/s" "$(figure "$summary" RWRR creep)" 0 1e-12
done
run arm arm7/arm7 AISTSimulator 0.005 6
near "arm7 at 5 ms, largest creep, rad/s" "$(largest creep)" 0 1e-12

# the humanoid stands on AIST's contacts: its friction does not creep, at 1 and 5 ms
for timestep in 0.001 0.005; do
    run standing humanoid/humanoid_standing AISTSimulator $timestep 10
    near "standing at $timestep s, largest creep of a foot, rad/s" "$(largest creep)" 0 1e-12
    grep -qF '"stable": true' "$summary" || fail "standing at $timestep s is not stable"
    near "standing at $timestep s, knee, deg" \
        "$(degrees "$(figure "$summary" RKP final_position)")" "${knee:-$(degrees "$(figure "$summary" RKP final_position)")}" 0.15
    knee=$(degrees "$(figure "$summary" RKP final_position)")
done
says "a contact acts on a joint whose bristle is softened for this time step"

# what cannot be
STICTION_OVERRIDE="coupling=implicit
element=rigid"
if STICTION_TIME=0.1 choreonoid "$work/rigid" "$samples/wrist/wrist.cnoid"; then fail "rigid ran"; fi
says "element rigid is not possible in Choreonoid"
STICTION_OVERRIDE="coupling=implicit"
if STICTION_LAW=lugre STICTION_TIME=0.1 choreonoid "$work/lugre" "$samples/wrist/wrist.cnoid"; then fail "lugre ran"; fi
says "law lugre has no potential, so it cannot be implicit"
# auto is implicit only where explicit is not safe
STICTION_OVERRIDE="coupling=auto"
run auto wrist/wrist AISTSimulator 0.001 6
near "auto at 1 ms is explicit, deg" "$(degrees "$(figure "$summary" RWRR final_position)")" 69.876846 1e-5
run auto wrist/wrist AISTSimulator 0.01 6
near "auto at 10 ms is implicit, deg" "$(degrees "$(figure "$summary" RWRR final_position)")" 69.8171 1e-4
says "friction is implicit, since explicit coupling is not safe by a factor of two"
# and where there are too many joints to judge it
{
    printf '{ format: ChoreonoidBody, format_version: 2.0, name: Wheels, root_link: BASE, links: [\n'
    printf '{ name: BASE, joint_type: fixed, elements: [ &disc { type: RigidBody, mass: 1, '
    printf 'inertia: [ 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1 ] } ] }'
    for id in $(seq 0 100); do
        printf ',\n{ name: W%d, parent: BASE, joint_type: revolute, joint_id: %d, ' "$id" "$id"
        printf 'joint_axis: [ 0, 0, 1 ], elements: [ *disc ] }'
    done
    printf ' ] }\n'
} >"$work/wheels.body"
cat >"$work/wheels.yaml" <<'CONFIG'
stiction: 1
timestep: 0.001
profiles: { disc: { law: coulomb, coulomb_torque: 1, stiffness: 1000, damping: 10 } }
joints: { W*: { profile: disc } }
CONFIG
(
    BODY=$work/wheels.body CONFIG=$work/wheels.yaml POSE='' CONTROLLER=none SECONDS_=0.01
    project "$work/wheels.cnoid"
)
choreonoid "$work/wheels" "$work/wheels.cnoid" || fail "101 joints: exit code $?"
says "friction is implicit, since explicit coupling is not judged of more than 100 joints"
finish
