# SPDX-License-Identifier: MIT
# What summary.json promises (docs/results.md) is true of Choreonoid's runs: kinds of joints, what was
# replaced, the controllers and what they met, whether it ran to its end.
. "$(dirname "$0")/lib.sh"
has() { grep -qF -- "$2" "$1" || { fail "$1 lacks: $2"; cat "$1"; }; }
# ours ARGUMENTS...: stiction run on Choreonoid into $work/results
ours() {
    CNOID_PLUGIN_PATH=$PLUGINS XDG_RUNTIME_DIR=$work LANG=C STICTION_CHOREONOID=$CHOREONOID \
        "$STICTION" run --engine choreonoid --force --no-report --out "$work/results" "$@" \
        >"$work/out" 2>"$work/log"
}

# a joint that slides is told in m
sed 's/joint_type: revolute/joint_type: prismatic/' "$BODY" >"$work/slider.body"
grep -q prismatic "$work/slider.body" || fail "the wrist has no revolute joint to change"
BODY=$work/slider.body SECONDS_=0.5
limits="target=RWRR:0.5 lower_limit=RWRR:0.4 torque_limit=RWRR:0.5"
CONTROLLER="kp=20 kv=2 $limits"
project "$work/slider.cnoid"
summary=$work/results/slider/summary.json
ours "$work/slider.cnoid" --set duration=0.25 --set controller.kv=3 \
    --set joints.RWRR.viscous=4 --set law=coulomb --interval 0.05 || fail "exit code $?"
has "$summary" '"type": "prismatic"'
grep -Eq '(^| )slider +RWRR' "$work/out" || fail "the table lacks the joint"
near "duration, s" "$(sed -n 's/.*"duration": \([^,]*\).*/\1/p' "$summary")" 0.25 0
has "$summary" '"complete": true'
for given in duration=0.25 controller.kv=3 joints.RWRR.viscous=4 law=coulomb; do
    has "$summary" "\"$given\""
done
has "$summary" '"viscous": 4'
has "$summary" '"law": "coulomb"'
has "$summary" '"name": "Controller"'
has "$summary" '"mode": "qp"'
has "$summary" "\"options\": \"kp=20 kv=2 $limits kv=3\""
near "relaxed steps" "$(sed -n 's/.*"relaxed": \([0-9]*\).*/\1/p' "$summary" | head -n 1)" 250 0
[ "$(wc -l <"$work/results/slider/joints.csv")" -eq 6 ] || fail "--interval is not kept"

# the report has a replay, with the robot as the embedded engine reads it
CNOID_PLUGIN_PATH=$PLUGINS XDG_RUNTIME_DIR=$work LANG=C STICTION_CHOREONOID=$CHOREONOID "$STICTION" run --engine choreonoid \
    --force --out "$work/shown" "$work/slider.cnoid" --set duration=0.1 >"$work/out" 2>"$work/log" || fail "with a report: exit code $?"
has "$work/shown/slider/scene.json" '"name":"RWRR","slides":true'

# mistakes of values are reported as on the embedded engine
if ours "$work/slider.cnoid" --set joints.RWRX.viscous=4; then fail "a joint was made up"; fi
says "override joints.RWRX.viscous=4: no joint with friction is called 'RWRX'; the nearest is 'RWRR'"
if ours "$work/slider.cnoid" --set joints.RWRR.static_torque=0.1; then fail "a bad value was taken"; fi
says "wrist.yaml:"
says "override joints.RWRR.static_torque=0.1: joint 'RWRR': static_torque 0.1 is below coulomb_torque 0.4"

# an interrupt: what was computed so far is written, and marked
SECONDS_=100000
project "$work/long.cnoid"
CNOID_PLUGIN_PATH=$PLUGINS XDG_RUNTIME_DIR=$work LANG=C STICTION_CHOREONOID=$CHOREONOID \
    "$STICTION" run --engine choreonoid --no-report --out "$work/results" "$work/long.cnoid" \
    --interval 1 >"$work/out" 2>"$work/log" &
child=$!
has_simulated $child
kill -INT $child
if wait $child; then fail "an interrupted run has exit code 0"; fi
says "stopped; what was computed so far is in"
has "$work/results/long/summary.json" '"complete": false'
has "$work/results/long/summary.json" '"the run was interrupted at '
grep -q 'warning: the run was interrupted at ' "$work/out" || fail "the table does not say that it was"
[ "$(wc -l <"$work/results/long/joints.csv")" -gt 1 ] || fail "nothing was written"

# values are replaced also in a project with somebody else's controller
SECONDS_=0.5
BODY=$SHARE/model/SR1/SR1.body CONFIG=$work/SR1.yaml CONTROLLER= POSE= ROOT_HEIGHT=1
"$STICTION" init "$BODY" --out "$CONFIG" 2>"$work/log" || fail "init SR1"
project "$work/other.cnoid"
sed -i 's/StictionPostureController/SR1MinimumController/' "$work/other.cnoid"
ours "$work/other.cnoid" --set 'joints.*.viscous=0.5' || fail "another controller: exit code $?"
has "$work/results/other/summary.json" '"viscous": 0.5'
has "$work/results/other/summary.json" '"name": "Controller"'
finish
