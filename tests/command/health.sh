#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs that look healthy and are not: stable is false, a warning says why, --strict exits with 1.
. "$(dirname "$0")/lib.sh"

# chain JOINTS: a horizontal chain that falls
chain() {
    awk -v n="$1" 'BEGIN {
        print "<robot name=\"chain\"><link name=\"base\"/>"
        for (k = 1; k <= n; k++) {
            print "<link name=\"L" k "\"><inertial><origin xyz=\"0.05 0 0\"/><mass value=\"0.2\"/>"
            print "<inertia ixx=\"3e-4\" iyy=\"3e-4\" izz=\"1e-4\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>"
            print "</inertial></link>"
            print "<joint name=\"J" k "\" type=\"continuous\"><parent link=\"" (k > 1 ? "L" k - 1 : "base") "\"/>"
            print "<child link=\"L" k "\"/><origin xyz=\"" (k > 1 ? 0.1 : 0) " 0 0\"/>"
            print "<axis xyz=\"0 " (k % 2 ? "0 1" : "1 0") "\"/></joint>"
        }
        print "</robot>" }' >chain.urdf
}
cat >chain.yaml <<'END'
stiction: 1
models: [chain]
joints:
  "J*": { law: coulomb, coulomb_torque: 0.1, viscous: 0, stiffness: 10, damping: 0.1 }
END

# ---- energy from nothing: the integration of 40 joints at 2 ms; nobody drives them ----
chain 40
run 0 run chain.urdf --config chain.yaml --set timestep=0.002 --set duration=5 --out long --no-report
says long/chain/summary.json '"stable": false'
says out 'J from nothing in the first'
says out 'the time step is too long for this motion; take a smaller one'
grep -q 'stiction check' out err && fail 'friction is blamed'
run 1 run chain.urdf --config chain.yaml --set timestep=0.002 --set duration=5 --out long --no-report --force --strict

# ---- at a time step that resolves the motion the same chain, shorter, is fine ----
chain 4
run 0 run chain.urdf --config chain.yaml --set timestep=0.0005 --set duration=2 --out short --no-report --strict
says short/chain/summary.json '"warnings": []'

# ---- the work of a push is no energy from nothing ----
run 0 run "$sources/sample_projects/whole_body/humanoid_push.cnoid" --out push --no-report --strict

# ---- contacts that rattle while implicit friction holds every joint are no chatter ----
run 0 run "$sources/sample_projects/humanoid/humanoid_standing.cnoid" --out rattle --no-report --set timestep=0.0005 --duration 0.4 --strict

# ---- bases: a root without mass, as ROS has it, floats with the link that is fixed to it ----
cat >biped.urdf <<'END'
<robot name="biped"><link name="base_link"/>
<link name="pelvis"><inertial><mass value="5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
<link name="leg"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="base" type="fixed"><parent link="base_link"/><child link="pelvis"/></joint>
<joint name="hip" type="continuous"><parent link="pelvis"/><child link="leg"/><axis xyz="0 1 0"/></joint></robot>
END
run 0 run biped.urdf --floor --duration 0.2 --out biped --no-report
says err "base of 'biped': floating, lowest point 0.000 m above the floor"
head -n 1 biped/biped/joints.csv | grep -q base.z || fail 'the base does not float'
run 0 run biped.urdf --fixed-base --duration 0.2 --out biped --force --no-report
says err "base of 'biped': fixed, as asked"
run 0 run biped.urdf --set fixed_base=false --duration 0.2 --out biped --force --no-report
says err "base of 'biped': floating"
refuses 2 '--fixed-base and --free-base exclude each other' run biped.urdf --fixed-base --free-base
chain 1
run 0 run chain.urdf --duration 0.01 --out root --no-report
says err "base of 'chain': fixed, its root link has no mass and nothing fixed to it"
refuses 1 "the base cannot float: its root link 'base' has no mass" run chain.urdf --free-base --out other

# ---- trifles are repaired with a warning: a hand without mass, a joint that follows a fixed one ----
sed 's|</robot>|<link name="hand"/><joint name="wrist" type="revolute"><parent link="leg"/><child link="hand"/><limit effort="1" velocity="1" lower="-1" upper="1"/></joint>\n<link name="toe"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="ankle" type="continuous"><parent link="leg"/><child link="toe"/><mimic joint="base"/></joint></robot>|' biped.urdf >trifles.urdf
run 0 run trifles.urdf --duration 0.1 --out trifles --no-report
says err "joint 'wrist' moves nothing that has mass: it is fixed"
says err "joint 'ankle' follows 'base', which is fixed: it is fixed"
sed 's|<mimic joint="base"/>|<mimic joint="bass"/>|' trifles.urdf >nobody.urdf
run 0 run nobody.urdf --duration 0.1 --out nobody --no-report
says err "joint 'ankle' follows 'bass', which the file does not have: it is fixed"
sed 's|ixx="0.01" iyy="0.01"|ixx="-3e-8" iyy="0.01"|' trifles.urdf >rounded.urdf
run 0 run rounded.urdf --duration 0.1 --out rounded --no-report
says err "has a negative moment of inertia, -3e-08 kg m^2, so small that it is taken as 0"
sed 's|ixx="0.01" iyy="0.01"|ixx="-0.02" iyy="0.01"|' trifles.urdf >wrong.urdf
refuses 1 "has a negative moment of inertia, -0.02 kg m^2" run wrong.urdf --out wrong

# ---- a start inside another body is refused ----
cat >deep.xml <<'END'
<mujoco model="deep"><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="ball" pos="0 0 0.09"><joint name="x" type="slide" axis="1 0 0"/><geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>
END
refuses 1 "overlap by 0.01 m at the start, and would be thrown apart" run deep.xml --duration 0.1 --out deep

# ---- one time step: MuJoCo's where an MJCF file gives none ----
sed 's/0.09/0.1/' deep.xml >own.xml
run 0 init own.xml --out own.yaml
says own.yaml 'timestep: 0.002'
run 0 check own.yaml --body own.xml
says out 'own.yaml at a time step of 0.002 s'
run 0 run own.xml --config own.yaml --duration 0.1 --out own --no-report
says own/own/summary.json '"timestep": 0.002'

finish
