#!/bin/sh
# SPDX-License-Identifier: MIT
# check and init on robots: verdicts, exit codes, files and refusals.
. "$(dirname "$0")/lib.sh"
robots=$sources/tests/robots

# ---- check without a robot ----
run 1 check robot.yaml
says err "joint 'SOFT': at time step 0.001 s stiffness * timestep + damping is 6"
says out 'robot.yaml at a time step of 0.001 s (assumed: neither --timestep nor the file gives one)'
says out 'SOFT     stribeck  5000   1         0.1667   -4.08  illegal'
says out 'RWRR     stribeck  5000  50        0.01818   0.445  legal    holds'
says out 'illegal  illegal       legal with B above 25.5, or K above 2.95e+04'
says out 'no potential  does not read stiffness; does not read damping'
run 0 check robot.yaml --timestep 0.01
silent err
refuses 1 'missing.yaml' check missing.yaml
refuses 2 'check: --print, --csv and --json exclude each other' check robot.yaml --csv --json

# parameters of a drive, margins, and parameters that a law does not read
cat >drives.yaml <<'END'
stiction: 1
timestep: 0.001
profiles:
  drive: { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06, viscous: 4.5,
           stiffness: 5000, damping: 150, load_motor_static: 0.2, load_limit: 20, ripple: 0.1, lag: 0,
           presliding_torque: [0.1, 0.2], presliding_stiffness: [1000, 500] }
joints:
  A: { profile: drive }
  B: { profile: drive, law: lugre }
  C: { profile: drive, law: coulomb }
  D: { profile: drive, load_motor_static: 0, load_limit: 1e30, ripple: 0, presliding_torque: [],
       presliding_stiffness: [] }
  E: { profile: drive, law: coulomb, load_motor_static: 0, ripple: 0, reverse_factor: 0.93,
       reverse_viscous_factor: 1.12 }
END
run 0 check drives.yaml
silent err
# 1 - ((1.1 * 2.1 + 0.2 * 20)/0.06 - 4.5)/155
says out '0.351  legal    holds         drive: load_motor_static 0.2, load_limit 20, ripple 0.1, presliding_torque [0.1, 0.2], presliding_stiffness [1000, 500]'
says out 'does not read ripple; does not read lag; does not read presliding_torque; does not read presliding_stiffness'
says out 'load_motor_static makes no difference'
says out '0.803  legal    holds         '
says out 'reverse_factor 0.93, reverse_viscous_factor 1.12'
[ "$(grep -c reverse_viscous_factor out)" -eq 1 ] || fail 'a factor that is not given is shown'
run 0 check drives.yaml --print
cp out again.yaml
run 0 check again.yaml --print
cmp -s out again.yaml || fail 'check --print changes drives when they are read again'

# --print writes the same configuration
run 0 check robot.yaml --timestep 0.01 --print
cp out again.yaml
run 0 check again.yaml --timestep 0.01 --print
cmp -s out again.yaml || fail 'check --print changes when it is read again'

# ---- units go by the joints ----
printf 'stiction: 1\njoints: {}\n' >none.yaml
run 0 check none.yaml --body "$robots/arm.body"
says out 'inertia kg m^2, kg'
says out 'Z rad/s/(N m), m/s/N'

# ---- check on a robot ----
with_wrist finger.yaml <<'END'
models: [Finger]
joints:
  WRIST: { profile: wrist }
  FINGER: { profile: wrist }
END
run 0 check finger.yaml --body "$robots/finger.body"
silent err
says out 'on Finger: 2 joints, root fixed'
says out 'inertia kg m^2 '
says out 'WRIST   stribeck  5000  50        0.01818   0.445          0.1675  0.6269  stable                  5000            50  holds'
says out 'FINGER  stribeck  5000  50        0.01818   0.445          0.0001    1050  cannot be both'
says out 'needs a time step below 1.31e-05 s'
says out 'explicit, whole body: 1050, not below 4: unstable'
says out 'implicit, whole body: holds for any inertia, at any time step'
says out 'coupling: auto takes implicit here, since explicit is not safe by a factor of two'
says out 'advice: coupling: implicit, which auto takes by itself; else, for explicit, the K and B that hold'
run 0 check finger.yaml --body "$robots/finger.body" --json
says out '"coupling": {"configured": "auto", "taken": "implicit", "explicit_safe": false, "implicit_holds": true, "implicit_above_timestep": 0}'

# couple NAME: finger.yaml with that coupling, as coupled.yaml
couple() { sed "1a coupling: $1" finger.yaml >coupled.yaml; }
couple implicit
run 0 check coupled.yaml --body "$robots/finger.body"
says out 'coupling: implicit, as the file says'
grep -q advice out && fail 'there is advice to do what is done'
couple explicit
run 1 check coupled.yaml --body "$robots/finger.body"
says out 'coupling: explicit, as the file says'
says out 'advice: coupling: implicit; else, for explicit, the K and B that hold'
run 1 check coupled.yaml --body "$robots/finger.body" --json
says out '"fine": false'
says out '"configured": "explicit", "taken": "explicit"'

# the choice of auto changes at half of the limit: 2 T B + T^2 K = 2 M
run 0 check "$sources/config/wrist.yaml" --body "$sources/sample_projects/wrist/wrist.body"
says out 'coupling: auto takes explicit here, which is safe by a factor of two'
grep -q advice out && fail 'there is advice where nothing is wrong'
sed 's/0.1675/0.0526/' "$sources/sample_projects/wrist/wrist.body" >safe.body
run 0 check "$sources/config/wrist.yaml" --body safe.body
says out 'auto takes explicit'
sed 's/0.1675/0.0524/' "$sources/sample_projects/wrist/wrist.body" >near.body
run 0 check "$sources/config/wrist.yaml" --body near.body
says out 'auto takes implicit'
says out 'advice: coupling: implicit, which auto takes by itself; explicit is stable, but near its limit'

# K alone is legal at long time steps only: 5000 T > 35 - 4.5
sed 's/damping: .*/damping: 0/; 1a coupling: implicit' "$sources/config/wrist.yaml" >undamped.yaml
run 0 check undamped.yaml --body "$sources/sample_projects/wrist/wrist.body" --timestep 0.01
says out 'implicit, whole body: holds for any inertia, at time steps above 0.0061 s'
run 1 check undamped.yaml --body "$sources/sample_projects/wrist/wrist.body" --timestep 0.005
says out 'implicit, whole body: illegal: the notes say which B or K would do'
says out 'legal with B above 5.5, or K above 6100'

# a model of the literature cannot be implicit, and auto cannot help it
sed 's/FINGER: .*/FINGER: { profile: wrist, law: lugre }/' finger.yaml >lugre.yaml
run 1 check lugre.yaml --body "$robots/finger.body"
says out 'no potential'
says out 'implicit, whole body: not possible: a law without a potential cannot be implicit'
says out 'auto takes explicit here, since explicit is not safe by a factor of two, but not every law can be implicit'
says out 'advice: coupling: implicit, with laws that have a potential (coulomb, stribeck, rational); else'
sed '1a coupling: implicit' lugre.yaml >coupled.yaml
run 1 check coupled.yaml --body "$robots/finger.body"

# there is always advice: other K and B, or another time step
sed 's/0.1675/0.01/' "$sources/sample_projects/wrist/wrist.body" >light.body
run 0 check "$sources/config/wrist.yaml" --body light.body
says out 'no K and B hold here; its own do below 0.000315 s'
run 0 check "$sources/config/wrist.yaml" --body light.body --timestep 0.000315

sed 's/FINGER: .*/FINGER: { profile: wrist, law: coulomb }/; 1a coupling: explicit' \
    finger.yaml >coulomb.yaml
run 1 check coulomb.yaml --body "$robots/finger.body" --csv
says out 'joint,law,stiffness,damping,Z,margin,inertia,number,verdict,holding_stiffness,holding_damping,implicit,note'
says out ',unstable,15.238'
run 1 check coulomb.yaml --body "$robots/finger.body" --json
says out '"fine": false'
says out '"holding_number": 3.'
# the K and B that are advised hold
sed 's/FINGER: .*/FINGER: { profile: wrist, law: coulomb, stiffness: 15.2, damping: 0.152 }/
    1a coupling: explicit' finger.yaml >holds.yaml
run 0 check holds.yaml --body "$robots/finger.body"
says out 'whole body: 3.192, below 4: stable'
run 1 check holds.yaml --body "$robots/arm.body"
says err "joint 'WRIST': the robot has no such joint"
says out 'shoulder  none'
says out 'no friction'
refuses 1 'none.urdf' check holds.yaml --body none.urdf

# ---- init ----
for robot in arm.body arm.urdf arm.xml floater.body floater.urdf floater.xml finger.body \
    two_link.body; do
    run 0 init "$robots/$robot" --out "$robot.yaml"
    silent out
    silent err
    run 0 check "$robot.yaml" --body "$robots/$robot"
    silent err
    says out 'below 4: stable'
    if grep -E 'unstable|illegal|no friction|cannot' out; then fail "init $robot is not stable"; fi
done
says arm.body.yaml 'models: [Arm]'
says arm.body.yaml '    coulomb_torque: 0.4      # N m, estimate: 2 % of the largest torque, arm.body:28'
says arm.urdf.yaml '    coulomb_torque: 0.6      # N m, arm.urdf:37'
says arm.urdf.yaml '    viscous: 0.25            # N m s/rad, arm.urdf:37'
says arm.urdf.yaml '    coulomb_torque: 1        # N, estimate: 2 % of the largest force, arm.urdf:69'
says arm.xml.yaml '    viscous: 2               # N s/m, arm_defaults.xml:6'
says arm.xml.yaml 'stops the joint at 5 rad/s^2 (arm.xml:19 states none)'
says arm.body.yaml 'coupling: auto'
says arm.body.yaml '# Coupling: explicit would be stable at a time step of 1 ms; auto takes it'
run 0 init "$robots/arm.urdf"
cmp -s out arm.urdf.yaml || fail 'init writes something else to stdout'
refuses 2 'init: --force is for --out' init "$robots/arm.urdf" --force
refuses 1 "arm.urdf.yaml already exists; --force replaces it" \
    init "$robots/arm.urdf" --out arm.urdf.yaml
run 0 init "$robots/arm.body" --out arm.urdf.yaml --force
cmp -s arm.urdf.yaml arm.body.yaml || fail 'init --force did not write'
refuses 1 "no/where.yaml: No such file" init "$robots/arm.urdf" --out no/where.yaml

# a joint that no simulator lists is left out, and the configuration runs
awk '!/joint_id: 2$/' "$robots/arm.body" >unlisted.body
run 0 init unlisted.body --out unlisted.yaml
says unlisted.yaml 'has no joint_id: simulators give it no friction.'
run 0 run unlisted.body --config unlisted.yaml --duration 0.01 --no-report --out unlisted

# a light joint is as stiff as others, and implicit: 0.02 N m, the 2 % of 1 N m, over 0.5 mrad
humanoid=$sources/sample_projects/humanoid/humanoid.body
run 0 init "$humanoid" --out humanoid.yaml
silent out
says err "stiction: init: coupling: implicit is written, since explicit would not be stable at 1 ms for 'RTMP' and 17 others"
says humanoid.yaml 'coupling: implicit'
says humanoid.yaml '# not be stable at 1 ms, for 18 of 53 joints are too light.'
sed -n '/^  RTMP:/,/damping/p' humanoid.yaml >finger
says finger 'stiffness: auto'
says finger 'damping: auto'
run 0 check humanoid.yaml --body "$humanoid"
says out 'coupling: implicit, as the file says'
# at a tenth of the time step explicit coupling is stable, with the same stiffness
run 0 init "$humanoid" --timestep 0.0001 --out short.yaml
silent err
says short.yaml 'coupling: auto'
diff humanoid.yaml short.yaml | grep -E 'stiffness|damping:' && fail 'init changes K and B with the time step'

# a root that stands still makes the joint of a URDF heavier
run 0 check floater.urdf.yaml --body "$robots/floater.urdf"
says out 'root free'
run 0 check floater.urdf.yaml --body "$robots/floater.urdf" --fixed-base
says out '            0.06  '

# names that YAML would take for something else, and time steps other than 1 ms
cat >odd.urdf <<'END'
<robot name="a: b"><link name="world"/>
<link name="l"><inertial><mass value="1"/>
<inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="no" type="continuous"><parent link="world"/><child link="l"/></joint></robot>
END
run 0 init odd.urdf --timestep 0.01 --out odd.yaml
says odd.yaml 'models: ["a: b", odd]'
says odd.yaml '  "no":'
run 0 check odd.yaml --body odd.urdf
says out 'at a time step of 0.01 s'

cat >box.body <<'END'
format: ChoreonoidBody
format_version: 2.0
links: [ { name: BOX, joint_type: free, oil: much } ]
END
run 1 init box.body
says err 'warning: box.body: keys that have no bearing on masses and joints are not read: oil (line 3)'
says err 'box.body: has no joints that could have friction'
refuses 1 'robot.yaml: is not a robot file: its name must end in .body, .urdf or .xml' init robot.yaml
# OpenHRP's robots, which Choreonoid reads
cat >robot.wrl <<'END'
#VRML V2.0 utf8
PROTO Joint [ exposedField SFString jointType "free" ] { Group { } }
DEF ARM Humanoid { humanoidBody [ DEF J Joint { jointType "rotate" } ] }
END
instead='in place of a .wrl of OpenHRP use the .body or .urdf of the robot'
refuses 1 "$instead" init robot.wrl
refuses 1 "$instead" new robot.wrl
refuses 1 "$instead" check "$sources/config/wrist.yaml" --body robot.wrl
sed -e "s|\"wrist.body\"|$PWD/robot.wrl|; s|\"../|\"$sources/sample_projects/|" \
    "$sources/sample_projects/wrist/wrist.cnoid" >wrl.cnoid
refuses 1 "robot.wrl' is a robot of OpenHRP, which is not read; $instead" run wrl.cnoid --no-report
[ ! -e MUJOCO_LOG.TXT ] || fail 'MuJoCo wrote its log'
finish
