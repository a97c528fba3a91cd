#!/bin/sh
# SPDX-License-Identifier: MIT
# The closed loop: a motion from excite, a run that plays it, and the friction that fit finds in the
# run is that of the run.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist
"$STICTION" excite "$wrist/wrist.body" --joint RWRR --duration 20 --out motion.csv >out 2>&1
grep -q 'built without GSL' out && exit 77

says out 'accuracy to expect'
[ "$(head -n 1 motion.csv)" = time,RWRR ] || fail 'the head of the motion'
awk -F, 'NR > 1 && ($2 < -1.92 || $2 > 1.92) { exit 1 }' motion.csv || fail 'it leaves the range of the joint'
awk -F, 'NR > 2 { v = ($2 - last) / 0.005; if (v > 1.51 || v < -1.51) exit 1 } { last = $2 }' motion.csv ||
    fail 'it is faster than 1.5 rad/s'
run 0 run "$wrist/wrist.cnoid" --controller "posture:mode=pd kp=400 kv=20" --targets motion.csv \
    --duration 20 --series npz --out results
run 0 fit results/wrist/joints.npz --joint RWRR --json fit.json
# near KEY VALUE SHARE
near() {
    found=$(sed -n "s/.*\"$1\": {\"value\": \([^,}]*\).*/\1/p" fit.json)
    awk -v is="$found" -v must="$2" -v share="$3" \
        'BEGIN { exit !(is > must * (1 - share) && is < must * (1 + share)) }' ||
        fail "$1 is $found instead of $2"
}
says fit.json '"law": "stribeck"'
near static_torque 2.5 0.01
near coulomb_torque 0.4 0.01
near stribeck_velocity 0.06 0.02
near viscous 4.5 0.01
near stiffness 5000 0.02

# ---- a run that leaves what the log covers ----
run 0 fit results/wrist/joints.npz --joint RWRR --law coulomb --out found.yaml
sed -i 's/ speed: \[[^]]*\]/ speed: [0.01, 0.2]/; s/ load: \[[^]]*\]/ load: [0, 20]/' found.yaml
run 0 run "$wrist/wrist.cnoid" --config found.yaml --duration 2 --no-report --out left
says out "the speed of joint 'RWRR' reached"
says out 'identified from 0.01 to 0.2 (valid): it is extrapolated'
run 0 check found.yaml --body "$wrist/wrist.body"
says err "its largest torque by the robot's file is 50, and its friction was identified from 0 to 20 (valid)"
sed 's/ speed: \[[^]]*\]/ speed: [2, 1]/' found.yaml >bad.yaml
refuses 1 'valid: speed from 2 to 1 is empty' check bad.yaml
sed 's/ speed: \[[^]]*\]/ speeds: [1, 2]/' found.yaml >bad.yaml
refuses 1 "unknown quantity 'speeds'" check bad.yaml
sed 's/^valid:.*/valid: {LWRR: {speed: [1, 2]}}/; /^  RWRR: { speed/d' found.yaml >bad.yaml
refuses 1 "'LWRR' is no key of joints" check bad.yaml

refuses 2 'name the joint with --joint' excite "$wrist/wrist.body"
refuses 1 "has no joint 'LWRR'; it has RWRR" excite "$wrist/wrist.body" --joint LWRR
refuses 2 '--duration 5 must be from 10 to 3600 s' excite "$wrist/wrist.body" --joint RWRR --duration 5
run 1 excite "$wrist/wrist.body" --joint RWRR --out motion.csv
says err 'motion.csv'

finish
