#!/bin/sh
# SPDX-License-Identifier: MIT
# Starts: --posture, and what new writes for legged robots, which stand on their soles.
. "$(dirname "$0")/lib.sh"
robots=$sources/tests/robots

# walker JOINTS_OF_A_LEG FOOT: a trunk on legs with straight knees, 0.2 m + 0.4 m long
walker() {
    awk -v joints="$1" -v foot="$2" '
    function inertia(mass, z, i) {
        return "<inertial><origin xyz=\"0 0 " z "\"/><mass value=\"" mass "\"/><inertia ixx=\"" i "\" iyy=\"" i \
            "\" izz=\"" i "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"
    }
    function link(name, inside) { print "<link name=\"" name "\">" inside "</link>" }
    function joint(name, parent, child, xyz, axis, lower, upper) {
        print "<joint name=\"" name "\" type=\"revolute\"><parent link=\"" parent "\"/><child link=\"" child "\"/>"
        print "<origin xyz=\"" xyz "\"/><axis xyz=\"" axis "\"/>"
        print "<limit lower=\"" lower "\" upper=\"" upper "\" effort=\"200\" velocity=\"20\"/></joint>"
    }
    function leg(s, x, y,    end) {
        link(s "1", inertia(1, 0, 0.01)); link(s "thigh", inertia(3, -0.2, 0.03))
        if (joints == 6) {
            link(s "0", inertia(1, 0, 0.01))
            joint(s "yaw", "trunk", s "0", x " " y " 0", "0 0 1", -1, 1)
            x = y = 0
        }
        joint(s "roll", joints == 6 ? s "0" : "trunk", s "1", x " " y " 0", "1 0 0", -1, 1)
        joint(s "hip", s "1", s "thigh", "0 0 0", "0 1 0", -2, 2)
        link(s "shank", inertia(2, -0.2, 0.02) (joints == 3 ? foot : ""))
        joint(s "knee", s "thigh", s "shank", "0 0 -0.4", "0 1 0", 0, 2.5)
        if (joints == 3) return
        link(s "ankle", inertia(0.5, 0, 0.005))
        joint(s "pitch", s "shank", s "ankle", "0 0 -0.4", "0 1 0", -1, 1)
        link(s "foot", inertia(1, -0.03, 0.005) foot)
        joint(s "tilt", s "ankle", s "foot", "0 0 0", "1 0 0", -1, 1)
    }
    BEGIN {
        print "<robot name=\"walker\"><link name=\"base_link\"/>"
        link("trunk", inertia(20, 0.2, 0.5))
        print "<joint name=\"root\" type=\"fixed\"><parent link=\"base_link\"/><child link=\"trunk\"/></joint>"
        leg("L", joints == 3 ? 0.3 : 0, 0.1); leg("R", joints == 3 ? 0.3 : 0, -0.1)
        if (joints == 3) { leg("HL", -0.3, 0.1); leg("HR", -0.3, -0.1) }
        print "</robot>"
    }'
}
sole='<collision><origin xyz=\"0.03 0 -0.05\"/><geometry><box size=\"0.2 0.1 0.02\"/></geometry></collision>'
ball='<collision><origin xyz=\"0 0 -0.4\"/><geometry><sphere radius=\"0.03\"/></geometry></collision>'
tilted=$(echo "$sole" | sed 's/<origin /<origin rpy=\\"0 0.1 0\\" /')
walker 6 "$sole" >biped.urdf
walker 6 "$tilted" >tilted.urdf
walker 5 "$sole" >without_yaw.urdf
walker 3 "$ball" >quadruped.urdf

# ---- new writes a project that stands, with friction and without ----
for robot in biped tilted without_yaw quadruped; do
    run 0 new "$robot.urdf" --out "$robot"
    says "$robot/$robot.cnoid" "whole_body:config=${robot}_whole_body.yaml"
    says "$robot/README.md" "and balance"
    for friction in stiction none; do
        run 0 run "$robot/$robot.cnoid" --set "friction=$friction" --duration 2 --out "stands-$friction" \
            --no-report --strict --csv
        summary=stands-$friction/$robot/summary.json
        says "$summary" '"stable": true'
        says "$summary" '"falls": 0'
        says "$summary" '"complete": true'
    done
    rm -r stands-*
done
# the soles are those of the shapes, the knees are bent, and the trunk stays upright
says biped/biped_whole_body.yaml '  Lfoot: { link: Lfoot, normal: [0, 0, 1], friction: 0.4,'
for corner in '[0.13, 0.05, -0.06]' '[-0.07, -0.05, -0.06]'; do says biped/biped_whole_body.yaml "$corner"; done
says tilted/tilted_whole_body.yaml '  Lfoot: { link: Lfoot, normal: [0.099833, 0, 0.995], friction: 0.4,'
[ "$(grep -c 'link: .*foot' biped/biped_whole_body.yaml)" -eq 2 ] || fail 'the biped has not two feet'
[ "$(grep -c 'link: .*shank' quadruped/quadruped_whole_body.yaml)" -eq 4 ] || fail 'the quadruped has not four feet'
awk '/knee:/ { if ($4 < 20 || $4 > 90) bad = 1; seen++ } END { exit bad || seen != 2 }' biped/biped_whole_body.yaml ||
    fail 'the knees are not bent'
# the project names the joints of its start
grep -qE '^ +- [0-9.]+ +# Lknee$' biped/biped.cnoid || fail 'the start of the project has no names'
# a robot that falls is reported as a fall
run 0 run biped/biped.cnoid --controller none --set friction=none --duration 2 --out falls --no-report
says out 'falls'
grep -A 1 'falls' out | grep -qE ' 1( |$)' || { fail 'the table reports no fall'; cat out; }

# ---- the same posture for --posture, --targets and new ----
run 0 run biped.urdf --floor --posture biped/biped_whole_body.yaml --controller posture --duration 0.002 --out same \
    --no-report --csv
says err "floating, lowest point 0.000 m above the floor"
# 1e-5 m deep, so that all points of level soles touch from the first step on
run 0 run biped.urdf --floor --duration 0.001 --interval 0.001 --out deep --no-report
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k } NR == 2 { bad = ($at["base.z"] - 0.85999) ^ 2 > 1e-18 }
    END { exit bad || NR < 2 }' deep/biped/joints.csv || fail 'the robot is not on the floor'
bent=$(awk '/Lknee:/ { print $4 }' biped/biped_whole_body.yaml)
run 0 run biped.urdf --fixed-base --posture "Lknee:30,?hip:-10" --targets biped/biped_whole_body.yaml \
    --controller posture --duration 0.001 --interval 0.001 --out named --no-report
awk -F, -v bent="$bent" 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
    NR == 2 { d = 57.29577951308232; bad = $at["Lknee.position"] * d < 29.9 || $at["Rhip.position"] * d > -9.9 ||
              ($at["Lknee.target"] * d - bent) ^ 2 > 1e-8 }
    END { exit bad || NR < 2 }' named/biped/joints.csv || fail 'the posture or the targets are others'
run 0 run biped.urdf --floor --posture "?knee:40,?hip:-20,?pitch:-20" --duration 0.002 --out bent --no-report
says err "floating, lowest point 0.000 m above the floor"
run 0 new biped.urdf --posture "?knee:40,?hip:-20,?pitch:-20" --out given
says given/biped_whole_body.yaml 'Lknee: { target: 40 }'
run 0 run given/biped.cnoid --duration 0.5 --no-report --strict --out given/results

# a keyframe of an MJCF file, for all of them; its root is where it says
cat >keyed.xml <<'END'
<mujoco model="keyed"><include file="keys.xml"/><worldbody><body name="trunk" pos="0 0 1"><freejoint/>
<geom type="box" size="0.1 0.1 0.1" mass="5"/><body name="arm" pos="0 0 0.1"><joint name="j" axis="0 1 0" range="-60 60"/>
<geom type="box" size="0.02 0.02 0.1" pos="0 0 0.15" mass="1"/></body></body></worldbody></mujoco>
END
echo '<mujocoinclude><keyframe><key name="home" qpos="0 0 0.5 1 0 0 0 0.5"/><key name="low" qpos="0 0 0.1 1 0 0 0 0"/></keyframe></mujocoinclude>' >keys.xml
run 0 run keyed.xml --floor --posture home --targets home --controller posture --duration 0.002 --out keyed --no-report
says err "floating, lowest point 0.400 m above the floor"
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k } NR == 2 { bad = ($at["j.position"] - 0.5) ^ 2 > 1e-6 || $at["j.target"] != 0.5 }
    END { exit bad || NR < 2 }' keyed/keyed/joints.csv || fail 'the keyframe is not the start or the target'
refuses 1 "there is no keyframe 'hom'; the nearest is 'home'" run keyed.xml --posture hom --out no

# ---- refusals ----
refuses 1 "posture Lknee:-30: joint 'Lknee' would start at -30 deg, outside its range from 0 to 143.239" \
    run biped.urdf --posture Lknee:-30 --out no
refuses 1 "there is no keyframe 'home'" run biped.urdf --posture home --out no
refuses 1 "nee" run biped.urdf --posture Lkne:30 --out no
refuses 1 "posture is for a robot; in a project a BodyItem has initialJointDisplacements" \
    run biped/biped.cnoid --posture Lknee:30 --out no
# a robot that cannot stand gets the posture controller, with the reason
run 0 new "$robots/floater.urdf" --out floater
says err "gets no whole-body controller: "
[ -s floater/floater_posture.yaml ] || fail 'the floater has no controller'

finish
