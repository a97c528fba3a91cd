# SPDX-License-Identifier: MIT
# A user sees at each start which friction acts, or why none does; and what would be lost without a
# message is not: controllers without options, gaps in the joint ids.
. "$(dirname "$0")/lib.sh"
SECONDS_=0.1
project "$work/whole.cnoid"
choreonoid "$work/whole" "$work/whole.cnoid" || fail "exit code $?"
says "Robot: friction on 1 joints, explicit coupling."

# in the user's language, also from the folder of a build
LOCALE=C.UTF-8
export LANGUAGE=ja
choreonoid "$work/ja" "$work/whole.cnoid" || fail "exit code $?"
says "Robot：1個の関節に摩擦"
unset LOCALE LANGUAGE

# warns TEXT EXPRESSION: the project, changed so, runs with this warning in its results
warns() {
    sed "$2" "$work/whole.cnoid" >"$work/changed.cnoid"
    choreonoid "$work/changed" "$work/changed.cnoid" || fail "$2: exit code $?"
    says "$1"
    grep -qF "$1" "$work/changed/Simulator/summary.json" || fail "$2: the results lack: $1"
}
warns "is in kinematics mode, where torques and friction have no effect" \
    's/time_step: 0.001/time_step: 0.001\n            dynamicsMode: Kinematics/'
# as with a key that this Choreonoid does not read
warns "the controllers commanded no torque in the whole run" 's/controllerOptions/controllerOption/'
grep -qF '"stable": false' "$work/changed/Simulator/summary.json" || fail "an idle controller is stable"

sed "s|configuration_file: \"[^\"]*\"|configuration_file: \"$work/nowhere.yaml\"|" "$work/whole.cnoid" >"$work/lost.cnoid"
if choreonoid "$work/lost" "$work/lost.cnoid"; then fail "a lost file was passed over"; fi
says "nowhere.yaml does not exist."
{
    cat "$work/whole.cnoid"
    printf '        - { id: 6, name: Idle, plugin: Stiction, class: StictionItem }\n'
} >"$work/idle.cnoid"
choreonoid "$work/idle" "$work/idle.cnoid" || fail "exit code $?"
says "This item is below no simulator item and gives no friction"

# ids that do not follow each other
sed 's/joint_id: 0/joint_id: 2/' "$BODY" >"$work/gaps.body"
grep -q 'joint_id: 2' "$work/gaps.body" || fail "the body has no gap"
BODY=$work/gaps.body POSE="jointDisplacements: [ 0, 0, 0 ]" SECONDS_=6
project "$work/gaps.cnoid"
choreonoid "$work/gaps" "$work/gaps.cnoid" || fail "gaps: exit code $?"
near "with gaps, deg" \
    "$(degrees "$(figure "$work/gaps/Simulator/summary.json" RWRR final_position)")" 69.877 0.03
[ "$(grep -c '"final_position"' "$work/gaps/Simulator/summary.json")" -eq 1 ] || fail "gaps are joints"
finish
