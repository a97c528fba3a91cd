#!/bin/sh
# SPDX-License-Identifier: MIT
# new, and run of robots without a project: the files, the runs, and that nothing is overwritten.
. "$(dirname "$0")/lib.sh"
robots=$sources/tests/robots

# ---- new, then run ----
for robot in arm.body arm.xml floater.urdf linkage.xml; do
    name=${robot%.*}
    run 0 new "$robots/$robot" --out "new-$robot"
    says out "stiction run new-$robot/$name.cnoid"
    for file in "$name.cnoid" "$name.yaml" "${name}_posture.yaml" README.md; do
        [ -s "new-$robot/$file" ] || fail "new of $robot wrote no $file"
    done
    run 0 run "new-$robot/$name.cnoid" --out "ran-$robot" --no-report --duration 0.5
    says "ran-$robot/$name/summary.json" '"complete": true'
    run 0 check "new-$robot/$name.yaml" --body "$robots/$robot"
done
# Choreonoid up to 2.4 silently ignores these keys, which 2.5 writes
for project in new-*/*.cnoid "$sources"/sample_projects/*/*.cnoid; do
    keys=$(grep -oE '\b((initial_)?root_(translation|rotation)|(initial_)?joint_displacements|no_delay_mode|controller_options|(self_)?collision_detection|(dynamics|integration)_mode|optional_plugins|view_areas):' "$project")
    [ -z "$keys" ] || fail "$project has keys that Choreonoid 2.4 does not read: $keys"
done
# the arm holds its posture
run 0 run new-arm.xml/arm.cnoid --out held --duration 1 --no-report --json
says out '"final_position": 0'
# a robot that Choreonoid loads is copied, one that it does not is written
cmp -s "$robots/arm.body" new-arm.body/arm.body || fail 'arm.body was not copied'
says new-arm.body/arm.cnoid 'file: "arm.body"'
# one that names other files, or is in the folder of the project, is named where it is
mkdir -p shop/meshes && cp "$sources/tests/meshes/box.stl" shop/meshes
cat >shop/meshed.urdf <<'END'
<robot name="m"><link name="A"/><link name="B"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><mesh filename="meshes/box.stl"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="A"/><child link="B"/></joint></robot>
END
run 0 new shop/meshed.urdf --fixed-base --out meshed
says meshed/meshed.cnoid 'file: "../shop/meshed.urdf"'
run 0 run meshed/meshed.cnoid --duration 0.1 --no-report
refuses 1 "is outside the folder of 'meshed/meshed.cnoid'" run meshed/meshed.cnoid --duration 0.1 --no-report --force --untrusted
rm -r results
says new-arm.xml/arm.body 'joint_name: shoulder'
says new-floater.urdf/floater.cnoid 'Floor.body'
# the commands of its page run
for robot in arm.body floater.urdf arm.xml; do
    awk '/^```/ { inside = !inside && /sh/; next } inside' "new-$robot/README.md" |
        grep -v -e '^choreonoid' -e JOINT >commands
    [ "$(wc -l <commands)" -eq 3 ] || fail "the page of $robot has not three commands"
    PATH=$(dirname "$STICTION"):$PATH sh -eu commands >log 2>&1 || {
        fail "a command of the page of $robot"
        cat log
    }
    rm -r results alone
done

# all at once, or beside what others have there
[ -z "$(find . -name '.*.part' -o -name SHA256SUMS -path './new-*')" ] || fail 'new leaves something beside its files'
mkdir shared
cp "$robots/arm.urdf" shared
run 0 new shared/arm.urdf --out shared
[ "$(ls -A shared)" = "$(printf '%s\n' README.md arm.cnoid arm.urdf arm.yaml arm_posture.yaml)" ] ||
    fail 'new does not write into a folder that has files'
ln -s nowhere link
refuses 1 'link is a symbolic link, through which nothing is written' new "$robots/arm.xml" --out link
# nothing is overwritten, and a refused command leaves no files
cp new-arm.xml/arm.yaml before.yaml
refuses 1 'new-arm.xml/arm.yaml exists, and nothing is overwritten' \
    new "$robots/arm.xml" --out new-arm.xml
cmp -s before.yaml new-arm.xml/arm.yaml || fail 'new wrote over a file'
refuses 1 'nowhere.urdf: there is no such file' new nowhere.urdf
refuses 1 'robot.yaml: is not a robot file: its name must end in .body, .urdf or .xml' new robot.yaml
cat >wet.xml <<'END'
<mujoco><option density="1" wind="1 0 0"/><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody></mujoco>
END
refuses 1 'wet.xml: wind is not read, but would act' new wet.xml
[ ! -e wet ] || fail 'new left a folder behind'

# ---- robots without a project ----
run 0 init "$robots/arm.urdf" --out arm.yaml
run 0 run "$robots/arm.urdf" --config arm.yaml --duration 0.5 --timestep 0.002 --no-report
says results/arm/summary.json '"overrides": ["configuration=arm.yaml", "duration=0.5", "timestep=0.002"]'
says results/arm/summary.json '"timestep": 0.002'
says results/arm/summary.json '"law": "coulomb"'
run 0 run "$robots/arm.body" --duration 0.1 --no-report --out bare
says err 'warning: no joint has friction: no configuration was given'
says bare/arm/summary.json 'no joint has friction: no configuration was given'
refuses 1 'there is no friction to replace values in: no configuration was given' \
    run "$robots/arm.body" --out bare --force --set law=coulomb

# the same robot falls, stands on the floor, or is held
cat >box.urdf <<'END'
<robot name="box"><link name="BOX"><inertial><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="ARM"><inertial><origin xyz="0.1 0 0"/><mass value="0.1"/>
<inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="continuous"><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/><parent link="BOX"/>
<child link="ARM"/></joint></robot>
END
# swing OPTION...: how far its arm swings in 0.3 s
swing() {
    run 0 run box.urdf --out swings --force --no-report --duration 0.3 "$@" >/dev/null
    sed -n 's/.*"final_position": \([^,]*\).*/\1/p' swings/box/summary.json | head -n 1
}
falling=$(swing) standing=$(swing --floor) held=$(swing --fixed-base)
awk -v f="$falling" -v s="$standing" -v h="$held" 'BEGIN {
    exit !(f < 1e-6 && f > -1e-6 && s > 0.1 && h > 0.1 && s != h) }' ||
    fail "falling $falling, standing $standing, held $held"
says swings/box/summary.json '"overrides": ["duration=0.3", "fixed_base=true"]'
[ "$(swing --set fixed_base=true)" = "$held" ] || fail '--set fixed_base is another'
refuses 2 '--set floor=yes: must be true or false' run box.urdf --set floor=yes
refuses 1 'floor is for a robot; in a project a floor is a BodyItem' \
    run "$sources/sample_projects/wrist/wrist.cnoid" --floor
refuses 1 'is MJCF, which Choreonoid does not load; `stiction new` writes a project with a .body' \
    run "$robots/arm.xml" --engine choreonoid --out there

finish
