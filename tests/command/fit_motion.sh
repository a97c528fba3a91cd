#!/bin/sh
# SPDX-License-Identifier: MIT
# fit with the dynamics of a robot, and with simulated motion.
. "$(dirname "$0")/lib.sh"
"$STICTION" fit none.csv --joint a >out 2>&1
grep -q 'built without GSL' out && exit 77
# value KEY FIELD: of fit.json
value() { sed -n "s/.*\"$1\": {.*\"$2\": \([^,}]*\).*/\1/p" fit.json; }
# near KEY VALUE SHARE
near() {
    awk -v is="$(value "$1" value)" -v must="$2" -v share="$3" \
        'BEGIN { exit !(is > must * (1 - share) && is < must * (1 + share)) }' ||
        fail "$1 is $(value "$1" value) instead of $2"
}
rms() { sed -n 's/.*"rms": \([^,}]*\), "baseline_rms.*/\1/p' fit.json; }
below() { awk -v is="$(rms)" -v most="$1" 'BEGIN { exit !(is != "" && is < most) }' || fail "rms is $(rms), not below $1"; }

# ---- an arm whose joints all move: gravity and coupling come from its file ----
awk 'BEGIN {
    pi = 3.14159265; print "time,J1,J2,J3,J4,J5,J6,J7"
    for (k = 0; k <= 2000; k++) {
        t = k * 0.005; s = t < 1 ? t * t * (3 - 2 * t) : 1
        printf "%.3f", t
        for (j = 1; j <= 7; j++)
            printf ",%.6f", s * (0.4 * sin(2 * pi * (0.11 + 0.07 * j) * t + j) + 0.1 * sin(2 * pi * 0.9 * t * (1 + j / 20)))
        print ""
    }
}' >motion.csv
arm=$sources/sample_projects/arm7
run 0 run "$arm/arm7.cnoid" --controller "posture:mode=pd kp=2000 kv=100" --targets motion.csv \
    --duration 10 --interval 0.002 --no-report --out arm
run 0 fit arm/arm7/joints.csv --joint J4 --robot "$arm/arm7.body" --law stribeck --json fit.json
near viscous 18 0.03
near coulomb_torque 1.6 0.2
below 2.5
cut -d, -f1,"$(head -n 1 arm/arm7/joints.csv | tr , '\n' | grep -n '^J4\.' | cut -d: -f1 | tr '\n' , | sed 's/,$//')" \
    arm/arm7/joints.csv >alone.csv
run 0 fit alone.csv --joint J4 --robot "$arm/arm7.body" --law coulomb
says err "no position of 6 of the robot's joints ('J1' first)"
refuses 1 "has no joint 'J9'; it has J1" fit alone.csv --joint J9 --robot "$arm/arm7.body"

# ---- a position alone, and a controller: the torque follows from its gains ----
awk 'BEGIN {
    pi = 3.14159265; print "time,RWRR"
    for (k = 0; k <= 2400; k++) {
        t = k * 0.005; s = t < 1 ? t * t * (3 - 2 * t) : 1
        printf "%.3f,%.6f\n", t, s * (0.3 * sin(2 * pi * 0.1 * t) + 0.2 * sin(2 * pi * 0.45 * t))
    }
}' >motion.csv
run 0 run "$sources/sample_projects/wrist/wrist.cnoid" --controller "posture:mode=pd kp=400 kv=20" \
    --targets motion.csv --duration 12 --interval 0.002 --no-report --out wrist
cut -d, -f1,"$(head -n 1 wrist/wrist/joints.csv | tr , '\n' | grep -n 'position\|target' | cut -d: -f1 | tr '\n' , | sed 's/,$//')" \
    wrist/wrist/joints.csv >position.csv
run 0 fit position.csv --joint RWRR --simulate --gains 400,20 --json fit.json
says fit.json '"unit": "rad"'
says fit.json 'of the simulated position'
near viscous 4.5 0.1
below 0.01
refuses 1 "no column for the torque" fit position.csv --joint RWRR --simulate
refuses 2 '--gains are of a controller' fit position.csv --joint RWRR --gains 400,20
refuses 1 "--gains '400' must be KP,KD" fit position.csv --joint RWRR --simulate --gains 400
refuses 2 'leave --robot out' fit position.csv --joint RWRR --simulate --robot "$arm/arm7.body"
finish
