#!/bin/sh
# SPDX-License-Identifier: MIT
# What curve prints: tables, what it refuses, pictures.
. "$(dirname "$0")/lib.sh"

head_is() { [ "$(head -n 1 out)" = "$1" ] || fail "the head is $(head -n 1 out) instead of $1"; }

# ---- names of columns ----
run 0 curve robot.yaml RWRR LWRP --csv --points 3
head_is velocity,torque.RWRR,torque.LWRP
run 0 curve robot.yaml RWRR --law coulomb --csv --points 3
head_is velocity,torque
run 0 curve robot.yaml RWRR LWRP --law coulomb --law stribeck --csv --points 3
head_is velocity,torque.RWRR.coulomb,torque.RWRR.stribeck,torque.LWRP.coulomb,torque.LWRP.stribeck
run 0 curve robot.yaml RWRR LWRP --implicit --timestep=1e-3 --csv --points 3
head_is v_star,torque.RWRR,torque.LWRP

# ---- points ----
printf '0.25\r\n\n# a comment\n -0\n1e-3\n' >points
run 0 curve robot.yaml RWRR --at points --csv
[ "$(wc -l <out)" -eq 4 ] || fail '--at: not one row a number'
cp out from_file
"$STICTION" curve robot.yaml RWRR --at - --csv <points >out
cmp -s out from_file || fail '--at - differs from --at FILE'
printf '1\n2 3\n' >points
refuses 1 "points:2: '2 3' is not a finite number" curve robot.yaml RWRR --at points --csv
printf 'inf\n' >points
refuses 1 "points:1: 'inf' is not a finite number" curve robot.yaml RWRR --at points --csv
: >points
refuses 1 'points: no numbers' curve robot.yaml RWRR --at points
refuses 1 'absent: No such file' curve robot.yaml RWRR --at absent
run 0 curve robot.yaml RWRR --from 0.5 --to 1 --points 1 --csv
[ "$(sed -n 's/,.*//; 2p' out)" = 0.5 ] || fail '--points 1 is not --from'

# ---- the same figures as JSON ----
run 0 curve robot.yaml RWRR --csv --points 21
sed -n '2,$s/,/ /p' out >figures
run 0 curve robot.yaml RWRR --json --points 21
sed -n 's/.*"velocity": \(.*\), "torque": \(.*\)}.*/\1 \2/p' out | cmp -s - figures ||
    fail 'JSON and CSV differ'
[ "$(head -n 1 out)$(tail -n 1 out)" = '[]' ] || fail 'JSON is no list'

# ---- no locale ----
LC_ALL=de_DE.UTF-8 "$STICTION" curve robot.yaml RWRR --csv --points 21 >out
sed -n '2,$s/,/ /p' out | cmp -s - figures || fail 'the locale matters'

# ---- laws without a curve ----
refuses 1 "joint 'LUGRE': law lugre is a reference model without Phi_Z" \
    curve robot.yaml LUGRE --implicit --timestep 0.001
refuses 1 "joint 'SAW': law sawtooth depends on the position" \
    curve robot.yaml SAW --csv
refuses 1 "robot.yaml: joint 'SOFT': at time step 0.001 s" \
    curve robot.yaml SOFT --implicit --timestep 0.001
run 0 curve robot.yaml SOFT --csv
refuses 1 'law elasto_plastic needs elastic_limit' curve robot.yaml RWRR --law elasto_plastic

# ---- the terminal: 24 rows of 80 columns, and a line about the law ----
run 0 curve robot.yaml RWRR
[ "$(wc -l <out)" -le 24 ] || fail 'the plot has more than 24 rows'
says out 'friction torque (N m or N)'
says out 'velocity (rad/s or m/s)'
says out 'RWRR: stribeck  F_S 2.5  F_C 0.4  v_S 0.06  alpha 1  D 4.5  K 5000  B 50'
grep -q "$(printf '\033')" out && fail 'there are colours outside of a terminal'
run 0 curve robot.yaml RWRR LWRP --implicit --timestep 0.001
says out 'b LWRP: stribeck'

# ---- pictures ----
run 0 curve robot.yaml RWRR LUGRE --svg picture.svg
silent out
says picture.svg 'RWRR (stribeck)'
says picture.svg 'LUGRE (lugre)'
says picture.svg 'friction torque (N m or N)'
run 0 curve robot.yaml RWRR --svg - --law stribeck
says out '</svg>'
cat >odd.yaml <<'END'
stiction: 1
joints:
  "<&\"a": { law: coulomb, coulomb_torque: 1, stiffness: 1, damping: 1 }
END
"$STICTION" curve odd.yaml '<&"a' --svg odd.svg || fail 'an odd name'
if command -v xmllint >/dev/null; then
    xmllint --noout picture.svg odd.svg out || fail 'an SVG is no XML'
fi
# it is written under another name; the remains of a killed command are removed
printf left >.part.svg.part
run 0 curve robot.yaml RWRR --svg part.svg
[ ! -e .part.svg.part ] || fail 'what a killed command left is still there'
refuses 1 'part.svg already exists; --force replaces it' curve robot.yaml RWRR --svg part.svg
run 0 curve robot.yaml RWRR --svg part.svg --force
refuses 2 'curve: --force needs --svg or --png' curve robot.yaml RWRR --force
refuses 2 "curve: --svg and --png are the same file, 'a.svg'" curve robot.yaml RWRR --svg a.svg --png ./a.svg
refuses 2 'curve: --timestep needs --implicit' curve robot.yaml RWRR --timestep 0.001
refuses 1 'absent/x.svg: No such file' curve robot.yaml RWRR --svg absent/x.svg
if command -v gnuplot >/dev/null; then
    run 0 curve robot.yaml RWRR LWRP --png picture.png
    [ "$(head -c 4 picture.png | tail -c 3)" = PNG ] || fail 'the PNG is none'
    run 0 curve odd.yaml '<&"a' --png "o'dd.png"
    refuses 1 'absent/x.png: No such file' curve robot.yaml RWRR --png absent/x.png
    # no room for the script, or for all of the picture: blocks of 512 bytes
    for blocks in 4 40; do
        (
            trap '' XFSZ
            limit_files $blocks
            exec "$STICTION" curve robot.yaml RWRR --png cut.png
        ) 2>err
        [ $? -eq 1 ] || fail "half a PNG has exit code 0 with $blocks blocks"
        grep -q 'temporary file' err || fail 'it does not say why there is no picture'
        [ ! -e cut.png ] || fail 'half a PNG is left'
    done
fi
echo old >old.png
PATH=/nonexistent "$STICTION" curve robot.yaml RWRR --png old.png --force 2>err &&
    fail 'a PNG without gnuplot'
says err 'install the Debian package gnuplot-nox'
is old.png old

# ---- families: load, position and temperature ----
with_wrist drive.yaml <<'END'
joints:
  LOADED: { profile: wrist, load_motor: 0.2, load_external: 0.1, load_motor_static: 0.1, load_limit: 10 }
  WAVY: { profile: wrist, ripple: 0.1, ripple_count: 2 }
  WARM: { profile: wrist, law: coulomb, viscous: 0, temperature: 35, temperature_level: 0.01 }
  UNEVEN: { profile: wrist, law: coulomb, viscous: 0, reverse_factor: 1.5 }
  APART: { profile: wrist, law: coulomb, viscous: 4.5, reverse_factor: 0.9, reverse_viscous_factor: 1.2 }
  LATE: { profile: wrist, lag: 0.01 }
  THIN: { profile: wrist, law: coulomb, temperature_viscous: 0.1, reverse_factor: 1.5 }
  KARNOPP: { profile: wrist, law: karnopp, stick_velocity: 0.001 }
END
# at the velocity of the input
at() {
    velocity=$1
    shift
    echo "$velocity" >velocity
    run 0 curve drive.yaml "$@" --csv --at velocity
}
# row NUMBERS...: the second row has these numbers, to 1e-14
row() {
    sed -n 2p out | awk -F, -v numbers="$*" '{ n = split(numbers, e, " "); bad = NF != n + 1
        for (k = 1; k <= n; k++) { d = $(k + 1) - e[k]; if (d < 0) d = -d
            bad = bad || d > 1e-14 * (e[k] < 0 ? -e[k] : e[k]) } exit bad }' ||
        fail "the row is $(sed -n 2p out) instead of $*"
}
# so fast that static friction and its load do not count: F_C + D v, and the load
at 20 LOADED --motor-torque 0,3,-30 --external-torque 0
head_is velocity,torque.motor_torque=0,torque.motor_torque=3,torque.motor_torque=-30
row 90.4 91 92.4
at -20 LOADED --motor-torque 3 --external-torque -1,1
head_is velocity,torque.external_torque=-1,torque.external_torque=1
row -91.1 -90.9
at 1e-300 LOADED --motor-torque 3 --external-torque 0
head_is velocity,torque
row 3.4
at 1e-300 LOADED --motor-torque 0,1 --external-torque 0,5
head_is velocity,torque.motor_torque=0.external_torque=0,torque.motor_torque=0.external_torque=5,torque.motor_torque=1.external_torque=0,torque.motor_torque=1.external_torque=5
row 2.5 3 2.8 2.9
at 1e-300 WAVY --position 0,1.5707963267948966
row 2.75 2.25
at 1 WARM
row 0.44
at 1 WARM --temperature 25,15
row 0.4 0.36
at -20 THIN --temperature 25,35
row -135.6 -50.26372455814471 # 1.5 (0.4 + 90 / e)
at 0 KARNOPP --motor-torque 1 --external-torque 0,-0.25
row 1 0.75
silent err
at 1 UNEVEN
row 0.4
at -1 UNEVEN
row -0.6
at 1 APART
row 4.9
at -1 APART
row -5.76 # 0.9 0.4 + 1.2 4.5
run 0 curve drive.yaml LOADED --motor-torque 0,3 --external-torque 0 --law stribeck --law coulomb --csv --points 3
head_is velocity,torque.stribeck.motor_torque=0,torque.stribeck.motor_torque=3,torque.coulomb.motor_torque=0,torque.coulomb.motor_torque=3
run 0 curve drive.yaml LOADED --motor-torque 0,3 --external-torque 0 --svg family.svg
says family.svg '>τ_m 3 N m<'
says family.svg 'Friction of LOADED, τ_e 0 N m'
run 0 curve drive.yaml LOADED --motor-torque 0,3 --external-torque 0
says out 'a LOADED, τ_m 0 N m, τ_e 0 N m: stribeck  F_S 2.5'
says out 'b τ_m 3 N m'
run 0 curve drive.yaml WARM UNEVEN --temperature 20,30 --svg family.svg --force
says family.svg 'UNEVEN (coulomb), θ 20 deg C'
# a step of the loaded joint: Z 1/55, and 2.5 + 0.3 * 3 N m before it slips
run 0 curve drive.yaml LOADED --motor-torque 3 --external-torque 0 --implicit --timestep 0.001 --csv --at - <<'END'
0.06
END
row 3.3
run 0 curve drive.yaml APART UNEVEN
says out 'k_R 0.9  k_RD 1.2'
[ "$(grep -c k_RD out)" -eq 1 ] || fail 'a factor that is not given is described'
run 0 curve drive.yaml UNEVEN --implicit --timestep 0.001 --csv --from -1 --to 1 --points 2
[ "$(sed -n 's/.*,//; 2p' out) $(sed -n 's/.*,//; 3p' out)" = '-0.60000000000000009 0.40000000000000002' ] ||
    fail 'a step backwards is not 1.5 times one forwards'
refuses 1 "drive.yaml: joint 'LOADED': load_motor needs the motor torque; give --motor-torque" \
    curve drive.yaml LOADED --csv
refuses 1 "joint 'LOADED': load_external needs the external torque; give --external-torque" \
    curve drive.yaml LOADED --csv --motor-torque 1
refuses 1 "joint 'WAVY': ripple needs the position; give --position" curve drive.yaml WAVY --csv
refuses 1 "joint 'LATE': a step with lag or presliding depends on earlier steps" \
    curve drive.yaml LATE --implicit --timestep 0.001
run 0 curve drive.yaml LATE --csv
refuses 2 "--motor-torque: '' is not a finite number" curve drive.yaml LOADED --motor-torque 1,,2
refuses 2 "--motor-torque: 'inf' is not a finite number" curve drive.yaml LOADED --motor-torque inf
refuses 2 '--motor-torque has 1.0 twice' curve drive.yaml LOADED --motor-torque 1,1.0
refuses 2 '--temperature 151 must be from -50 to 150 deg C' curve drive.yaml WARM --temperature 151
refuses 2 'more than 64 curves of a joint' curve drive.yaml WARM --temperature 1,2,3,4,5,6,7,8,9 \
    --position 1,2,3,4,5,6,7,8
run 0 curve drive.yaml UNEVEN --temperature 20 --csv --points 3
says err '--temperature has no effect: no joint has temperature_level'
finish
