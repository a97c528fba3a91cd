# SPDX-License-Identifier: MIT
# An item that gives velocities only where a property of it is on: the property is switched on for the
# simulation, and the wrist stops where it stops everywhere, with friction and controller alike.
. "$(dirname "$0")/lib.sh"
needs_item "${1:-PhysX}"
SIMULATOR=${1:-PhysX}
project "$work/off.cnoid"
# it is off again after the first of two simulations
(export STICTION_REPEAT=2 && choreonoid "$work/off" "$work/off.cnoid") || fail "exit code $?"
[ "$(grep -c 'is on for this simulation' "$work/log")" -eq 2 ] || fail "not switched on twice"
says "elocity output' of Simulator is on for this simulation: friction needs velocities."
summary=$work/off/Simulator/summary.json
near "stop angle, deg" "$(degrees "$(figure "$summary" RWRR final_position)")" 69.877 0.03
near "stop time, s" "$(figure "$summary" RWRR stop_time)" 2.768 0.01
grep -qF '"warnings": []' "$summary" || fail "a warning of nothing"

# properties have other names in other languages
(export LC_ALL=C.utf8 LANGUAGE=ja && choreonoid "$work/ja" "$work/off.cnoid") || fail "exit code $?"
grep -qF '"warnings": []' "$work/ja/Simulator/summary.json" || fail "its Japanese name is not known"

# without friction the controller is a spring and a damper of the same velocities: it is there after
# 6 s, and not swinging
(export STICTION_FRICTION=none && choreonoid "$work/free" "$work/off.cnoid") || fail "exit code $?"
says "elocity output' of Simulator is on for this simulation"
near "free stop angle, deg" \
    "$(degrees "$(figure "$work/free/Simulator/summary.json" RWRR final_position)")" 90 1

# one that is on is left alone
sed 's/time_step: 0.001/&\n            enable_velocity_output: true\n            velocity_output: true/' \
    "$work/off.cnoid" >"$work/on.cnoid"
choreonoid "$work/on" "$work/on.cnoid" || fail "exit code $?"
! grep -q 'is on for this simulation' "$work/log" || fail "it was on already"
near "stop angle, deg" \
    "$(degrees "$(figure "$work/on/Simulator/summary.json" RWRR final_position)")" 69.877 0.03
finish
