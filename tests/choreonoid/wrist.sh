# SPDX-License-Identifier: MIT
# The sample project on the AIST and ODE simulators: S Fig 12. Integrator details move the stop
# angle by less than 0.03 deg (PAPERS); the two simulators and our own loop must agree within 0.05.
. "$(dirname "$0")/lib.sh"
choreonoid "$work/out" "$SOURCES/sample_projects/wrist/wrist.cnoid" || fail "exit code $?"
for simulator in AISTSimulator ODESimulator; do
    summary=$work/out/$simulator/summary.json
    near "$simulator stop angle, deg" "$(degrees "$(figure "$summary" RWRR final_position)")" 69.877 0.03
    near "$simulator stop time, s" "$(figure "$summary" RWRR stop_time)" 2.768 0.01
    near "$simulator tracking error, deg" \
        "$(degrees "$(figure "$summary" RWRR tracking_error)")" 20.123 0.03
    near "$simulator creep, rad/s" "$(figure "$summary" RWRR creep)" 0 1e-9
    near "$simulator breakaways" "$(figure "$summary" RWRR stick_slip_events)" 1 0
    [ "$(wc -l <"$work/out/$simulator/joints.csv")" -eq 6001 ] || fail "joints.csv has not 6000 rows"
done

# the other laws of the paper, through the item's override of the law
ITEM="law: coulomb, record: true"
project "$work/coulomb.cnoid"
choreonoid "$work/coulomb" "$work/coulomb.cnoid" || fail "exit code $?"
grep -q '"law": "coulomb"' "$work/coulomb/Simulator/summary.json" || fail "the law is not overridden"

# Choreonoid takes our options, with those of its own
CNOID_PLUGIN_PATH=$PLUGINS QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$work LANG=C \
    timeout 1000 "$CHOREONOID" --no-window \
    --stiction-batch "$work/options" --stiction-time=1 "$work/coulomb.cnoid" >"$work/log" 2>&1 ||
    fail "exit code $?"
grep -q '"duration": 1,' "$work/options/Simulator/summary.json" || fail "the options have no effect"
finish
