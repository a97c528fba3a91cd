#!/bin/sh
# SPDX-License-Identifier: MIT
# run: its files, --set, existing results, and early ends.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid

# figure FILE NAME: of the first joint of a summary
figure() { sed -n "s/.*\"$2\": \([^,]*\).*/\1/p" "$1" | head -n 1; }
near() {
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a - b <= t && b - a <= t) }' </dev/null ||
        fail "$1 is not $2 within $3"
}

# ---- files ----
run 0 run "$wrist"
silent err
says out 'wrist    RWRR   stribeck         69.8768      2.768'
says out 'report: results/wrist/report.html'
for file in summary.json joints.csv report.html; do
    [ -s "results/wrist/$file" ] || fail "results/wrist/$file is missing"
done
[ "$(wc -l <results/wrist/joints.csv)" -eq 6001 ] || fail 'joints.csv has not a row a step'
says results/wrist/summary.json '"complete": true'
says results/wrist/summary.json '"options": "kp=20 kv=2 lambda=0 target=RWRR:90"'
near "$(figure results/wrist/summary.json tracking_error)" 0.3512 1e-3

# ---- it never overwrites ----
cp results/wrist/summary.json before.json
refuses 1 'results/wrist has results already; give --force' run "$wrist" --set duration=1
cmp -s before.json results/wrist/summary.json || fail 'results were overwritten'
run 0 run "$wrist" --force --set duration=1 --no-report
says results/wrist/summary.json '"overrides": ["duration=1"]'
[ ! -e results/wrist/report.html ] || fail 'a report of older results is left'

# ---- --set ----
# set_gives FIGURE VALUE TOLERANCE KEY=VALUE...
set_gives() {
    name=$1 value=$2 tolerance=$3
    shift 3
    arguments=
    for setting in "$@"; do arguments="$arguments --set $setting"; done
    # shellcheck disable=SC2086 # a list of words
    run 0 run "$wrist" --force --no-report $arguments
    near "$(figure results/wrist/summary.json "$name")" "$value" "$tolerance"
}
# PAPERS: rational 68.441 deg, Coulomb 68.53 deg at 4 s
set_gives final_position 1.19452 1e-4 joints.RWRR.profile=wrist_rational
set_gives final_position 1.19606 3e-4 'joints.*.profile=wrist_coulomb' duration=4.001
set_gives final_position 1.5708 0.02 friction=none duration=20
set_gives timestep 0.002 0 timestep=0.002
set_gives peak_torque 13.156 0.01 controller.kp=50
set_gives viscous 6 0 profiles.wrist_stribeck.viscous=6
set_gives viscous 9 0 scale.viscous=2
# a number of the joint itself is scaled, too
set_gives viscous 12 0 joints.RWRR.viscous=6 scale.viscous=2
set_gives final_position 1.21958 6e-4 integrator=rk4
says results/wrist/summary.json '"law": "stribeck"'
run 0 run "$wrist" --force --no-report --set law=lugre --set duration=0.1
says results/wrist/summary.json '"law": "lugre"'
# what is not given is not written
set_gives reverse_factor 0.93 0 joints.RWRR.reverse_factor=0.93 duration=0.1
grep -q reverse_viscous_factor results/wrist/summary.json && fail 'a factor that was not given is written'
set_gives reverse_viscous_factor 1.12 0 joints.RWRR.reverse_viscous_factor=1.12 duration=0.1
cp "$sources/config/wrist.yaml" stiff.yaml
sed -i 's/stiffness: 5000 .*/stiffness: 4000/' stiff.yaml
set_gives stiffness 4000 0 configuration=stiff.yaml duration=0.1

# a setting and its error
while IFS='|' read -r setting sentence; do
    refuses 2 "--set $setting: $sentence" run "$wrist" --force --set "$setting"
done <<'END'
tmestep=3|there is no such key; the nearest is 'timestep'
timestep=0|must be a number of seconds above 0
law=lugree|there is no such law; the nearest is 'lugre'
joints.RWRR.law=lugree|there is no such law; the nearest is 'lugre'
integrator=heun|must be euler or rk4
duration|must be KEY=VALUE
control_period=-1|
coupling=sometimes|must be auto, explicit or implicit
element=soft|must be auto, bristle or rigid
controller.kpp=1|option 'kpp': there is no such option; the nearest is 'kp'
controller.kp=abc|option 'kp': 
controller.kp=1e300|option 'kp': kp 1e+300 must be at most 1e+12
joints.RWRR.viscos=1|joint 'RWRR': there is no key 'viscos'; the nearest is 'viscous'
joints.RWRR.viscous=1e300|joint 'RWRR': viscous 1e+300 must be at most 1e+30 N m s/rad
joints.RWRR.reverse_viscous_factor=0|joint 'RWRR': reverse_viscous_factor 0 must be above 0
joints.*WR*.viscous=-1|joint '*WR*': viscous -1 must be at least 0
joints.RWRR.presliding_torque=0.1|joint 'RWRR': presliding_torque must be a list of numbers such as [0.1, 0.2], not '0.1'
joints.RWRR.presliding_torque=[0.1|is not YAML; a list is written as [0.1, 0.2]
profiles.wrist.viscous=abc|profile 'wrist': viscous must be a decimal number
scale.viscos=2|there is no such parameter of friction; the nearest is 'viscous'
scale.viscous=-2|must be a factor from 0 on
END
refuses 2 '--set law=lugre\ngravity=1: has a line end, a tab or another control character' \
    run "$wrist" --set "law=lugre
gravity=1"
refuses 1 'duration 0.0001 s is shorter than a time step, 0.001 s' \
    run "$wrist" --force --set duration=0.0001
run 0 run "$wrist" --force --no-report --set duration=0.1 \
    --set 'joints.RWRR.presliding_torque=[0.1, 0.2]' \
    --set 'joints.RWRR.presliding_stiffness=[2000,1000]' --set joints.RWRR.lag=0.01
grep -q '"presliding_stiffness": \[2000, 1000\]' results/wrist/summary.json || fail 'a list in --set'
refuses 1 "wrist.yaml:37:3: override joints.RWRR.presliding_torque=[0.1]: joint 'RWRR': presliding_torque has 1 numbers and presliding_stiffness 0; each element needs both" \
    run "$wrist" --force --set 'joints.RWRR.presliding_torque=[0.1]'
refuses 1 "no joint with friction is called 'RWRP'; the nearest is 'RWRR'" \
    run "$wrist" --force --set joints.RWRP.viscous=1
refuses 1 "wrist.yaml:37:3: override joints.RWRR.static_torque=0.1: joint 'RWRR': static_torque 0.1 is below coulomb_torque 0.4" \
    run "$wrist" --force --set joints.RWRR.static_torque=0.1
refuses 2 '--engine gazebo: must be mujoco or choreonoid' run "$wrist" --engine gazebo
refuses 1 'nowhere.cnoid: there is no such file' run nowhere.cnoid
refuses 1 "has no simulator item 'Bullet'; there is 'AISTSimulator', 'ODESimulator', 'PhysXSimulator', 'MuJoCoSimulator'" run "$wrist" --force --simulator Bullet

# ---- the controller's rate apart from the time step ----
run 0 run "$wrist" --out rate --no-report --set duration=1 --set control_period=0.01
[ "$(awk -F, 'NR > 1 && $4 != last { n++; last = $4 } END { print n }' rate/wrist/joints.csv)" -eq 100 ] ||
    fail 'the torque is not held for 10 steps'

# ---- friction that chatters is reported, and does not count as heat ----
standing=$sources/sample_projects/humanoid/humanoid_standing.cnoid
run 0 run "$standing" --out chatter --no-report --set duration=1 --set timestep=0.002 --set coupling=explicit
says out "changes its sign from step to step: it is not stable at this time step"
says chatter/humanoid_standing/summary.json '"stable": false'
run 1 run "$standing" --out chatter --force --no-report --set duration=1 --set timestep=0.002 --set coupling=explicit --strict
run 0 run "$standing" --out chatter --force --no-report --set duration=1 --strict
says chatter/humanoid_standing/summary.json '"stable": true'

# ---- energy: what controllers give is in friction, in the bodies, or lost to the integration ----
# lost PROJECT: as a part of the work against friction
lost() {
    sed -n '/"energy":/s/[{,]/\n/gp' "balance/$1/summary.json" | awk '
        { key = $1; gsub(/[":]/, "", key); gsub(/}/, "", $2); value[key] = $2 + 0 }
        END { lost = value["lost_elsewhere"] / value["work_against_friction"]
              print lost < 0 ? -lost : lost }'
}
# first order in the time step: 0.19 % of the work of arm7 at 1 ms, 0.019 % at 0.1 ms
for timestep in 0.001 0.0001; do
    run 0 run "$sources/sample_projects/arm7/arm7.cnoid" --out balance --force --no-report \
        --set timestep=$timestep
    lost arm7 | awk -v T=$timestep '{ printf "arm7 at %g s: %.2g lost\n", T, $1; exit !($1 < 3 * T) }' ||
        fail "the energy does not close at $timestep s"
done

# ---- a run without friction never looks like one with it ----
# changed EXPRESSION: ./changed.cnoid, the wrist with a change of sed
changed() {
    sed -e "s|file: .*wrist.body.*|file: $sources/sample_projects/wrist/wrist.body|" \
        -e "s|file: .*floor.body.*|file: $sources/sample_projects/floor.body|" \
        -e "s|configuration_file: .*|configuration_file: $sources/config/wrist.yaml|" \
        -e "$1" "$wrist" >changed.cnoid
    ! cmp -s "$wrist" changed.cnoid || fail "nothing was changed by $1"
}
# has_none REASON [OPTION...]: it says so on stderr, in the table and in summary.json
has_none() {
    reason=$1
    shift
    run 0 run changed.cnoid --force --no-report --set duration=0.1 "$@"
    says err "warning: no joint has friction: $reason"
    says out "warning: no joint has friction: $reason"
    says results/changed/summary.json "no joint has friction: $reason"
}
changed 's/coupling: .*/coupling: implicid/'
refuses 1 "the coupling must be auto, explicit or implicit, not 'implicid'" run changed.cnoid
changed 's/coupling: .*/coupling: implicit/'
run 0 run changed.cnoid --force --no-report --set timestep=0.01
says out "69.8435"
refuses 1 "implicit coupling needs the integrator euler" run changed.cnoid --force --set integrator=rk4
# auto reports why it cannot take implicit coupling
finger=$sources/sample_projects/finger/finger.cnoid
run 0 run "$finger" --out auto --no-report --set duration=0.02
says auto/finger/summary.json '"coupling": "implicit"'
run 0 run "$finger" --out auto --force --no-report --set duration=0.02 --set integrator=rk4
says err "; auto cannot take implicit coupling: the integrator is rk4"
run 0 run "$finger" --out auto --force --no-report --set duration=0.02 --set joints.PIP.law=lugre
says err "; auto cannot take implicit coupling: law lugre of joint 'PIP' has no potential"
says auto/finger/summary.json '"coupling": "explicit"'
# at its start pose the two-link arm is safe at 1.5 ms, stretched it is not
run 0 run "$sources/sample_projects/two_link/two_link.cnoid" --out auto --no-report \
    --set duration=0.02 --set timestep=0.0012
says auto/two_link/summary.json '"coupling": "implicit"'
refuses 1 "law lugre has no potential, so it cannot be implicit" \
    run changed.cnoid --force --set law=lugre
changed 's/enabled: .*/enabled: false/'
has_none "the StictionItem 'Stiction' is not enabled"
refuses 1 "there is no friction to replace values in: the StictionItem 'Stiction' is not enabled" \
    run changed.cnoid --force --set joints.RWRR.viscous=1
changed '/configuration_file:/d'
has_none "the StictionItem 'Stiction' has no configuration file"
changed 's/class: StictionItem/class: FolderItem/'
has_none "the simulator 'AISTSimulator' has no StictionItem"
refuses 1 "there is no friction to replace values in: the simulator 'AISTSimulator' has no StictionItem" \
    run changed.cnoid --force --set joints.RWRR.viscous=1
run 0 run changed.cnoid --force --no-report --set configuration="$sources/config/wrist.yaml" \
    --set joints.RWRR.viscous=5
says results/changed/summary.json '"viscous": 5'
says results/changed/summary.json '"warnings": []'
changed 's/coupling: .*/law: none/'
has_none 'the law of every joint is none'
changed 's/name: Stiction/name: Other/'
has_none 'it was switched off (friction=none)' --set friction=none
changed 's/^# The window:.*/        - { id: 99, name: Idle, plugin: Stiction, class: StictionItem }/'
run 0 run changed.cnoid --force --no-report --set duration=0.1
for file in err out results/changed/summary.json; do
    says $file "StictionItem 'Idle' is below no simulator item: it is not used"
done
changed 's/time_range_mode: .*/timeRangeMode: "Active control period"/'
refuses 1 'runs until its controllers end, which a posture controller never does; give --set duration' \
    run changed.cnoid --force
run 0 run changed.cnoid --force --no-report --set duration=0.1

# ---- several projects ----
mkdir -p other
cp "$wrist" other/wrist.cnoid
refuses 1 'would share the folder' run "$wrist" other/wrist.cnoid --out two
rm other/wrist.cnoid
run 0 run "$sources"/sample_projects/wrist/*.cnoid --out two --set duration=0.5
says out 'report: two/index.html'
[ "$(grep -c stribeck out)" -eq 1 ] || fail 'the table lacks a project'
run 0 run "$wrist" --out csv --set duration=0.5 --csv --no-report
says out 'project,joint,law,final_position,stop_time,stick_slip_events'
[ "$(wc -l <out)" -eq 2 ] || fail '--csv has not a row a joint'
says out ',joint_type,warnings'
says out ',revolute,'
run 0 run "$wrist" --out json --set duration=0.5 --json --no-report
says out '"final_position": '
run 0 run "$wrist" --out sparse --set duration=1 --interval 0.1 --no-report
[ "$(wc -l <sparse/wrist/joints.csv)" -eq 11 ] || fail '--interval is not kept'

# a sliding joint is in m, beside angles in degrees
mkdir slide
sed 's/joint_type: revolute/joint_type: prismatic/; s/joint_axis: .*/joint_axis: [ 1, 0, 0 ]/' \
    "$sources/sample_projects/wrist/wrist.body" >slide/wrist.body
sed "s|\.\./\.\./config|$sources/config|; s|\.\./floor|$sources/sample_projects/floor|; s/target=RWRR:90/target=RWRR:0.1/" "$wrist" >slide/slide.cnoid
run 0 run slide/slide.cnoid --out slides --no-report --set duration=0.5
says out 'stops at (m)'
says out 'peak (N)'
run 0 run slide/slide.cnoid "$wrist" --out slides --force --no-report --set duration=0.5
says out 'stops at (deg, m)'

# a joint that never stops has no stop time
run 0 run "$sources/sample_projects/wrist/wrist_coulomb.cnoid" --out never --no-report
grep -q ' never ' out || fail 'a joint that never stops is not said to'
says never/wrist_coulomb/summary.json '"stop_time": null'
run 0 run "$sources/sample_projects/wrist/wrist_coulomb.cnoid" --out never --no-report --force --csv
[ "$(sed -n 2p out | cut -d, -f5)" = '' ] || fail 'the stop time of what never stops is no empty cell'

# ---- early ends are reported ----
"$STICTION" run "$wrist" --out long --set duration=100000 --interval 1 --no-report >out 2>err &
child=$!
has_worked 1 $child
kill -INT $child
wait $child
[ $? -eq 1 ] || fail 'an interrupted run has exit code 0'
says err 'stopped; what was computed so far is in long'
says long/wrist/summary.json '"complete": false'
says out '69.8768'
for file in err out long/wrist/summary.json; do says $file 'the run was interrupted at '; done

# timeout(1) sends its signal twice: to the command and to its group; its own clock is the alarm
timeout 3600 "$STICTION" run "$wrist" --out timed --set duration=100000 --interval 1 --no-report >out 2>err &
timeout=$!
waits_for 600 has_child $timeout || fail 'timeout starts nothing'
has_worked 1 "$child"
kill -ALRM $timeout
wait $timeout
[ $? -eq 124 ] || fail 'timeout did not end the run'
says timed/wrist/summary.json '"complete": false'
says out 'wrist: warning: the run was interrupted at '

# also while a robot is read, which is the work of another process; this one takes minutes
cat >endless.xml <<'END'
<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body name="b" pos="0 0 1"><joint name="j"/><geom size=".1"/>
<composite type="grid" count="300 300 1" spacing="0.01"><geom size=".001"/></composite></body></worldbody></mujoco>
END
"$STICTION" run endless.xml --out endless --duration 1 >out 2>err &
reading=$!
waits_for 600 has_child $reading || fail 'no process reads MJCF'
kill -TERM $reading
wait $reading
[ $? -eq 1 ] || fail 'a run that was stopped while it read has exit code 0'
says err 'endless.xml: MuJoCo: its reading was interrupted'
says err 'stopped; nothing of it was written'
[ ! -e endless ] || fail 'it leaves a folder'

# a chain that is too long
chain() {
    printf 'format: ChoreonoidBody\nformat_version: 2.0\nname: Chain\nlinks:\n  - { name: L0, joint_type: fixed }\n'
    for k in $(seq "$1"); do
        printf '  - { name: L%d, parent: L%d, joint_type: revolute, joint_id: %d, joint_axis: [ %d, 0, 1 ], ' \
            "$k" $((k - 1)) $((k - 1)) $((k % 3))
        printf 'translation: [ 0.01, 0, 0 ] }\n'
    done
}
chain 600 >longer.body
echo 'stiction: 1
joints: { "*": { law: coulomb, coulomb_torque: 1, stiffness: 1e-3, damping: 1e-4 } }' >chain.yaml
refuses 1 'longer.body: a chain of links is too long for the XML reader of MuJoCo' run longer.body --config chain.yaml --out longer

# limits are reported: rows of a series, contacts
rm err
"$STICTION" run "$wrist" --out room --set duration=100000 >out 2>err &
long=$!
until [ -s err ]; do sleep 0.02; done
kill -INT $long
wait $long
says err 'of 100000 s the series has room for 3.36e+04 s: a longer --interval makes its rows rarer'
"$STICTION" run "$wrist" --out none --series none --no-report --set duration=100000 >out 2>err &
long=$!
has_worked 1 $long
kill -INT $long
wait $long
grep -q 'has room for' err && fail 'a run without a series warns of its room'
cat >box.body <<'END'
{ format: ChoreonoidBody, format_version: 2.0, name: Box, links: [ { name: BOX, joint_type: free, mass: 1,
  inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ], elements: { Shape: { geometry: { type: Box, size: [ 1, 1, 0.0009 ] } } } } ] }
END
{
    printf 'items:\n  class: RootItem\n  children:\n    - class: WorldItem\n      children:\n'
    for k in $(seq 60); do
        printf '        - { class: BodyItem, name: B%d, data: { file: box.body, initial_root_translation: [ 0, 0, 0.0000%02d ], ' "$k" "$k"
        printf 'initial_root_rotation: [ 1, 0, 0, 0 ] } }\n'
    done
    printf '        - { class: AISTSimulatorItem, name: S, data: { time_range_mode: specified, time_length: 0.002 } }\n'
} >pile.cnoid
run 0 run pile.cnoid --out pile --no-report
says err 'there were more contacts than there is room for, first at 0 s'
says pile/pile/summary.json 'there were more contacts than there is room for, first at 0 s: some did not act'

# a simulation that diverges is reported, and its results are marked
run 1 run "$wrist" --out bad --no-report --set controller.mode=pd --set controller.kp=1e9 \
    --set controller.torque_limit=1e300
says err 'the simulation diverged at 0.'
says bad/wrist/summary.json '"complete": false'
! grep -qi nan bad/wrist/summary.json || fail 'a NaN in the results'

# unstable friction is reported before it chatters
run 0 run "$wrist" --out soft --no-report --set duration=0.01 --set joints.RWRR.damping=400 \
    --set coupling=explicit
for file in err out soft/wrist/summary.json; do
    says $file "joint 'RWRR': friction is unstable at this time step and may chatter"
done
run 0 run "$wrist" --out loss --no-report --set duration=0.01 --set joints.RWRR.damping=400 \
    --set friction=frictionloss
silent err # it is MuJoCo's, which reads no damping
run 0 run "$wrist" --out lossy --no-report --set duration=0.01 --set joints.RWRR.lag=0.01 \
    --set friction=frictionloss
says err "joint 'RWRR': MuJoCo's friction loss leaves out lag"
run 0 run "$wrist" --out hard --no-report --set duration=0.01 --set joints.RWRR.damping=900 \
    --set joints.RWRR.static_torque=50 --set coupling=explicit
says err "joint 'RWRR': friction cannot be both legal and stable at this time step and may chatter"

# RK4 carries more: T B/M may be 2.79, so B 466 and not 330
run 0 run "$wrist" --out rk4 --no-report --set duration=0.01 --set integrator=rk4 \
    --set joints.RWRR.damping=400
silent err
run 0 run "$wrist" --out rk4 --force --no-report --set duration=0.01 --set integrator=rk4 \
    --set joints.RWRR.damping=500
says err "joint 'RWRR': friction is unstable at this time step and may chatter"

# events of controllers are reported
run 0 run "$wrist" --out limits --no-report --set duration=0.1 --set controller.target=RWRR:60 \
    --set controller.lower_limit=RWRR:50 --set controller.torque_limit=RWRR:0.5
for file in err out limits/wrist/summary.json; do
    says $file "controller 'PostureController': limits contradicted each other in 100 steps"
done

# an output that cannot be written
: >file
refuses 1 'cannot make the folder file/wrist' run "$wrist" --out file
finish
