# SPDX-License-Identifier: MIT
# Choreonoid's own SR1 and PA10 with a friction file that `stiction init` makes: all joints get
# friction, nothing breaks, and PA10 hangs on to where it is.
. "$(dirname "$0")/lib.sh"
CONTROLLER=none SECONDS_=2 ROOT_HEIGHT=1 POSE=
for robot in SR1 PA10; do
    BODY=$SHARE/model/$robot/$robot.body
    CONFIG=$work/$robot.yaml
    "$STICTION" init "$BODY" --out "$CONFIG" 2>"$work/log" || fail "init $robot"
    project "$work/$robot.cnoid"
    choreonoid "$work/$robot" "$work/$robot.cnoid" || fail "$robot: exit code $?"
    summary=$work/$robot/Simulator/summary.json
    joints=$(grep -c '"final_position"' "$summary")
    expected=$(grep -c '^  [A-Za-z"].*:$' "$CONFIG")
    printf '%s: %s joints with friction\n' "$robot" "$joints"
    [ "$joints" -gt 0 ] && [ "$joints" -eq "$expected" ] || fail "$robot: $joints of $expected joints"
    if grep -qi 'nan\|inf' "$work/$robot/Simulator/joints.csv"; then fail "$robot: not finite"; fi
done
finish
