#!/bin/sh
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
refuses 1 'points: there is no number in it' curve robot.yaml RWRR --at points
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

# ---- what has no curve ----
refuses 1 "joint 'LUGRE': law lugre is a model of the literature and has no Phi_Z" \
    curve robot.yaml LUGRE --implicit --timestep 0.001
refuses 1 "joint 'SAW': law sawtooth gives a torque that depends on the position" \
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
refuses 1 'absent/x.svg: No such file' curve robot.yaml RWRR --svg absent/x.svg
if command -v gnuplot >/dev/null; then
    run 0 curve robot.yaml RWRR LWRP --png picture.png
    [ "$(head -c 4 picture.png | tail -c 3)" = PNG ] || fail 'the PNG is none'
    run 0 curve odd.yaml '<&"a' --png "o'dd.png"
    refuses 1 'absent/x.png: No such file' curve robot.yaml RWRR --png absent/x.png
fi
echo old >old.png
PATH=/nonexistent "$STICTION" curve robot.yaml RWRR --png old.png 2>err &&
    fail 'a PNG without gnuplot'
says err 'install the Debian package gnuplot-nox'
is old.png old
finish
