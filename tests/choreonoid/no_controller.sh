# SPDX-License-Identifier: MIT
# Nobody writes the effort: friction must not add up, and a passive joint gets its friction.
. "$(dirname "$0")/lib.sh"
CONTROLLER=none SECONDS_=2
for simulator in AIST ODE; do
    SIMULATOR=$simulator
    project "$work/alone.cnoid"
    choreonoid "$work/$simulator" "$work/alone.cnoid" || fail "exit code $?"
    summary=$work/$simulator/Simulator/summary.json
    near "$simulator position, rad" "$(figure "$summary" RWRR final_position)" 0 1e-12
    near "$simulator command, N m" "$(figure "$summary" RWRR peak_torque)" 0 0
    says "Robot: passive joints are set to effort mode for their friction: RWRR."
done
finish
