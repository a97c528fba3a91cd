# A simulator that gives no velocities is told, since friction would see every joint at rest; with its
# velocity output the wrist stops where it stops everywhere.
. "$(dirname "$0")/lib.sh"
SIMULATOR=PhysX
if ! ls "$(dirname "$CHOREONOID")"/../lib/choreonoid-*/libCnoidPhysXPlugin.so >/dev/null 2>&1; then
    printf 'skipped: this Choreonoid has no PhysX item\n'
    exit 0
fi
project "$work/without.cnoid"
if choreonoid "$work/without" "$work/without.cnoid"; then fail "joints at rest were believed"; fi
says "Joint RWRR of Robot moves, but the simulator gives no velocities"

sed 's/time_step: 0.001/&\n            enable_velocity_output: true/' "$work/without.cnoid" >"$work/with.cnoid"
choreonoid "$work/with" "$work/with.cnoid" || fail "exit code $?"
near "stop angle, deg" \
    "$(degrees "$(figure "$work/with/Simulator/summary.json" RWRR final_position)")" 69.877 0.03
finish
