# SPDX-License-Identifier: MIT
# The customizer in the real simulator: the same stop angle, and never friction twice.
. "$(dirname "$0")/lib.sh"
export CNOID_CUSTOMIZER_PATH=$CUSTOMIZER STICTION_CONFIG=$SOURCES/config/wrist.yaml
CONFIG=none
project "$work/customized.cnoid"
# without a StictionItem the batch only watches
choreonoid "$work/out" "$work/customized.cnoid" || fail "exit code $?"
says "StictionCustomizer.so\" for Wrist has been loaded."
near "stop angle with the customizer, deg" \
    "$(degrees "$(figure "$work/out/Simulator/summary.json" RWRR final_position)")" 69.877 0.03
near "stop time, s" "$(figure "$work/out/Simulator/summary.json" RWRR stop_time)" 2.768 0.01

# the other items do not give their time step: the file does
for SIMULATOR in ODE PhysX MuJoCo; do
    (needs_item $SIMULATOR) || continue
    project "$work/$SIMULATOR.cnoid"
    choreonoid "$work/$SIMULATOR" "$work/$SIMULATOR.cnoid" || fail "exit code $?"
    near "stop angle with the customizer on $SIMULATOR, deg" \
        "$(degrees "$(figure "$work/$SIMULATOR/Simulator/summary.json" RWRR final_position)")" \
        69.877 0.03
done
SIMULATOR=AIST

# both on one body: refused, with a sentence, and exit code 1
CONFIG=$SOURCES/config/wrist.yaml
project "$work/both.cnoid"
if choreonoid "$work/both" "$work/both.cnoid"; then fail "friction twice was not refused"; fi
says "gets its friction from StictionCustomizer already; it is not applied twice."

# a wrong file: said with its place, no friction, and the simulation goes on
printf 'stiction: 1\nmodels: [Wrist]\njoints:\n  RWRR: { law: stribek }\n' >"$work/wrong.yaml"
export STICTION_CONFIG="$work/wrong.yaml"
CONFIG=none
project "$work/wrong.cnoid"
choreonoid "$work/wrong" "$work/wrong.cnoid" || fail "exit code $?"
says "wrong.yaml:4:16: joint 'RWRR': "
finish
