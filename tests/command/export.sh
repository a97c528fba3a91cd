#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies of robots with friction for other simulators.
. "$(dirname "$0")/lib.sh"

cat >arm.xml <<'XML'
<mujoco>
  <!-- an arm > of two joints -->
  <option timestep="0.001"/>
  <default><joint damping="0.3"/></default>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" armature="0.2" frictionloss='0.1'/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" armature="0.1"
               damping="1"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
      </body>
    </body>
    <body name="box" pos="1 0 1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
</mujoco>
XML
cat >arm.yaml <<'YAML'
stiction: 1
joints:
  shoulder: { law: stribeck, static_torque: 30, coulomb_torque: 25, stribeck_velocity: 0.06,
              viscous: 4.5, stiffness: 5000, damping: 150 }
  elbow: { law: coulomb, coulomb_torque: 6, stiffness: 5000, damping: 50,
           presliding_torque: [ 1, 2 ], presliding_stiffness: [ 100, 200 ] }
YAML

# the element of the plugin; MuJoCo's own friction, of the joint and of defaults, would act as well
run 0 export arm.yaml --robot arm.xml --to mjcf --out arm_plugin.xml
silent err
cat >expected <<'DIFF'
>   <extension>
>     <plugin plugin="stiction.friction"/>
>   </extension>
<       <joint name="shoulder" axis="0 1 0" armature="0.2" frictionloss='0.1'/>
>       <plugin plugin="stiction.friction">
>         <config key="yaml" value="{stiction: 1, coupling: auto, joints: {
>       shoulder: {law: stribeck, static_torque: 30, coulomb_torque: 25, stribeck_velocity: 0.06, viscous: 4.5, stiffness: 5000, damping: 150},
>       elbow: {law: coulomb, coulomb_torque: 6, stiffness: 5000, damping: 50, presliding_torque: [1, 2], presliding_stiffness: [100, 200]}}}"/>
>       </plugin>
>       <joint damping="0" name="shoulder" axis="0 1 0" armature="0.2" frictionloss='0'/>
<                damping="1"/>
>                damping="0"/>
DIFF
diff arm.xml arm_plugin.xml | grep '^[<>]' | diff expected - || fail "the copy with the plugin"

# joints that turn about no axis have no friction, also where a class of defaults makes them so
cat >balls.xml <<'XML'
<mujoco>
  <default><default class="round"><joint type="ball"/><default class="rounder"/></default></default>
  <worldbody>
    <body><joint name="a" class="rounder"/><geom size="0.1"/></body>
    <body childclass="round"><joint name="b"/><geom size="0.1"/>
      <body><joint name="c" type="hinge"/><geom size="0.1"/></body></body>
  </worldbody>
</mujoco>
XML
echo '{stiction: 1, joints: {"*": {law: coulomb, coulomb_torque: 2, stiffness: 100, damping: 10}}}' >brakes.yaml
run 0 export brakes.yaml --robot balls.xml --to mjcf
says out '      c: {law: coulomb'
grep -q '[ab]: {law' out && fail "friction of a ball"

# a run of the copy has that friction, as a run of the original with the configuration has it
sed "s/ frictionloss='0.1'//; s/damping=\"[0-9.]*\"//" arm.xml >bare.xml
run 0 run bare.xml --config arm.yaml --set duration=0.5 --out bare
run 0 run arm_plugin.xml --set duration=0.5 --out plugin
cmp bare/bare/joints.csv plugin/arm_plugin/joints.csv || fail "the run of the copy differs"
run 0 run bare.xml --set duration=0.5 --out none
cmp -s bare/bare/joints.csv none/bare/joints.csv && fail "friction does nothing"
# all ways to say it: parameters for some joints, a file beside the model, an instance
cat >some.xml <<'XML'
<mujoco>
  <extension><plugin plugin="stiction.friction"><instance name="i">
    <config key="config" value="elbow.yaml"/><config key="prefix" value="el"/></instance></plugin></extension>
  <worldbody>
    <body><plugin plugin="stiction.friction"><config key="law" value="coulomb"/>
      <config key="coulomb_torque" value="3"/><config key="stiffness" value="100"/>
      <config key="damping" value="10"/><config key="joints" value="should*"/></plugin>
      <joint name="shoulder" axis="0 1 0" armature="1"/><geom type="sphere" size="0.1"/>
      <body pos="0.3 0 0"><plugin instance="i"/><joint name="elbow" axis="0 1 0" armature="1"/>
        <geom type="sphere" size="0.1"/></body>
    </body>
  </worldbody>
</mujoco>
XML
echo '{stiction: 1, joints: {bow: {law: coulomb, coulomb_torque: 2, stiffness: 100, damping: 10}}}' >elbow.yaml
run 0 run some.xml --set duration=0.01 --out some
says some/some/summary.json '"coulomb_torque": 3'
says some/some/summary.json '"coulomb_torque": 2'
sed 's/should\*/shulder/' some.xml >wrong.xml
refuses 1 "joints: there is no joint 'shulder'; the nearest is 'shoulder'" run wrong.xml --set duration=0.01 --out wrong

# MuJoCo's own friction, and the losses
run 0 export arm.yaml --robot arm.xml --to mjcf --native --out arm_native.xml
says out 'shoulder                       30          4.5           30             +5'
says out 'elbow                           6            0            6             +0'
says arm_native.xml "<joint damping=\"4.5\" name=\"shoulder\" axis=\"0 1 0\" armature=\"0.2\" frictionloss='30'/>"
says arm_native.xml '<joint frictionloss="6" name="elbow"'
# init reads what export wrote
run 0 init arm_native.xml
says out 'coulomb_torque: 30       # N m, arm_native.xml:7'
says out 'viscous: 4.5             # N m s/rad, arm_native.xml:7'

cat >arm.urdf <<'XML'
<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="50" velocity="1"/>
    <dynamics damping="0.1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/><axis xyz="0 1 0"/>
  </joint>
</robot>
XML
run 0 export arm.yaml --robot arm.urdf --to urdf --out arm_friction.urdf
says arm_friction.urdf '<dynamics friction="30" damping="4.5"/>'
says arm_friction.urdf '<dynamics friction="6" damping="0"/>'
run 0 init arm_friction.urdf
says out 'coulomb_torque: 30       # N m, arm_friction.urdf:8'
# without --out the copy is all of stdout
run 0 export arm.yaml --robot arm.urdf --to urdf
diff out arm_friction.urdf || fail "stdout is not the file"
says err 'joint'

refuses 2 'export needs --robot FILE and --to FORMAT' export arm.yaml
refuses 2 "--to is 'sdf' and must be mjcf or urdf" export arm.yaml --robot arm.xml --to sdf
refuses 1 'begins with <mujoco>, not <robot>' export arm.yaml --robot arm.xml --to urdf
refuses 1 'already exists' export arm.yaml --robot arm.xml --to mjcf --out arm_native.xml
refuses 2 'it writes a copy' export arm.yaml --robot arm.xml --to mjcf --out arm.xml --force
refuses 1 'the file has elements of stiction.friction' export arm.yaml --robot arm_plugin.xml --to mjcf
sed 's/name="shoulder"/& springdamper="0.2 1"/' arm.xml >spring.xml
refuses 1 "joint 'shoulder', or a default of the file, has springdamper" export arm.yaml --robot spring.xml --to mjcf
refuses 1 "joint 'shoulder', or a default of the file, has springdamper" export arm.yaml --robot spring.xml --to mjcf --native
sed 's/elbow:/elbov:/' arm.yaml >other.yaml
refuses 1 "'elbow'" export other.yaml --robot arm.xml --to mjcf
echo '<mujoco><worldbody/></mujoco>' >none.xml
refuses 1 'no hinge and no slide with a name' export arm.yaml --robot none.xml --to mjcf
exit $((failures > 0))
