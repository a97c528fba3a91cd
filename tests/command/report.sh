#!/bin/sh
# SPDX-License-Identifier: MIT
# report: pages of finished runs, one or several, and of logs.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid

run 0 run "$wrist" --out a --no-report --set duration=0.1
run 0 run "$wrist" --out b --no-report --set duration=0.1 --set controller.kp=50
[ ! -e a/wrist/report.html ] || fail '--no-report writes a report'

run 0 report a/wrist
is out 'report: a/wrist/report.html'
[ -s a/wrist/report.html ] || fail 'no report of one run'
refuses 2 '--out needs several runs' report a/wrist --out page.html

run 0 report a/wrist b/wrist --out page.html
is out 'report: page.html'
for name in a/wrist b/wrist; do
    says page.html "data-choice=\"RWRR\" data-layer=\"${name%%/*}\""
    says page.html "<a href=\"$name/report.html#joint=RWRR\">RWRR</a>"
done
says page.html 'controller.kp=50'
run 0 report a/wrist b/wrist
is out 'report: overlay.html'
# nothing is replaced without --force, and files of results never
for out in page.html overlay.html; do
    echo mine >$out
    refuses 1 "$out already exists; --force replaces it" report a/wrist b/wrist --out $out
    is $out mine
    run 0 report a/wrist b/wrist --out $out --force
    says $out controller.kp=50
done
refuses 1 'overlay.html already exists; --force replaces it' report a/wrist b/wrist
for file in joints.csv SHA256SUMS; do
    refuses 1 "a/wrist/$file belongs to the results beside it" \
        report a/wrist b/wrist --out a/wrist/$file --force
done
(cd a/wrist && exec "$STICTION" report . ../../b/wrist --out joints.csv --force) >out 2>err && fail 'a page replaces results'
echo mine >mine.svg
refuses 1 'mine.svg already exists' report a/wrist --draw RWRR.position --out mine.svg
run 0 report a/wrist b/wrist --out /dev/null
whole a/wrist b/wrist
# a run that was changed is refused
cp -r b/wrist changed
sed -i '5s/1/2/' changed/joints.csv
refuses 1 'changed/joints.csv was changed after the run (SHA256SUMS); no report is written' \
    report a/wrist changed --out changed.html
refuses 1 'changed/joints.csv was changed after the run' \
    report changed --draw RWRR.position --out changed.svg
refuses 1 'changed/joints.csv was changed after the run' report changed
[ -z "$(find . -name 'changed.*' -o -path './changed/report.html')" ] || fail 'a changed run has a page'
rm changed/SHA256SUMS
run 0 report a/wrist changed --out changed.html
run 0 report "$PWD/a/wrist" b/wrist --out a/page.html
says a/page.html '<a href="wrist/report.html">'
says a/page.html '<a href="../b/wrist/report.html">'

refuses 2 "report: folder 'a/wrist' is given twice" report a/wrist a/wrist
refuses 2 'one argument too many' report 1 2 3 4 5 6 7 8
refuses 1 'absent/summary.json: No such file or directory' report absent
refuses 1 'absent/summary.json: No such file or directory' report a/wrist absent --out absent.html
refuses 1 'absent/page.html: No such file' report a/wrist b/wrist --out absent/page.html

# a log: our own joints.csv gives the figures of the run that it is of
mkdir logs
cp a/wrist/joints.csv logs/own.csv
run 0 report logs/own.csv
is out 'report: results/own/report.html'
[ -s results/own/report.html ] || fail 'no report of a log'
summary() { # FOLDER EXPRESSION: of its summary s
    python3 -c "import json, sys; s = json.load(open(sys.argv[1] + '/summary.json')); print($2)" "$1"
}
figure() { summary "$1" "s['joints']['RWRR']['$2']"; }
for key in final_position peak_torque tracking_error rms_tracking_error; do
    [ "$(figure a/wrist $key)" = "$(figure results/own $key)" ] ||
        fail "$key of the log is $(figure results/own $key), of the run $(figure a/wrist $key)"
done
refuses 1 'results/own contains results; give another --out' report logs/own.csv

# the shapes of its robot, for a replay; a robot without its joints is refused
run 0 report logs/own.csv --out shown --robot "$sources/sample_projects/wrist/wrist.cnoid"
grep -q '"name":"RWRR"' shown/scene.json || fail 'no robot of a log'
says shown/report.html 'id="replay-runs"'
refuses 1 "no joint of the series is in it, such as 'RWRR'" report logs/own.csv --out x \
    --robot "$sources/sample_projects/finger/finger.cnoid"
refuses 2 '--robot, --column' report a/wrist --robot "$sources/sample_projects/wrist/wrist.cnoid"

# robots look as their files show them, and move as what touches says
mkdir looks
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >looks/corner.obj
cp looks/corner.obj outside.obj
urdf() { # NAME MESH
    cat >"looks/$1.urdf" <<END
<robot name="$1"><material name="red"><color rgba="1 0 0 1"/></material><link name="world"/>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 3"/><geometry><mesh filename="$2" scale="1 2 1"/></geometry><material name="red"/></visual>
<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="world"/><child link="arm"/><axis xyz="1 0 0"/></joint></robot>
END
}
urdf seen corner.obj
urdf absent absent.obj
urdf stranger ../outside.obj
cat >looks/shown.xml <<END
<mujoco model="shown"><asset><mesh file="corner.obj" scale="1 2 1"/><material name="red" rgba="1 0 0 1"/></asset>
<default><default class="visual"><geom type="mesh" contype="0" conaffinity="0" group="2"/></default></default>
<worldbody><body name="arm"><joint name="turn" axis="1 0 0" pos="0 0 1"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
<geom type="box" size="0.1 0.1 0.1"/><geom class="visual" mesh="corner" material="red" pos="0 0 4"/></body></worldbody></mujoco>
END
sed 's/class="visual" mesh="corner"/class="visual" group="3" mesh="corner"/; s/"shown"/"hidden"/' looks/shown.xml >looks/hidden.xml
look() { # FOLDER: the shapes of its arm: kind, colour, height, the farthest points of a mesh, and its faces
    python3 -c '
import base64, json, struct, sys
s = json.load(open(sys.argv[1] + "/scene.json"))
unpack = lambda t, b: struct.unpack("<%d%s" % (len(b) // 4, t), b)
for g in [l for l in s["links"] if l["name"] == "arm"][0]["shapes"]:
    m = s["meshes"][g["mesh"]] if "mesh" in g else None
    v = unpack("f", base64.b64decode(m["vertices"])) if m else ()
    print(g["type"], g["colour"][:2], g["position"][2], [max(v[k::3]) for k in range(3) if v],
          len(unpack("I", base64.b64decode(m["faces"]))) // 3 if m else 0)' "$1"
}
run 0 run looks/seen.urdf looks/absent.urdf looks/shown.xml looks/hidden.xml --duration 0.1 --out look
run 0 run looks/seen.urdf looks/stranger.urdf --untrusted --duration 0.1 --out wary
run 0 run looks/stranger.urdf --duration 0.1 --out trusting
for folder in look/seen look/shown wary/seen trusting/stranger; do
    [ "$(look "$folder")" = 'mesh [1, 0] 3 [1.0, 2.0, 1.0] 4' ] || fail "$folder looks like $(look "$folder")"
done
for folder in look/absent look/hidden wary/stranger; do
    case $(look "$folder") in 'box '*' 0') ;; *) fail "$folder looks like $(look "$folder")" ;; esac
done
for folder in look/seen wary/stranger trusting/stranger; do
    cmp look/absent/joints.csv "$folder/joints.csv" || fail "$folder moves as it looks"
done

# names of others, degrees, no velocity: that of a straight motion is exact
{ echo 'stamp,arm/angle,arm/current,note'
  for k in 0 1 2 3 4; do echo "0.0$k,$((18 * k)),1.5,x"; done; } >logs/robot.csv
refuses 1 "no joint of logs/robot.csv is in it" report logs/robot.csv --out r --time stamp \
    --degrees --column 'position={joint}/angle' --config "$sources/config/wrist.yaml"
run 0 report logs/robot.csv --out r --time stamp --degrees --column 'position={joint}/angle' \
    --column 'command={joint}/current'
says err 'warning: 1 joints have no velocity in the log; it was computed from their positions'
head -2 r/joints.csv | tail -1 | grep -q '^0,0,31.4159265358979' || fail 'the velocity is not that of the motion'
[ "$(summary r "len(s['warnings'])")" = 1 ] || fail 'the warning is not in the summary'

# friction along a log without friction, with other column names
{ echo 't,q_RWRR,dq_RWRR'
  for k in 0 1 2 3 4 5 6 7 8 9; do echo "0.00$k,0.00$k,1"; done; } >logs/moving.csv
run 0 report logs/moving.csv --out m --config "$sources/config/wrist.yaml"
[ "$(summary m "s['joints']['RWRR']['friction']['law']")" = stribeck ] || fail 'the law is not told'
[ "$(summary m "s['joints']['RWRR']['dissipated_energy'] > 0")" = True ] || fail 'no friction along the log'

# a log of one joint, whose columns do not name it, with a velocity alone
{ echo 'seconds,speed'
  for k in 0 1 2 3 4; do echo "0.0$k,$k"; done; } >logs/speed.csv
run 0 report logs/speed.csv --out v --time seconds --joint elbow --column velocity=speed
[ "$(summary v "abs(s['joints']['elbow']['final_position'] - 0.08) < 1e-12")" = True ] ||
    fail 'the position is not the integral of the velocity'
refuses 1 'the pattern must contain {joint}, unless one --joint is given' \
    report logs/speed.csv --out w --time seconds --column velocity=speed
refuses 1 "logs/speed.csv:1: no column 'second'" report logs/speed.csv --out w --time second
refuses 1 "no column 'time'; name it with --time COLUMN" report logs/speed.csv --out w
printf 'time,a.q\n0,1\n1,2,3\n' >logs/cells.csv
refuses 1 'logs/cells.csv:3: the row has 3 cells, the header 2' report logs/cells.csv

# pushes stand in the page
run 0 run "$wrist" --out pushed --set duration=0.2 \
    --set push='name=nudge link=RWRR force=1,0,0 time=0.1 duration=0.05'
says pushed/wrist/report.html 'nudge on RWRR of Wrist: 1, 0, 0 N from 0.1 s, for 0.05 s'
run 0 run "$wrist" --out pulled --set duration=0.2 --set push='name=tug link=RWRR force=0,2,0 time=0.1'
says pulled/wrist/report.html 'tug on RWRR of Wrist: 0, 2, 0 N from 0.1 s, until the end'

# a column of several runs in one picture
run 0 report a/wrist b/wrist --draw RWRR.position --out p.svg
is out 'picture: p.svg'
for word in '>a<' '>b<' RWRR.position; do grep -q -- "$word" p.svg || fail "the picture lacks $word"; done
refuses 1 "a/wrist/joints.csv:1: no column 'RWRR.positon'; the nearest is 'RWRR.position'" \
    report a/wrist --draw RWRR.positon --out q.svg
for word in 'RWRR.position (rad)' 'time (s)'; do says p.svg "$word"; done
run 0 report a/wrist b/wrist --draw RWRR.position,RWRR.target --out several.svg
for word in '>a, RWRR.position<' '>b, RWRR.target<' '>rad<'; do says several.svg "$word"; done
run 0 report a/wrist --draw RWRR.command --draw RWRR.friction_torque --out torques.svg
for word in '>RWRR.command<' '>RWRR.friction_torque<' '>N m<'; do says torques.svg "$word"; done
refuses 1 "the unit of RWRR.position is 'rad' and that of RWRR.command is 'N m'" \
    report a/wrist --draw RWRR.position,RWRR.command --out q.svg
refuses 1 '2 columns of 4 runs are more than 7 lines' \
    report a/wrist b/wrist changed "$PWD/a/wrist" --draw RWRR.position,RWRR.target --out q.svg --force
[ ! -e q.svg ] || fail 'a picture of nothing'
refuses 1 "the name of a picture ends in .svg or .png" report a/wrist --draw RWRR.position --out q.pdf
refuses 2 '--draw needs --out' report a/wrist --draw RWRR.position

# runs with names, by which an overlay labels them
for name in soft stiff; do
    run 0 run "$wrist" --out named --name $name --no-report --set duration=0.05
    [ -s named/$name/summary.json ] || fail "--name $name names no folder"
done
run 0 report named/soft named/stiff --out named.html
for name in soft stiff; do says named.html "data-layer=\"$name\""; done
refuses 2 '--name is for one project' run "$wrist" "$sources/sample_projects/brakes/brakes.cnoid" --name a
refuses 2 '--name ../up: must be the name of a folder' run "$wrist" --name ../up

# a few joints are rows with their names, and the page opens on the joint with the largest error
run 0 run "$sources/sample_projects/arm7/arm7.cnoid" --out seven --set duration=0.3
for joint in J1 J2 J3 J4 J5 J6 J7; do grep -q " $joint  *stribeck " out || fail "no row of $joint"; done
worst=$(python3 -c 'import json
joints = json.load(open("seven/arm7/summary.json"))["joints"]
print(max(joints, key=lambda j: joints[j]["rms_tracking_error"]))')
says seven/arm7/report.html "data-key=\"joint\" data-label=\"Joint\" data-first=\"$worst\""

# a robot that floats: centre of mass, centre of pressure, tilt
run 0 run "$sources/sample_projects/humanoid/humanoid_standing.cnoid" --out floats --set duration=0.05
for title in 'Centre of mass (CoM), from its start' 'Centre of pressure (CoP) and centre of mass' 'Tilt of the base'; do
    says floats/humanoid_standing/report.html "\"title\":\"$title\""
done
python3 - <<'END' || fail 'the curves of a body are not those of its series'
import csv, json, math, re
page = open("floats/humanoid_standing/report.html", encoding="utf-8").read()
plots = json.loads(re.search(r'data-choice="HRP5P"[^>]*>(\[.*?\])</script>', page, re.S).group(1))
rows = list(csv.DictReader(open("floats/humanoid_standing/joints.csv")))
last = rows[-1]
tilt = math.degrees(2 * math.asin(math.hypot(float(last["base.qx"]), float(last["base.qy"]))))
assert abs(plots[2]["series"][0]["y"][-1] - tilt) < 1e-5 * (1 + tilt), plots[2]
assert abs(plots[0]["series"][2]["y"][-1] - float(last["com.z"]) + float(rows[0]["com.z"])) < 1e-6
assert abs(plots[1]["series"][0]["y"][-1] - float(last["cop.x"])) < 1e-5
END

# bad ones
# bad_log NAME LOG SENTENCE
bad_log() {
    printf '%b' "$2" >"logs/$1.csv"
    refuses 1 "$3" report "logs/$1.csv"
}
bad_log none 'time,x\n0,1\n' 'logs/none.csv:1: no column is the position or velocity of a joint'
bad_log still 'time,a.command\n0,1\n' "joint 'a' has neither a position nor a velocity"
bad_log back 'time,a.q\n0,1\n0,2\n' 'logs/back.csv:3: time 0 must be greater than 0'
bad_log word 'time,a.q\n0,1\n1,x\n' "logs/word.csv:3: position 'x' of joint 'a' is not a finite number"
bad_log two 'time,a.q,a_pos\n0,1,1\n1,2,2\n' "columns 'a.q' and 'a_pos' both match the position of joint 'a'"
bad_log short 'time,a.q\n0,1\n' 'logs/short.csv: 1 row; a report needs at least two'
bad_log empty '\n' 'no header with the names'
refuses 1 "no column of joint 'b'" report logs/back.csv --joint b
refuses 1 'must be KIND=PATTERN' report logs/own.csv --out x --column speed=v
refuses 2 'a log is reported alone' report logs/own.csv a/wrist
refuses 2 'need a log' report a/wrist --degrees
finish
