#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole-body controller on the humanoid: its dynamics without friction, what stiction does to it,
# what compensation gives back, pushes; and what is said where its file is wrong. The bounds are
# those of a trial, with the room that another order of sticking needs.
# usage: whole_body.sh STICTION WHOLE_BODY_LIBRARY
library=$2
. "$(dirname "$0")/lib.sh"
projects=$sources/sample_projects/whole_body
yield='link=PELVIS time=0.5 ramp=0.5'

# told NAME FIGURE: of the body, or of the controller
told() { tr '{,' '\n\n' <"$1/summary.json" | sed -n "s/.*\"$2\": *\([^ }]*\).*/\1/p" | tail -1; }
# within NAME FIGURE LOWEST HIGHEST
within() {
    value=$(told "$1" "$2")
    awk -v x="$value" -v a="$3" -v b="$4" 'BEGIN { exit !(x != "" && x + 0 >= a && x + 0 <= b) }' ||
        fail "$1: $2 is '$value', not within $3 and $4"
}
# tried NAME PROJECT [OPTION...]: into the folder NAME; nobody falls, no torque is cut
tried() {
    name=$1 project=$2
    shift 2
    run 0 run "$projects/$project.cnoid" --out "$name.of" --no-report "$@"
    mv "$name.of/$project" "$name"
    within "$name" falls 0 0
    within "$name" clamped 0 0
    within "$name" held 0 0
}
implicit='--set coupling=implicit --set timestep=0.005'

# ---- the same as a library ----
tried built_in humanoid_balance --set duration=0.1
tried loaded humanoid_balance --set duration=0.1 --controller "$library:config=$projects/humanoid_balance.yaml"
cmp -s built_in/joints.csv loaded/joints.csv || fail 'the library is another controller'

# ---- without friction: the dynamics are right, and it yields as a spring of its gain ----
tried free_squat humanoid_squat --set friction=none --set duration=4
within free_squat com_error_max_z -0.0005 0.0005
within free_squat com_acceleration_error 0 0.02
within free_squat sole_slip 0 0.0002
tried free_30 humanoid_balance --set friction=none --set duration=4 --set push="$yield force=30,0,0"
within free_30 yield_ratio 0.97 1.03
tried free_100 humanoid_balance --set friction=none --set duration=4 --set push="$yield force=100,0,0"
within free_100 yield_ratio 0.97 1.03

# ---- stiction shows ----
tried stands humanoid_balance $implicit
within stands com_error_max_x -0.001 0.001
within stands com_error_max_z -0.001 0.001
within stands sole_slip 0 0.0002
tried soft humanoid_balance $implicit --set controller.kp=20 --set controller.kv=2
within soft com_error_max_x -0.001 0.001
tried squat humanoid_squat $implicit
within squat com_error_max_z 0.035 0.047
within squat com_error_end_z -0.032 -0.020
tried pull_30 humanoid_balance $implicit --set push="$yield force=30,0,0"
within pull_30 yield_ratio 0 0.15
tried pull_100 humanoid_balance $implicit --set push="$yield force=100,0,0"
within pull_100 yield_ratio 0.25 0.41

# ---- compensation gives it back, and `reference` takes the compliance ----
tried desired humanoid_squat $implicit --set controller.compensation=desired
within desired com_error_max_z -0.006 0.006
within desired com_error_end_z -0.002 0.002
for share in 0.7 1.3; do
    tried share_$share humanoid_squat $implicit --set controller.compensation=desired \
        --set controller.compensation_share=$share
    within share_$share com_error_max_z -0.022 0.022
done
tried desired_pull humanoid_balance $implicit --set push="$yield force=100,0,0" \
    --set controller.compensation=desired
within desired_pull yield_ratio 0.25 0.41
tried reference_pull humanoid_balance --set duration=4 --set push="$yield force=100,0,0" \
    --set controller.compensation=reference
within reference_pull yield_ratio 0 0.15

# ---- pushes: it stands, and comes back to within the dead band 2 F_S/(m z kp) of its ankles ----
for impulse in 10,0,0 20,0,0 40,0,0 -40,0,0 0,20,0 0,40,0; do
    tried "push_$impulse" humanoid_push $implicit --set push.impulse=$impulse
    within "push_$impulse" com_residual 0 0.0107
done

# ---- a base that is fixed: the posture controller, and a hand that moves and turns ----
for controller in posture whole_body; do
    run 0 run "$sources/sample_projects/wrist/wrist.cnoid" --out $controller --no-report \
        --controller "$controller:kp=20 kv=2 target=RWRR:90"
    says out ' 69.8768 '
done
cat >pose.yaml <<'YAML'
posture: 1
kp: 50
kv: 14
tasks:
  hand: { type: pose, link: J7, point: [ 0, 0, 0.05 ], weight: 1000, moves: [ { time: 0.2, duration: 1, offset: [ 0, 0.05, -0.05 ], turn: [ 0, 0, 20 ] } ] }
  wrist: { type: orientation, link: J7, moves: [ { time: 0.2, duration: 1, turn: [ 0, 0, 20 ] } ] }
  posture: { weight: 0.01 }
YAML
run 0 run "$sources/sample_projects/arm7/arm7.cnoid" --out pose --no-report --set friction=none \
    --set duration=2.5 --controller whole_body:config=pose.yaml
within pose/arm7 hand_error_end 0 1e-5
within pose/arm7 wrist_error_end 0 1e-4

# ---- mistakes ----
file=$projects/humanoid_balance.yaml
refuses 1 "humanoid_balance.yaml:7:1: 'tasks' is of the controller whole_body, not of posture" \
    run "$projects/humanoid_balance.cnoid" --out refused --controller "posture:config=$file"
refuses 1 'compensation needs friction: FILE' \
    run "$projects/humanoid_balance.cnoid" --out refused --controller whole_body:compensation=desired
refuses 1 'mode must be qp: the controller whole_body has no other, posture has' \
    run "$projects/humanoid_balance.cnoid" --out refused --controller whole_body:mode=pd
finish
