#!/bin/sh
# SPDX-License-Identifier: MIT
# Friction compensation as an option of the controllers: no limit cycle at share 0.8 on wrist and arm,
# with parameters that are right and wrong by 30 %; sweeps; and what is said where an option is wrong.
# usage: compensation.sh STICTION
. "$(dirname "$0")/lib.sh"
samples=$sources/sample_projects
wrist=$samples/wrist/wrist.cnoid
friction=$sources/config/wrist.yaml

# figure FOLDER NAME: of the only joint
figure() { sed -n "s/.*\"$2\": \([^,]*\),*\$/\1/p" "$1/summary.json" | head -1; }
# between VALUE LOWEST HIGHEST WHAT
between() {
    awk -v v="$1" -v l="$2" -v h="$3" 'BEGIN { exit !(v ~ /^-?[0-9]/ && v >= l && v <= h) }' ||
        fail "$4 is $1, not within $2 and $3"
}

# ---- the study: its own exit code says whether anything swings ----
PYTHONDONTWRITEBYTECODE=1 python3 "$samples/compensation/study.py" "$STICTION" study --short >out 2>err || {
    fail 'the study has a limit cycle, or failed'
    cat err
}
[ "$(grep -c '^| \(right\|30 % too\|reference\)' out)" -eq 18 ] || { fail 'rows are missing'; cat out; }

# ---- none, some, all: nearer to 90 deg, with more energy put in ----
last=0
for share in 0 0.4 0.8; do
    run 0 run "$wrist" --out "share_$share" --no-report --set controller.compensation=desired \
        --set controller.friction="$friction" --set controller.compensation_share=$share
    silent err
    reached=$(figure "share_$share/wrist" final_position)
    between "$reached" "$last" 1.5708 "where share $share gets to"
    last=$reached
done
between "$(figure share_0/wrist compensation_energy)" 0 0 'the energy of share 0'
between "$(figure share_0.8/wrist compensation_energy)" 3.0 3.2 'the energy of share 0.8'
between "$(figure share_0.8/wrist reversals)" 0 0 'the reversals'
head -1 share_0.8/wrist/joints.csv | grep -q ',controller.RWRR.compensation' || fail 'the torque is not recorded'
# the default is 0.8
run 0 run "$wrist" --out default --no-report --set controller.compensation=desired --set controller.friction="$friction"
cmp -s default/wrist/joints.csv share_0.8/wrist/joints.csv || fail 'the share is not 0.8 by default'
# without it nobody tells an energy
run 0 run "$wrist" --out none --no-report --duration 0.1
[ "$(figure none/wrist compensation_energy)" = null ] || fail 'an energy of no compensation'

# ---- all of it is told ----
run 0 run "$wrist" --out all --no-report --duration 0.1 --set controller.compensation=desired \
    --set controller.friction="$friction" --set controller.compensation_share=1
says all/wrist/summary.json 'compensation_share is 1 or more: nothing is left of the friction that is expected'

# ---- in a sweep ----
cat >shares.yaml <<END
sweep: 1
projects: [$wrist]
set:
  duration: [0.3]
  controller.compensation: [desired]
  controller.friction: [$friction]
  controller.compensation_share: [0, 0.8]
END
run 0 sweep shares.yaml --out sweep
head -1 sweep/sweep.csv | grep -q 'compensation_energy' || { fail 'the sweep lacks the energy'; head -1 sweep/sweep.csv; }
[ "$(wc -l <sweep/sweep.csv)" -eq 3 ] || fail 'the sweep has not two rows'

# ---- what is wrong ----
wrong() {
    sentence=$1
    shift
    refuses 1 "$sentence" run "$wrist" --out refused --controller "posture:$*"
}
wrong 'compensation_share 2.5 must be at most 2' compensation_share=2.5
wrong 'compensation_share -0.1 must be at least 0' compensation_share=-0.1
wrong 'compensation_edge 0 must be above 0' compensation_edge=0
wrong 'compensation_lead -1 must be at least 0' compensation_lead=-1
wrong 'compensation_reach 0 must be above 0' compensation_reach=0
wrong 'compensation must be none | desired | reference' compensation=measured
wrong 'compensation needs friction: FILE' compensation=desired
wrong 'compensation is of modes qp and pd' mode=torque compensation=desired friction="$friction"
wrong 'compensation reference is of mode qp' mode=pd compensation=reference friction="$friction"
wrong 'no/such.yaml' compensation=desired friction=no/such.yaml
printf 'stiction: 1\njoints: { RWRR: { law: tanh, coulomb_torque: 1, stick_velocity: 0.01 } }\n' >tanh.yaml
wrong "tanh.yaml: joint 'RWRR': law tanh cannot be compensated" compensation=desired friction=tanh.yaml
finish
