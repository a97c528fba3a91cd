# SPDX-License-Identifier: MIT
# A load below the static torque, ramped up in 2 s, is held for a minute without creep; one above
# is not.
. "$(dirname "$0")/lib.sh"
SECONDS_=62
for simulator in AIST ODE; do
    SIMULATOR=$simulator
    CONTROLLER="mode=torque shape=ramp from=0 target=2.4 duration=2"
    project "$work/hold.cnoid"
    choreonoid "$work/$simulator" "$work/hold.cnoid" || fail "exit code $?"
    summary=$work/$simulator/Simulator/summary.json
    # the bristle gives way by the torque over K
    near "$simulator position, rad" "$(figure "$summary" RWRR final_position)" 0.00048 1e-9
    near "$simulator creep, rad/s" "$(figure "$summary" RWRR creep)" 0 1e-12
done
SECONDS_=4 CONTROLLER="mode=torque shape=ramp from=0 target=2.6 duration=2"
project "$work/slip.cnoid"
choreonoid "$work/slip" "$work/slip.cnoid" || fail "exit code $?"
moved=$(figure "$work/slip/Simulator/summary.json" RWRR final_position)
awk -v q="$moved" 'BEGIN { exit !(q > 0.1) }' || fail "2.6 N m moved the joint only to $moved rad"
finish
