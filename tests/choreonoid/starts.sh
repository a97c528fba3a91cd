# SPDX-License-Identifier: MIT
# Twenty starts and stops in one program: each begins fresh, so all end alike.
. "$(dirname "$0")/lib.sh"
export STICTION_REPEAT=20
project "$work/again.cnoid"
choreonoid "$work/out" "$work/again.cnoid" || fail "exit code $?"
first=$(figure "$work/out/Simulator/summary.json" RWRR final_position)
for run in 2 10 20; do
    near "run $run" "$(figure "$work/out/Simulator-$run/summary.json" RWRR final_position)" "$first" 0
done
finish
