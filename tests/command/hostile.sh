#!/bin/sh
# SPDX-License-Identifier: MIT
# Untrusted files: only regular files are read, large ones are refused, and files outside the folder
# are not read. Sizes are those of docs/files.md.
. "$(dirname "$0")/lib.sh"
robots=$sources/tests/robots
unset STICTION_CHOREONOID_SHARE STICTION_PACKAGE_PATH ROS_PACKAGE_PATH AMENT_PREFIX_PATH

# the address sanitizer takes terabytes of addresses
limit=1500000
(ulimit -v $limit && "$STICTION" --version) >out 2>&1 || limit=unlimited

# within EXIT_CODE "SENTENCE" ARGUMENTS...: refused, in bounded memory (ulimit -v is in KiB) and time.
within() {
    expected=$1
    sentence=$2
    shift 2
    (
        ulimit -v $limit
        exec timeout 600 "$STICTION" "$@"
    ) >out 2>err </dev/null
    code=$?
    [ "$code" -eq "$expected" ] || { fail "stiction $*: exit code $code instead of $expected"; cat err; }
    says err "$sentence"
}

# ---- pipes, devices, folders ----
with_wrist good.yaml <<'END'
joints: { RWRR: { profile: wrist } }
END
mkfifo pipe.yaml pipe.csv pipe.body pipe.urdf pipe.xml pipe.cnoid
ln -s /dev/zero zero.yaml
ln -s /dev/zero zero.body
ln -s /dev/zero zero.csv
ln -s /dev/tty tty.csv
mkdir folder.yaml
within 1 'pipe.yaml: the file cannot be read: it is not a file but a pipe' check pipe.yaml
within 1 'zero.yaml: the file cannot be read: it is not a file but a device' check zero.yaml
within 1 '/dev/zero: the file cannot be read: it is not a file but a device' check /dev/zero
within 1 'folder.yaml: the file cannot be read: Is a directory' check folder.yaml
within 1 'pipe.csv: it is not a file but a pipe; give - to read from a pipe' replay good.yaml pipe.csv
within 1 '/dev/zero: it is not a file but a device' replay good.yaml /dev/zero
within 1 'tty.csv: ' replay good.yaml tty.csv
within 1 'pipe.csv: it is not a file but a pipe; give - to read from a pipe' curve good.yaml RWRR --at pipe.csv
within 1 'pipe.yaml: the file cannot be read: it is not a file but a pipe' sweep pipe.yaml
for kind in body urdf xml cnoid; do
    within 1 "pipe.$kind: the file cannot be read: it is not a file but a pipe" run "pipe.$kind" --no-report
done
within 1 'zero.body: the file cannot be read: it is not a file but a device' init zero.body
within 1 'it is not a file but a pipe' report pipe.csv --out r
mkdir results_of
mkfifo results_of/summary.json
within 1 'results_of/summary.json: it is not a file but a pipe' report results_of
rm -r results_of
# a pipe is read as -
printf 'time,RWRR\n0,1\n0.001,1\n' | "$STICTION" replay good.yaml - >out 2>err || fail 'replay of stdin'
says out '0.001,1,'
printf '0\n1\n' | "$STICTION" curve good.yaml RWRR --csv --at - >out 2>err || fail 'curve of stdin'
says out '1,'

# ---- the motions and configurations of controllers ----
# project CONFIGURATION OPTIONS [ROBOT]: ./dir/p.cnoid
mkdir dir
cp "$robots/arm.body" dir
with_wrist dir/own.yaml <<'END'
joints: { "*": { profile: wrist } }
END
project() {
    cat >dir/p.cnoid <<END
items:
  class: RootItem
  name: Root
  children:
  - class: WorldItem
    name: World
    children:
    - class: BodyItem
      name: Arm
      data: { file: "${3:-arm.body}", fix_root: true }
      children: [ { name: C, class: SimpleControllerItem, data: { controller: ${4:-StictionPostureController}, controller_options: "$2" } } ]
    - class: AISTSimulatorItem
      name: AIST
      data: { time_range_mode: specified, time_length: 0.01 }
      children:
      - { name: Friction, class: StictionItem, plugin: Stiction, data: { configuration_file: "$1" } }
END
}
project own.yaml 'kp=20'
run 0 run dir/p.cnoid --out fine --no-report
motion="cannot be read: it is not a file but a"
within 1 "$motion device" run dir/p.cnoid --out r --no-report --set controller.motion=/dev/zero
within 1 "$motion pipe" run dir/p.cnoid --out r --no-report --set controller.motion=pipe.csv
within 1 "$motion pipe" run dir/p.cnoid --out r --no-report --controller posture:config=pipe.yaml
within 1 "$motion device" run dir/p.cnoid --out r --no-report --targets zero.csv
mkfifo dir/pipe.csv dir/pipe.yaml dir/pipe.body
project own.yaml 'motion=pipe.csv'
within 1 "$motion pipe" run dir/p.cnoid --out r --no-report
project own.yaml 'motion=-'
within 1 "No such file or directory" run dir/p.cnoid --out r --no-report
project pipe.yaml 'kp=20'
within 1 "$motion pipe" run dir/p.cnoid --out r --no-report
mkfifo dir/pipe.so dir/pipe.py
project own.yaml '' arm.body pipe
within 1 "$motion pipe" run dir/p.cnoid --out r --no-report
for ending in so py; do
    project own.yaml "pipe.$ending" arm.body StictionController
    within 1 "$motion pipe" run dir/p.cnoid --out r --no-report
done
project own.yaml 'kp=20' pipe.body
within 1 "dir/p.cnoid:10:21: cannot read 'dir/pipe.body': it is not a file but a pipe" run dir/p.cnoid --out r --no-report

# ---- files that are too large, though sparse ----
truncate -s 5100M huge.yaml huge.body huge.urdf huge.csv dir/huge.stl
truncate -s 20G log.csv
within 1 'huge.yaml: the file cannot be read: it is 5 GiB; at most 16 MiB are read' check huge.yaml
within 1 'huge.body: the file cannot be read: it is 5 GiB; at most 64 MiB are read' init huge.body
within 1 'huge.urdf: the file cannot be read: it is 5 GiB; at most 64 MiB are read' init huge.urdf
within 1 'log.csv: it is 20 GiB; at most 16 GiB are read' replay good.yaml log.csv
within 1 'huge.csv: it is 5 GiB; at most 256 MiB are read' curve good.yaml RWRR --at huge.csv
project own.yaml 'kp=20'
within 1 'it is 5 GiB; at most 256 MiB are read' run dir/p.cnoid --out r --no-report --set controller.motion=huge.csv
within 1 'there is a byte 0: this is no text' replay good.yaml huge.csv
mkdir results_of && truncate -s 5G results_of/summary.json
within 1 'results_of/summary.json: it is 5 GiB; at most 64 MiB are read' report results_of
cat >dir/mesh.urdf <<'END'
<robot name="m"><link name="A"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><mesh filename="huge.stl"/></geometry></collision></link></robot>
END
run 0 run dir/mesh.urdf --out r --force --no-report --duration 0.01
says err 'it is 5 GiB; at most 100 MiB are read'
# MuJoCo reads meshes and height fields itself
mkfifo dir/pipe.png
for asset in '<mesh name="m" file="huge.stl"/>' '<hfield name="m" size="1 1 1 1" file="pipe.png"/>'; do
    kind=${asset#<}
    kind=${kind%% *}
    printf '<mujoco><asset>%s</asset><worldbody><body><joint/><geom type="%s" %s="m"/></body></worldbody></mujoco>' \
        "$asset" "$kind" "$kind" >dir/asset.xml
    within 1 "dir/asset.xml:1:16: cannot read '" init dir/asset.xml
done

# ---- small files that need much memory ----
# columns, elements, includes of includes; load_errors and robot.rubbish_ends_in_bounded_time have aliases and depth
head -c 3000000 /dev/zero | tr '\0' ',' >wide.csv
within 1 'wide.csv:1:1: the row has more than 262144 cells' replay good.yaml wide.csv
{
    printf '<robot name="r">'
    head -c 12000000 /dev/zero | sed 's|\x00\x00\x00\x00|<a/>|g'
    printf '</robot>'
} >many.urdf
within 1 'has more than 3000000 elements and attributes' init many.urdf
for k in 0 1 2 3 4 5 6 7 8 9; do
    n=$((k + 1))
    printf '<mujoco><include file="i%s.xml"/><include file="./i%s.xml"/><include file="././i%s.xml"/></mujoco>' $n $n $n >i$k.xml
done
within 1 '' init i0.xml
# files that are each small enough
{
    printf 'format: ChoreonoidBody\nformat_version: 2.0\nname: A\nlinks: [ { name: A, joint_type: fixed } ]\n#'
    head -c 60000000 /dev/zero | tr '\0' '-'
} >large1.body
{
    printf 'items:\n  class: RootItem\n  children:\n    - class: WorldItem\n      children:\n'
    for k in 1 2 3 4 5; do
        [ "$k" -eq 1 ] || ln large1.body large$k.body
        printf '        - { class: BodyItem, name: B%s, data: { file: large%s.body, fix_root: true } }\n' $k $k
    done
    printf '        - { class: AISTSimulatorItem, name: S }\n'
} >large.cnoid
within 1 "large5.body' more than 256 MiB are read" run large.cnoid --out large
rm large?.body

# ---- files outside the folder of the project ----
mkdir secret
echo 'root:$6$TOPSECRET:19000:0:99999:7:::' >secret/shadow
cp secret/shadow secret/shadow.yaml
cp "$robots/arm.body" secret/arm.body
cp good.yaml secret/good.yaml
real=$(realpath secret)
# outside PLACE FILE: the last refusal names the place and the file; nothing of it is read
outside() {
    says err "$1"
    says err "$2"
    says err "is outside the folder of '"
    grep -q TOPSECRET err && fail 'the error has what the file has'
}
# untrusted PROJECT: --untrusted refuses to run it
untrusted() { within 1 '' run "$1" --out r --no-report --untrusted; }
project "$PWD/secret/shadow.yaml" 'kp=20'
untrusted dir/p.cnoid
outside 'dir/p.cnoid:16:94: ' 'secret/shadow.yaml'
project ../secret/shadow.yaml 'kp=20'
untrusted dir/p.cnoid
outside 'dir/p.cnoid:16:94: ' 'secret/shadow.yaml'
ln -s ../secret/shadow.yaml dir/link.yaml
project link.yaml 'kp=20'
untrusted dir/p.cnoid
says err "'dir/link.yaml' is '$real/shadow.yaml', which is outside the folder of 'dir/p.cnoid', which --untrusted refuses"
# a missing file is reported as such
project ../nowhere.yaml 'kp=20'
within 1 'No such file or directory' run dir/p.cnoid --out r --no-report --untrusted
# robots, and the files that they name
project own.yaml 'kp=20' ../secret/arm.body
untrusted dir/p.cnoid
outside 'dir/p.cnoid:10:21: ' 'secret/arm.body'
run 0 run dir/p.cnoid --out trusted --no-report
# a folder whose name begins with the name of another
mkdir dir2 && cp secret/arm.body dir2
project own.yaml 'kp=20' ../dir2/arm.body
untrusted dir/p.cnoid
outside 'dir/p.cnoid:10:21: ' 'dir2/arm.body'
# posture files and motions
printf 'posture: 1\nkp: 20\n' >secret/posture.yaml
project own.yaml 'config=../secret/posture.yaml'
untrusted dir/p.cnoid
outside "dir/p.cnoid:11:" 'secret/posture.yaml'
run 0 run dir/p.cnoid --out trusted --no-report --force
project own.yaml "motion=$PWD/secret/shadow"
untrusted dir/p.cnoid
outside "dir/p.cnoid:11:" 'secret/shadow'
printf 'posture: 1\nmotion: ../secret/shadow\n' >dir/posture.yaml
project own.yaml 'config=posture.yaml'
untrusted dir/p.cnoid
outside "dir/posture.yaml:2:9: " 'secret/shadow'
printf 'posture: 1\nfriction: ../secret/shadow\ncompensation: desired\n' >dir/posture.yaml
untrusted dir/p.cnoid
outside "dir/posture.yaml:2:11: " 'secret/shadow'
# files that the user names may be anywhere
project own.yaml 'kp=20'
run 0 run dir/p.cnoid --out trusted --no-report --force --untrusted --controller posture:config=secret/posture.yaml
run 0 run dir/p.cnoid --out trusted --no-report --force --untrusted --set controller.config=secret/posture.yaml
# code, in the folder of the project too
touch dir/evil.so dir/evil.py
for file in evil.so evil.py "unix:socket"; do
    project own.yaml "$file:x" arm.body StictionController
    untrusted dir/p.cnoid
    says err 'dir/p.cnoid:11:'
    says err "is code of 'dir/p.cnoid', which --untrusted refuses; replace it with --controller"
done
project own.yaml "" arm.body evil
untrusted dir/p.cnoid
says err 'which --untrusted refuses'
run 0 run dir/p.cnoid --out trusted --no-report --force --untrusted --controller none
refuses 2 '--untrusted is for the embedded engine' run dir/p.cnoid --engine choreonoid --untrusted
# meshes of robots, also through packages and from inside of other meshes
cp "$sources/tests/meshes/box.stl" secret
for uri in ../secret/box.stl "file://$PWD/secret/box.stl" "package://secret/box.stl"; do
    sed "s|huge.stl|$uri|" dir/mesh.urdf >dir/reaching.urdf
    untrusted dir/reaching.urdf
    outside 'dir/reaching.urdf:2:' 'secret/box.stl'
    run 0 run dir/reaching.urdf --out trusted --no-report --duration 0.01 --force
    grep -q 'does not touch' err && fail "$uri was not read"
done
STICTION_PACKAGE_PATH=$PWD
export STICTION_PACKAGE_PATH
untrusted dir/reaching.urdf
outside 'dir/reaching.urdf:2:' 'secret/box.stl'
unset STICTION_PACKAGE_PATH
printf '#VRML V2.0 utf8\nInline { url "../secret/in.wrl" }\n' >dir/out.wrl
printf '#VRML V2.0 utf8\nShape { geometry Box { } }\n' >secret/in.wrl
sed 's|huge.stl|out.wrl|' dir/mesh.urdf >dir/reaching.urdf
untrusted dir/reaching.urdf
outside 'dir/reaching.urdf:2:' 'secret/in.wrl'
# an OBJ names materials, which are not opened
printf 'mtllib ../pipe.csv\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >dir/tetra.obj
sed 's|huge.stl|tetra.obj|' dir/mesh.urdf >dir/obj.urdf
run 0 run dir/obj.urdf --out trusted --no-report --duration 0.01 --force --untrusted
silent_of_mesh=$(grep -c 'does not touch' err)
[ "$silent_of_mesh" -eq 0 ] || { fail 'an OBJ with materials was not read'; cat err; }
# MJCF: meshes that may carry mass, by every folder, and included files
cp secret/shadow secret/in.xml
for text in '<asset><mesh name="m" file="../secret/box.stl"/></asset>' \
    '<compiler meshdir="../secret"/><asset><mesh name="m" file="box.stl"/></asset>' \
    '<include file="../secret/in.xml"/>'; do
    echo "<mujoco>$text<worldbody><body><joint name='RWRR'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>" \
        >dir/reaching.xml
    within 1 '' init dir/reaching.xml --untrusted
    outside 'dir/reaching.xml:1:' 'secret/'
    within 1 '' check good.yaml --body dir/reaching.xml --untrusted
    outside 'dir/reaching.xml:1:' 'secret/'
    within 1 '' new dir/reaching.xml --untrusted
    outside 'dir/reaching.xml:1:' 'secret/'
done
# ... a texture is not used, so its file is not opened
echo '<mujoco><compiler assetdir="../secret"/><asset><texture file="shadow"/></asset><worldbody><body>
<joint name="RWRR"/><geom size="1"/></body></worldbody></mujoco>' >dir/unused.xml
run 0 init dir/unused.xml --untrusted
# ... in the last folder alone, not each of very many files in each of very many
assets=$(seq 1000 | sed 's|.*|<mesh name="m&" file="x&.stl"/>|')
geoms="<worldbody><body><joint name='RWRR'/>$(seq 1000 | sed "s|.*|<geom type='mesh' mesh='m&'/>|")</body></worldbody>"
echo "<mujoco>$(seq 1000 | sed 's|.*|<compiler meshdir="a&"/>|')<asset>$assets</asset>$geoms</mujoco>" >dir/many.xml
within 1 "could not open STL file 'dir/a1000/x1.stl'" init dir/many.xml
# a part of a body is read once, however often and under whatever name it stands there
{
    printf 'type: RigidBody\nmass: 1\ninertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n# '
    head -c 20000000 /dev/zero | tr '\0' x
} >dir/part.yaml
# parted PART...: a link with these parts
parted() {
    printf 'format: ChoreonoidBody\nformat_version: 2.0\nname: r\nlinks:\n  - name: A\n    joint_type: free\n    elements:\n' >dir/parted.body
    for part; do printf '      - { type: Resource, uri: "%s" }\n' "$part"; done >>dir/parted.body
}
parted part.yaml ./part.yaml part.yaml ././part.yaml part.yaml part.yaml
run 0 run dir/parted.body --out parted --no-report --duration 0.01
for copy in 1 2 3; do cp dir/part.yaml "dir/part$copy.yaml"; done
parted part.yaml part1.yaml part2.yaml part3.yaml
within 1 "dir/parted.body:11:32: with 'dir/part3.yaml' the files of this robot have more than 64 MiB" run dir/parted.body --out r --no-report
rm dir/part*.yaml
# the runs of a sweep inherit it, in processes of their own and in shared ones
project ../secret/good.yaml ''
sed -i 's/RWRR/"*"/' secret/good.yaml
printf 'sweep: 1\nprojects: [dir/p.cnoid]\nset: { duration: [0.01, 0.02] }\n' >own_sweep.yaml
run 1 sweep own_sweep.yaml --out s1 --no-reports --untrusted
outside 'dir/p.cnoid:16:94: ' 'secret/good.yaml'
run 0 sweep own_sweep.yaml --out s2 --no-reports
project own.yaml "evil.so:x" arm.body StictionController
run 1 sweep own_sweep.yaml --out s3 --no-reports --untrusted
says err 'which --untrusted refuses'

# ---- robots with many joints ----
# star LINKS: all hang on one
star() {
    inertial='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    echo "<robot name=\"r\"><link name=\"B\">$inertial</link>"
    seq "$1" | sed "s|.*|<link name=\"L&\">$inertial</link><joint name=\"j&\" type=\"continuous\"><parent link=\"B\"/><child link=\"L&\"/></joint>|"
    echo '</robot>'
}
# the poses and matrices of so many would take hours and gigabytes
star 300 >star.urdf
printf 'stiction: 1\ntimestep: 0.001\njoints: { "*": { law: coulomb, coulomb_torque: 1, stiffness: 100, damping: 1 } }\n' >star.yaml
within 0 'init: coupling: implicit is written, since explicit is not judged of more than 100 joints' init star.urdf
says out 'coupling: implicit'
run 0 check star.yaml --body star.urdf
says out 'explicit, whole body: not judged: at most 100 joints are'
says out 'coupling: auto takes implicit here, since explicit is not judged'
within 0 "warning: 'star': friction is implicit, since explicit coupling is not judged of more than 100 joints" \
    run star.urdf --config star.yaml --fixed-base --duration 0.01 --out many --no-report
printf 'coupling: explicit\n' >>star.yaml
run 1 check star.yaml --body star.urdf
within 0 "warning: 'star': explicit friction is not judged of more than 100 joints, and may chatter" \
    run star.urdf --config star.yaml --fixed-base --duration 0.01 --out many --no-report --force

# ---- names that are compared with patterns ----
long=$(head -c 1001 /dev/zero | tr '\0' n)
sed "s/name=\"j7\"/name=\"$long\"/" star.urdf >long.urdf
within 1 'long.urdf:8:' init long.urdf
says err ': the name of a joint has 1001 bytes, more than 1000'
sed "s/\"L7\"/\"$long\"/" star.urdf >long.urdf
within 1 ': the name of a link has 1001 bytes, more than 1000' init long.urdf
echo "<mujoco><worldbody><body><joint name=\"$long\"/></body></worldbody></mujoco>" >long.xml
within 1 'long.xml:1:26: the name of an element has 1001 bytes, more than 1000' init long.xml
printf 'format: ChoreonoidBody\nformat_version: 2.0\nlinks:\n  - { name: A, joint_name: %s }\n' "$long" >long.body
within 1 'long.body:4:5: the name of a joint has 1001 bytes, more than 1000' init long.body
project own.yaml 'kp=20'
sed -i "s/name: Arm/name: $long/" dir/p.cnoid
within 1 'the name of an item has 1001 bytes, more than 1000' run dir/p.cnoid --out r --no-report
# surplus numbers are counted, not stored
{
    printf '<robot name="r"><link name="B"><inertial><origin xyz="'
    yes 1 | head -n 15000000 | tr '\n' ' '
    printf '"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
} >numbers.urdf
within 1 'numbers.urdf:1:42: xyz must have 3 numbers, not 15000000' init numbers.urdf
rm numbers.urdf

# ---- names that act in terminals and spreadsheets ----
esc=$(printf '\033') bel=$(printf '\007')
cat >names.urdf <<'END'
<robot name="r&#x202e;"><link name="A"/>
END
for k in 0 1 2 3; do
    cat >>names.urdf <<END
<link name="L$k"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
END
done
cat >>names.urdf <<'END'
<joint name="a&#10;b" type="continuous"><parent link="A"/><child link="L0"/></joint>
<joint name="=HYPERLINK(1)" type="continuous"><parent link="A"/><child link="L1"/></joint>
<joint name="u&#x202e;v&#x7f;" type="continuous"><parent link="A"/><child link="L2"/></joint>
<joint name="-2+3" type="continuous"><parent link="A"/><child link="L3"/></joint></robot>
END
with_wrist names.yaml <<'END'
joints: { "*": { profile: wrist } }
END
# tame FILE...: nothing in it but lines of plain text
tame() {
    for file; do
        LC_ALL=C grep -q "[$esc$bel$(printf '\177')]" "$file" && { fail "$file has control characters"; cat -A "$file"; }
        grep -q "$(printf '\342\200\256')" "$file" && { fail "$file has a mark of direction"; cat -A "$file"; }
    done
}
run 0 run names.urdf --config names.yaml --fixed-base --duration 0.02 --out named
tame out err named/names/joints.csv
head -n 1 named/names/joints.csv >head.csv
says head.csv 'a\nb.position'
says head.csv '"'"'"'=HYPERLINK(1).position"'
says head.csv 'u\u202ev\x7f.position'
says head.csv '"'"'"'-2+3.position"'
[ "$(awk -F, '{ print NF }' named/names/joints.csv | sort -u | wc -l)" -eq 1 ] || fail 'a name has broken a row'
# the results are read again: as a report, a motion and a log
run 0 report named/names
tame out err
run 0 run names.urdf --config names.yaml --fixed-base --duration 0.02 --out again --no-report \
    --controller posture:motion=named/names/joints.csv
cat >exact.yaml <<'END'
stiction: 1
joints: { "=HYPERLINK(1)": { law: coulomb, coulomb_torque: 1, stiffness: 100, damping: 1 }, "a\nb": { law: coulomb, coulomb_torque: 1, stiffness: 100, damping: 1 } }
END
printf 'time,"'"'"'=HYPERLINK(1).velocity",a\\nb.velocity\n0,1,1\n0.001,1,1\n' >log.csv
run 0 replay exact.yaml log.csv
tame out err
says out 'a\nb.friction_torque'
says out '"'"'"'=HYPERLINK(1).friction_torque"'
run 0 run names.urdf --config names.yaml --fixed-base --duration 0.02 --out named --force --csv --no-report
tame out err
says out '"'"'"'=HYPERLINK(1)"'
for command in 'check names.yaml --body names.urdf' 'check names.yaml --body names.urdf --csv' 'init names.urdf'; do
    # shellcheck disable=SC2086
    run 0 $command
    tame out err
done
# paths, options and values in sentences
run 1 check "no${esc}[31m${bel}file.yaml"
tame err
says err 'no\x1b[31m\x07file.yaml: '
run 2 check good.yaml "--${esc}x"
tame err
run 1 curve good.yaml "R${esc}[2J"
tame err
printf 'stiction: 1\njoints: { "\\e[31m": { law: nine } }\n' >evil.yaml
run 1 check evil.yaml
tame err
says err "joint '\x1b[31m'"
printf 'time,RWRR,=cmd()\n0,1,=1+1\n0.001,1,"a%sb"\n' "$esc" >evil.csv
run 0 replay good.yaml evil.csv
tame out err
says out '"'"'"'=cmd()"'
says out '"'"'"'=1+1"'
says out 'a\x1bb'

# ---- a full disk is no success ----
if [ -w /dev/full ]; then
    for command in 'curve good.yaml RWRR --csv' 'check good.yaml' 'replay good.yaml evil.csv' 'help' 'check good.yaml --json'; do
        # shellcheck disable=SC2086
        "$STICTION" $command >/dev/full 2>err
        code=$?
        [ "$code" -eq 1 ] || fail "$command into a full disk: exit code $code"
        says err 'cannot write the output: No space left on device'
    done
fi

finish
