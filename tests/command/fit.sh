#!/bin/sh
# SPDX-License-Identifier: MIT
# What fit finds in a log whose friction is known, what it says it cannot know, and which logs it
# refuses.
. "$(dirname "$0")/lib.sh"
"$STICTION" fit none.csv --joint a >out 2>&1
grep -q 'built without GSL' out && exit 77

# a joint with known friction along a motion with slow and fast parts both ways, and its torque:
# friction by replay, inertia 0.2, an offset and some noise
cat >truth.yaml <<'YAML'
stiction: 1
timestep: 0.004
joints:
  wrist:
    law: stribeck
    static_torque: 2.5
    coulomb_torque: 1.2
    stribeck_velocity: 0.06
    viscous: 4.5
    stiffness: 5000
    damping: 50
YAML
awk 'BEGIN {
    pi = 3.14159265358979; print "time,wrist.velocity"
    for (k = 0; k < 6000; k++) {
        t = k * 0.004
        v = t < 12 ? 0.25 * sin(2 * pi * t / 3) ^ 3 : 1.2 * sin(2 * pi * t / 4)
        if (t > 5 && t < 6) v = 0
        printf "%.3f,%.12g\n", t, v
    }
}' >motion.csv
run 0 replay truth.yaml motion.csv
mv out friction.csv
# log OPTIONS...: a log with position in rad, or as awk variables say
log() {
    awk -F, "$@" 'BEGIN { srand(1) }
    NR == 1 { print head ? head : "time,q,dq,tau"; next }
    {
        v = $2; a = NR > 2 ? (v - last) / 0.004 : 0; q += 0.5 * (v + last) * 0.004; last = v
        noise = (rand() + rand() + rand() + rand() - 2) * 0.02
        printf "%.4f,%.9g,%.9g,%.6g\n", reverse ? 30 - $1 : stop ? 1 : $1,
            still ? 0.3 : q * (degrees ? 57.29578 : 1), still ? 0 : v, $3 + 0.2 * a + 0.3 + noise
    }' friction.csv
}
log >log.csv

# value KEY FIELD: of fit.json
value() { sed -n "s/.*\"$1\": {.*\"$2\": \([^,}]*\).*/\1/p" fit.json; }
# near KEY VALUE SHARE
near() {
    awk -v is="$(value "$1" value)" -v must="$2" -v share="$3" \
        'BEGIN { exit !(is > must * (1 - share) && is < must * (1 + share)) }' ||
        fail "$1 is $(value "$1" value) instead of $2"
}

# ---- known friction comes back ----
run 0 fit log.csv --joint wrist --out fit.yaml --json fit.json
says out "joint 'wrist': law stribeck"
near static_torque 2.5 0.06
near coulomb_torque 1.2 0.03
near viscous 4.5 0.06
near stribeck_velocity 0.06 0.2
near stiffness 5000 0.25
[ "$(value static_torque identifiable)" = true ] || fail "static_torque is not identified"
says fit.json '"law": "stribeck"'
says fit.json '"unit": "N m"'
run 0 check fit.yaml
says fit.yaml '# N m; 95 % of'
says fit.yaml 'timestep: 0.001'
says fit.yaml 'valid:  # rad/s, N m and deg C that the logs cover'
run 0 check fit.yaml --print
says out 'wrist: {speed: ['

# ---- position alone, half of the blocks held out, names of columns ----
cut -d, -f1,2,4 log.csv | sed '1s/.*/t,wrist_pos,wrist_tau/' >position.csv
run 0 fit position.csv --joint wrist --json fit.json --hold-out 0.5 \
    --columns time=t,position=JOINT_pos,torque=JOINT_tau
says fit.json 'on held-out data'
near coulomb_torque 1.2 0.06
run 0 fit log.csv --joint wrist --json fit.json --hold-out log.csv

# ---- Coulomb and viscous friction that differ by direction, each in its own way ----
says fit.yaml '# reverse_viscous_factor: not identified: viscous friction that follows reverse_factor predicts as well'
cp friction.csv alike.csv
sed '$s/$/\n    reverse_factor: 0.8\n    reverse_viscous_factor: 1.2/' truth.yaml >apart.yaml
run 0 replay apart.yaml motion.csv
mv out friction.csv
log >apart.csv
mv alike.csv friction.csv
run 0 fit apart.csv --joint wrist --out apart_fit.yaml --json fit.json --report apart.html
near coulomb_torque 1.2 0.03
near viscous 4.5 0.06
near reverse_factor 0.8 0.03
near reverse_viscous_factor 1.2 0.03
for key in reverse_factor reverse_viscous_factor; do
    [ "$(value $key identifiable)" = true ] || fail "$key is not identified"
    grep -q "^    $key: .* # 1; 95 % of" apart_fit.yaml || fail "the interval of $key is missing"
    says apart.html "$key"
done
awk -v low="$(value reverse_viscous_factor low)" -v high="$(value reverse_viscous_factor high)" \
    'BEGIN { exit !(low < 1.2 && 1.2 < high) }' || fail 'the interval misses the truth'
run 0 check apart_fit.yaml
says out 'reverse_viscous_factor 1.'

# ---- two joints of one log, each with a fit of its own ----
awk -F, 'NR == 1 { print "t,wrist_pos,wrist_tau,elbow_pos,elbow_tau"; next }
    { print $1 "," $2 "," $4 "," $2 "," 2 * $4 }' log.csv >two.csv
run 0 fit two.csv --joint wrist --joint elbow --law coulomb --out two.yaml --json fit.json \
    --columns time=t,position=JOINT_pos,torque=JOINT_tau
grep -o '"coulomb_torque": {"value": [^,]*' fit.json | awk '{ torque[NR] = $3 }
    END { exit !(NR == 2 && torque[2] > 1.99 * torque[1] && torque[2] < 2.01 * torque[1]) }' ||
    fail 'the torques of two joints are not each its own'
run 0 check two.yaml --print
says out 'elbow: {speed: ['

# ---- a law that is asked for; fast motion knows no static torque ----
run 0 fit log.csv --joint wrist --law coulomb --json fit.json
says fit.json '"law": "coulomb"'
[ "$(value static_torque identifiable)" = false ] || fail "Coulomb's law has a static torque"

# ---- existing files are kept, those of fit are replaced ----
echo 'by hand' >hand.yaml
refuses_to_write() {
    run 1 fit log.csv --joint wrist --law coulomb --out hand.yaml
    says err 'hand.yaml'
    is hand.yaml 'by hand'
}
refuses_to_write
run 0 fit log.csv --joint wrist --law coulomb --out fit.yaml

# ---- refusals ----
refuses 2 'name the joint with --joint' fit log.csv
refuses 2 "--law 'dahl' must be auto" fit log.csv --joint wrist --law dahl
refuses 1 'no column for the position or velocity' fit log.csv --joint wrist --columns time=time,torque=tau
refuses 1 "there is no column 'x' for the torque of joint 'wrist'" fit log.csv --joint wrist --columns time=time,position=q,torque=x
refuses 1 "unknown quantity 'speed'" fit log.csv --joint wrist --columns speed=dq
refuses 1 'no log is left to fit' fit --joint wrist --hold-out log.csv
refuses 1 '--hold-out 1.5 must be between 0 and 1' fit log.csv --joint wrist --hold-out 1.5
log -v degrees=1 >bad.csv
refuses 1 'the position is in degrees' fit bad.csv --joint wrist
awk -F, 'NR > 1 { $2 *= 57.3; $3 *= 57.3 } 1' OFS=, log.csv >bad.csv
run 0 fit bad.csv --joint wrist --law coulomb
says err 'more than two turns; if it is in degrees, convert it'
awk -F, 'NR > 1 { $1 *= 1000 } 1' OFS=, log.csv >bad.csv
refuses 1 'the time is in ms; it must be in s' fit bad.csv --joint wrist
awk -F, 'NR > 1 { $2 = 0.3 + NR % 3 * 1e-5; $3 = 0 } 1' OFS=, log.csv >bad.csv
refuses 1 'the joint does not move' fit bad.csv --joint wrist
log -v reverse=1 >bad.csv
refuses 1 'bad.csv:3: time 29.995999999999999 must be greater than 30' fit bad.csv --joint wrist
log -v stop=1 >bad.csv
refuses 1 'time does not rise' fit bad.csv --joint wrist
log -v still=1 >bad.csv
refuses 1 'the joint does not move' fit bad.csv --joint wrist
sed 's/,[^,]*$/,1/' log.csv | sed '1s/.*/time,q,dq,tau/' >bad.csv
refuses 1 'the torque is constant' fit bad.csv --joint wrist
sed '100s/,[^,]*$/,/' log.csv >bad.csv
run 0 fit bad.csv --joint wrist --law coulomb
says err '1 of 6000 rows miss a value (the first in line 100)'
sed '100s/,[^,]*$/,x/' log.csv >bad.csv
refuses 1 "bad.csv:100: torque 'x' of joint 'wrist' is not a finite number" fit bad.csv --joint wrist
head -n 20 log.csv >bad.csv
refuses 1 '19 rows cannot identify friction' fit bad.csv --joint wrist

finish
