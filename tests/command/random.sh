#!/bin/sh
# SPDX-License-Identifier: MIT
# Friction that is drawn: in runs and sweeps, in check and curve, and nowhere in silence.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid

cat >drawn.yaml <<'END'
stiction: 1
models: [Wrist]
seed: 42
profiles:
  wrist:
    law: stribeck
    static_torque: {uniform: [2.0, 3.0]}
    coulomb_torque: {normal: [0.4, 0.05]}
    stribeck_velocity: 0.06
    viscous: 4.5
    stiffness: 5000
    damping: 50
joints:
  RWRR: { profile: wrist, viscous: {scale: [0.8, 1.2]} }
END

# value FILE KEY: the first number of that key
value() { sed -n "s/.*\"$2\": *\([0-9.e+-]*\).*/\1/p" "$1" | head -n 1; }
differ() { [ -n "$1" ] && [ "$1" != "$2" ] || fail "'$1' and '$2' are the same, or nothing"; }
same() { [ -n "$1" ] && [ "$1" = "$2" ] || fail "'$1' is not '$2'"; }

# a seed is a robot: the same twice, another with another
drawn() { run 0 run "$wrist" --set configuration=drawn.yaml --set duration=0.05 --no-report "$@"; }
drawn --out a
silent err
drawn --out b --set seed=42
drawn --out c --set seed=43
a=a/wrist/summary.json b=b/wrist/summary.json c=c/wrist/summary.json
same "$(value $a seed)" 42
same "$(value $c seed)" 43
for key in static_torque coulomb_torque viscous; do
    same "$(value $a $key)" "$(value $b $key)"
    differ "$(value $a $key)" "$(value $c $key)"
done
same "$(value $a static_torque)" 2.4048206948015691
cmp -s a/wrist/joints.csv b/wrist/joints.csv || fail "the same seed moves differently"

# a setting replaces a random value, and may be random itself
drawn --out d --set joints.RWRR.static_torque=2.25
same "$(value d/wrist/summary.json static_torque)" 2.25
same "$(value d/wrist/summary.json coulomb_torque)" "$(value $a coulomb_torque)"
run 0 run "$wrist" --set duration=0.05 --no-report --out e --set seed=42 \
    --set 'joints.RWRR.static_torque={uniform: [2.0, 3.0]}'
same "$(value e/wrist/summary.json static_torque)" "$(value $a static_torque)"
run 0 run "$wrist" --set duration=0.05 --no-report --out f \
    --set 'joints.RWRR.viscous={scale: [0.8, 1.2]}'
same "$(value f/wrist/summary.json seed)" 0

# nothing in silence
run 0 run "$wrist" --set duration=0.05 --no-report --out g
grep -q seed g/wrist/summary.json && fail "nothing was drawn, and there is a seed"
refuses 1 'override seed: nothing is drawn: no parameter has a distribution that varies' \
    run "$wrist" --set seed=1 --no-report --out h
refuses 1 'override seed: nothing is drawn' \
    run "$wrist" --set seed=1 --set scale.viscous=1.5 --no-report --out h
refuses 2 '--set seed=1.5: seed must be a whole number from 0 to 9007199254740991' \
    run "$wrist" --set seed=1.5 --out h
refuses 2 "viscous: there is no distribution 'unifrm'; the nearest is 'uniform'" \
    run "$wrist" --set 'joints.RWRR.viscous={unifrm: [1, 2]}' --out h
refuses 2 'is not YAML; a random value is written as {uniform: [2, 3]}' \
    run "$wrist" --set 'joints.RWRR.viscous={uniform: [1, 2]' --out h
refuses 1 'viscous: the profile beneath draws it' run "$wrist" --out h \
    --set configuration=drawn.yaml --set 'profiles.wrist.viscous={uniform: [1, 2]}'

# a sweep over seeds, and over distributions as texts
cat >sweep.yaml <<END
sweep: 1
projects: ["$wrist"]
set:
  configuration: drawn.yaml
  joints.RWRR.viscous: [4, "{uniform: [4, 5]}"]
  seed: [1, 2, 3]
  duration: 0.02
END
run 0 sweep sweep.yaml --out sweep --no-reports --jobs 2
silent err
[ "$(wc -l <sweep/sweep.csv)" -eq 7 ] || fail "the sweep has not six rows"
for k in 1 2 3 4 5 6; do
    set -- sweep/runs/000$k-*/summary.json
    same "$(value "$1" seed)" $(((k - 1) % 3 + 1))
    value "$1" static_torque >>torques
    value "$1" viscous >>viscosities
done
same "$(sort -u torques | wc -l)" 3
same "$(sort -u viscosities | wc -l)" 4 # 4, and three from 4 to 5
sed -i 's/\[1, 2, 3\]/[1, two]/' sweep.yaml
refuses 1 'seed=two: seed must be a whole number' sweep sweep.yaml --out wrong

# the numbers of the file's seed, and a word of it
run 0 check drawn.yaml
says out 'drawn with seed 42'
run 0 check drawn.yaml --json
same "$(value out seed)" 42
run 0 check drawn.yaml --print
says out 'static_torque: {uniform: [2, 3]}  # F_S, N m'
says out 'seed: 42'
run 0 check "$sources/config/wrist.yaml"
grep -q seed out && fail "check names a seed where nothing is drawn"
run 0 curve drawn.yaml RWRR --csv
run 0 curve drawn.yaml RWRR
says out 'drawn with seed 42'
says out 'F_S 2.40482'
printf 'time,RWRR\n0,0.1\n0.001,0.1\n0.002,0.1\n' >log.csv
run 0 replay drawn.yaml log.csv
sed 's/{uniform: \[2.0, 3.0\]}/2.4048206948015691/' drawn.yaml >plain.yaml
cp out first
run 0 replay plain.yaml log.csv
cmp -s out first || fail "replay does not use the numbers of the seed"
finish
