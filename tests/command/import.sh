#!/bin/sh
# SPDX-License-Identifier: MIT
# import: its files, messages and refusals; the curves are those of the sources.
. "$(dirname "$0")/lib.sh"
given=$sources/tests/import

# value KEY: the number of a key in ./out
value() { sed -n "s/^    $1: \\([^ ]*\\).*/\\1/p" out; }
# has KEY NUMBER
has() { [ "$(value "$1")" = "$2" ] || fail "$1 is $(value "$1") instead of $2"; }
# near WHAT NUMBER EXPECTED RELATIVE
near() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { d = a - b; exit !((d < 0 ? -d : d) <= t * (b < 0 ? -b : b)) }' ||
        fail "$1 is $2 instead of $3"
}

# change FILE PATTERN SENTENCE: a file that sed has changed is refused
change() {
    sed "$2" "$given/$1" >"changed.${1##*.}"
    refuses 1 "$3" import "changed.${1##*.}"
}

# ---- BAM ----
run 0 import "$given/m2.json"
has law stribeck
has coulomb_torque 2.768555173702711e-06
has stribeck_exponent 1.7413892741330947
has viscous 0.059589394457307716
has timestep ''
near 'the static torque' "$(value static_torque)" 0.117423983274792443 2e-16
says out 'N m, friction_base + friction_stribeck'
says out "BAM's model m2 (Stribeck) of mx106"
says err 'm2.json: not taken over, since it is not friction: kt (torque constant), R (resistance), armature'
says err "BAM's friction has no bristle: stiffness 235 and damping 2.35 were chosen"
run 0 import "$given/m1.json" --stiffness 1000 --damping 3 --timestep 0.002 --joint a --joint b
[ "$(value law)" = "$(printf 'coulomb\ncoulomb')" ] || fail 'two joints were not written'
says out '    stiffness: 1000 '
says out '    damping: 3 '
says out 'timestep: 0.002 '
says out '  a:'
says out '  b:'

# refused, with the place in the file
change m2.json 's/"alpha": [0-9.]*/"alpha": 0.9999999/' 'changed.json:8:14: alpha 0.99999990000000005 is below 1: '
sed 's/"alpha": [0-9.]*/"alpha": 1/' "$given/m2.json" >alpha.json
run 0 import alpha.json
has stribeck_exponent 1
change m2.json /dtheta/d "changed.json:1:1: lacks 'dtheta_stribeck', which model m2 needs"
change m2.json '/"model"/d' "lacks 'model', which says what formula the numbers belong to"
change m2.json 's/"m2"/"m7"/' "unknown model 'm7': BAM has m1 to m6"
change m2.json 's/"friction_viscous": /&-/' 'friction_viscous -0.059589'
change m2.json 's/"friction_viscous": [0-9.]*/"friction_viscous": NaN/' "friction_viscous"
sed 's/"friction_base": [^,]*/"friction_base": 0.0/' "$given/m1.json" >zero.json
run 0 import zero.json
has coulomb_torque 1.0e-30
says err 'friction_base is 0: coulomb_torque must be above 0'
sed 's/"kt"/"alpha": 1, "rotor": 2, "kt"/' "$given/m1.json" >more.json
run 0 import more.json
says err 'not taken over, since model m1 does not read it: alpha'
says err 'not taken over, since it is not known: rotor'
sed 's/"friction_viscous": [^,]*/"friction_viscous": 0/' "$given/m2.json" >steep.json
refuses 1 "steep.json: joint '*': " import steep.json --stiffness 1e-3 --damping 0
run 0 import steep.json --stiffness 1e-3
printf '[1, 2]' >list.json
refuses 1 'list.json' import list.json
printf '{' >broken.json
refuses 1 'broken.json' import broken.json
refuses 1 'No such file' import nowhere.json

# ---- MuJoCo ----
run 0 import "$given/dcmotor.xml"
[ "$(value law)" = "$(printf 'stribeck\nstribeck')" ] || fail 'two joints were not written'
[ "$(value coulomb_torque)" = "$(printf '0.5\n0.015')" ] || fail 'the gear is not in the Coulomb torque'
[ "$(value static_torque)" = "$(printf '0.7\n0.024')" ] || fail 'the gear is not in the static torque'
[ "$(value stribeck_velocity)" = "$(printf '10\n0.0033333333333333335')" ] || fail 'nor in v_S'
[ "$(value viscous)" = "$(printf '0.001\n0.09')" ] || fail 'nor, squared, in the viscosity'
[ "$(value stiffness)" = "$(printf '100\n90000')" ] || fail 'nor, squared, in the stiffness'
[ "$(value damping)" = "$(printf '1\n0')" ] || fail 'the damping is another'
[ "$(value stribeck_exponent)" = "$(printf '2\n2')" ] || fail 'the exponent is not 2'
says out '# N s/m, damping times gear 3^2, line 22'
says out 'timestep: 0.001 '
says err "joint 'rail': not taken over: the quadratic and cubic damping 0.1 and 0"
says err "the dcmotor 'third' of line 23 has no LuGre friction"
says err 'not taken over, since it is not friction: motorconst, resistance'
run 0 import "$given/dcmotor.xml" --joint rail --timestep 1e-6
has coulomb_torque 0.015
says err "the damping of lugre, 0, is not legal at a time step of 0.001 ms"
cp out rail.yaml
run 0 check rail.yaml
refuses 1 "no dcmotor with LuGre friction drives joint 'elbow'" import "$given/dcmotor.xml" --joint elbow
change dcmotor.xml 's/joint="rail" lugre/joint="rial" lugre/' "changed.xml:22:"
says err "drives joint 'rial', which the file does not have"
change dcmotor.xml 's/lugre="0"/damping="1" lugre="1 1 1 2 3"/' "joint 'shoulder' has the LuGre friction of two motors"
change dcmotor.xml 's/0.5 0.7 10/0.8 0.7 10/' 'lugre: static 0.7 is below coulomb 0.8'
change dcmotor.xml 's/0.5 0.7 10"/0.5 0.7 10 3"/' 'has more than 5 numbers'
refuses 1 'has no dcmotor with LuGre friction on a joint' import "$sources/tests/robots/arm.xml"
refuses 1 'is not MJCF: it begins with' import "$sources/tests/robots/arm.urdf" --from mujoco
run 0 import "$given/dcmotor.xml" --stiffness 5000 --damping 2
[ "$(value stiffness) $(value damping)" = "$(printf '5000\n5000 2\n2')" ] || fail 'the options do not count'
change dcmotor.xml 's/class="geared" joint/class="gaered" joint/' "there is no class 'gaered' of defaults"
change dcmotor.xml 's/0.5 0.7 10"/0.5 0.7 0"/' 'lugre: stribeck 0 must be above 0'
change dcmotor.xml 's/"100 1 0.5 0.7 10"/"100 -1 0.5 0.7 10"/' 'lugre: damping -1 must be at least 0'
change dcmotor.xml 's/damping="0.001"/damping="-1"/' 'damping -1 must be at least 0'
change dcmotor.xml 's/timestep="0.001"/timestep="0"/' 'timestep 0 must be above 0'
change dcmotor.xml 's/gear="-3"/gear="0"/' 'gear 0 must not be 0'
change dcmotor.xml 's/"100 1 0.5 0.7 10"/"100 1 0.5 x 10"/' "lugre must be a number, not 'x'"
sed -e 's/joint="shoulder" lugre="100/tendon="t" lugre="100/' -e 's/<motor joint/<general biastype="dcmotor" joint/' \
    "$given/dcmotor.xml" >other.xml
run 0 import other.xml
says err "not taken over: the dcmotor 'first' of line 21, which drives no joint"
says err 'not taken over: <general> of line 24, a dcmotor written as raw parameters'
sed -e 's/name="shoulder"/& type="ball"/' -e '/timestep/d' "$given/dcmotor.xml" >other.xml
run 0 import other.xml
says err "whose joint 'shoulder' is of type ball"
says out "timestep: 0.002  # s, MuJoCo's default: the file states none"
# a file in a file
mkdir parts
sed -n '/<actuator>/,/<\/actuator>/p' "$given/dcmotor.xml" |
    { echo '<mujoco>'; cat -; echo '</mujoco>'; } >parts/motors.xml
sed '/<actuator>/,/<\/actuator>/c <include file="parts/motors.xml"/>' "$given/dcmotor.xml" >whole.xml
run 0 import whole.xml
[ "$(value coulomb_torque)" = "$(printf '0.5\n0.015')" ] || fail 'an included file is not read'
echo '<mujoco><include file="loop.xml"/></mujoco>' >loop.xml
refuses 1 'files include each other without end' import loop.xml

# ---- the verb ----
refuses 2 "has none of the endings .json (bam) .xml (mujoco)" import robot.yaml
refuses 2 "there is no format 'bma'" import robot.yaml --from bma
refuses 2 '--load-limit is for bam, not for mujoco' import "$given/dcmotor.xml" --load-limit 3
refuses 2 '--damping -1 must be at least 0' import "$given/m1.json" --damping -1
run 0 import "$given/m1.json" --out made.yaml
silent out
says made.yaml 'law: coulomb'
refuses 1 "made.yaml already exists; --force replaces it" import "$given/m2.json" --out made.yaml
refuses 2 'import: --force is for --out' import "$given/m2.json" --force
run 0 import "$given/m2.json" --out made.yaml --force
says made.yaml 'law: stribeck'
run 0 check made.yaml
run 0 curve made.yaml any_joint --csv --at - <<'END'
2
END
near "BAM's M2 at 2 rad/s" "$(sed -n 2p out | cut -d, -f2)" \
    "$(awk 'BEGIN { fall = exp(-exp(1.7413892741330947 * log(2 / 1.8487805494299074)))
        printf "%.17g", 2 * 0.059589394457307716 + 2.768555173702711e-06 + 0.11742121471961874 * fall }')" \
    1e-14

# ---- the curves of BAM's models, with and without load ----
# bam FILE: the torque of bam/model.py at motor torque, external torque and velocity
cat >bam.awk <<'END'
{ if (match($0, /"[a-zA-Z_]*": [0-9.e+-]*/)) { split(substr($0, RSTART, RLENGTH), part, /": /)
    p[substr(part[1], 2)] = part[2] + 0 } }
END {
    both = p["load_friction_base"]; m = both + p["load_friction_motor"]
    e = both + p["load_friction_external"]
    both = p["load_friction_stribeck"]; ms = both + p["load_friction_motor_stribeck"]
    es = both + p["load_friction_external_stribeck"]
    g = m * tau_m - e * tau_e; gs = ms * tau_m - es * tau_e
    n = split("0.001 0.1 2 6", speeds, " ")
    for (k = 1; k <= n; k++) { v = speeds[k]; v_S = p["dtheta_stribeck"]
        fall = v_S ? exp(-exp(p["alpha"] * log(v / v_S))) : 0
        torque = p["friction_viscous"] * v + p["friction_base"] + (g < 0 ? -g : g)
        printf "%.17g\n", torque + fall * (p["friction_stribeck"] + (gs < 0 ? -gs : gs)) }
}
END
printf '0.001\n0.1\n2\n6\n' >speeds
for model in m1 m2 m3 m4 m5; do
    run 0 import "$given/$model.json" --out "$model.yaml"
    tr , '\n' <"$given/$model.json" >lines
    for load in '0 0' '2 0' '0 -2' '3 -2' '-1 -4'; do
        run 0 curve "$model.yaml" joint --csv --at speeds --motor-torque "${load% *}" \
            --external-torque "${load#* }"
        awk -v tau_m="${load% *}" -v tau_e="${load#* }" -f bam.awk lines >expected
        sed 1d out | paste -d , - expected | awk -F, '{ d = $2 - $3; if (d < 0) d = -d
            bad = bad || d > 1e-14 * $3 } END { exit bad || NR != 4 }' || {
            fail "$model is not BAM's at motor and external torque $load"
            paste out expected
        }
    done
done
run 0 import "$given/m5.json"
has load_motor 0.20763710226562626
has load_external_static 0.08490162305974122
has load_limit 20
run 0 check m5.yaml --timestep 1e-9
run 0 import "$given/m5.json"
says err 'load_limit was chosen, for BAM has none: torques above 20 N m add no more friction'
run 0 import "$given/m5.json" --load-limit 5
has load_limit 5
run 0 import "$given/m6.json"
says err 'not taken over: the quadratic load terms of M6, load_friction_motor_quad 0.00999993 and load_friction_external_quad'
finish
