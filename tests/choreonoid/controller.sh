# SPDX-License-Identifier: MIT
# The posture controller in a project: a motion beside the project is found and played back, and
# limits that contradict each other are reported once and counted.
. "$(dirname "$0")/lib.sh"
CONFIG=none
SECONDS_=2

# along straight lines, in rad: kp and kv without friction follow to the end of the ramp
printf 'time,RWRR\n0,0\n0.5,0.25\n1,0.25\n' >"$work/ramp.csv"
CONTROLLER="kp=400 kv=40 motion=ramp.csv"
project "$work/motion.cnoid"
(cd / && choreonoid "$work/motion" "$work/motion.cnoid") || fail "exit code $?"
summary=$work/motion/Simulator/summary.json
# what is left after 1.5 s of exp(-20 s^-1 t) is below 1e-11
near "end of the motion, rad" "$(figure "$summary" RWRR final_position)" 0.25 1e-9
near "tracking error, rad" "$(figure "$summary" RWRR tracking_error)" 0 1e-9

# far outside of its range, with too little torque to be back at once
limits="target=RWRR:60 lower_limit=RWRR:50 torque_limit=RWRR:0.5"
CONTROLLER=$limits
project "$work/relax.cnoid"
choreonoid "$work/relax" "$work/relax.cnoid" || fail "exit code $?"
report="controller 'Controller': limits contradicted each other in"
grep -Eq "$report [0-9]+ steps, first that of 'RWRR'; the last torque was held in 0" "$work/log" ||
    fail "relaxed steps not counted"
[ "$(grep -c "$report" "$work/log")" -eq 1 ] || fail "reported more than once"

CONTROLLER="$limits when_infeasible=hold"
project "$work/hold.cnoid"
choreonoid "$work/hold" "$work/hold.cnoid" || fail "exit code $?"
says "$report 2000 steps, first that of 'RWRR'; the last torque was held in 2000"

# a torque profile has no position to steer to
CONTROLLER="mode=torque target=0.1"
project "$work/torque.cnoid"
choreonoid "$work/torque" "$work/torque.cnoid" || fail "exit code $?"
[ "$(figure "$work/torque/Simulator/summary.json" RWRR tracking_error)" = null ] ||
    fail "a torque profile has a tracking error"
finish
