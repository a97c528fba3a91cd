#!/bin/sh
# SPDX-License-Identifier: MIT
# All runs are checked before the first one: errors have their place in the file
# of the sweep, and the verdict is that of the runs themselves.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # where a sync takes no time
. "$(dirname "$0")/lib.sh"
folder=$sources/sample_projects/wrist
# bad LINES: a sweep of the wrist, whose keys begin in line 4
bad() {
    {
        printf 'sweep: 1\nprojects: [%s]\nset:\n' "${projects:-$folder/wrist.cnoid}"
        printf '%b' "$1"
    } >bad.yaml
    run 1 sweep bad.yaml --out bad --no-reports
    silent out
    [ ! -e bad ] || fail 'a sweep that did not begin has a folder'
}
# begins LINE:COLUMN TEXT: an error has this place and begins with this text
begins() { grep -qF -e "bad.yaml:$1: $2" err || { fail "no sentence 'bad.yaml:$1: $2'"; cat err; }; }

# ---- one value is to blame ----
bad '  duration: 0.02\n  controller.kp: [20, 50]\n  joints.*.static_torque: [2.5, 0.123,\n    0.2]\n'
begins 6:33 'joints.*.static_torque=0.123: run 2 and 1 more cannot begin: '
begins 7:5 'joints.*.static_torque=0.2: run 3 and 1 more cannot begin: '
says err 'static_torque 0.123 is below coulomb_torque 0.4'
says err '4 of 6 runs cannot begin, so none was started; --keep-going starts the others'
# of the world, and of a controller
bad '  duration: [0.02, 0.0001]\n  controller.kp: [20, 50]\n'
begins 4:20 'duration=0.0001: run 3 and 1 more cannot begin: '
says err '2 of 4 runs cannot begin'
bad '  duration: 0.02\n  controller.target: ["RWRR:90", "ELBOW:90"]\n  law: [stribeck, coulomb]\n'
begins 5:34 'controller.target=ELBOW:90: run 3 and 1 more cannot begin: '
# a push on an unknown link
bad '  duration: 0.02\n  law: [stribeck, coulomb]\n  push: ["link=RWRR force=1,0,0 time=0", "link=NOSE force=1,0,0 time=0"]\n'
begins 6:42 'push=link=NOSE force=1,0,0 time=0: run 2 and 1 more cannot begin: '
# a file for another robot
printf 'stiction: 1\nmodels: [Elbow]\njoints: { ELBOW: { law: none } }\n' >other.yaml
bad "  duration: 0.02\n  configuration: [$sources/config/wrist.yaml, other.yaml]\n  controller.kp: [20, 50]\n"
grep -q 'bad.yaml:5:[0-9]*: configuration=other.yaml: run 3 and 1 more cannot begin: ' err || { fail 'a configuration'; cat err; }

# ---- two values are to blame: one of them is reported ----
bad '  duration: 0.02\n  joints.*.static_torque: [2.5, 0.3]\n  joints.*.coulomb_torque: [0.2, 0.4]\n'
begins 5:33 'joints.*.static_torque=0.3: run 4 cannot begin: '
says err '1 of 4 runs cannot begin'

# ---- a project is, of two ----
sed 's/wrist.body/nobody.body/' "$folder/wrist.cnoid" >broken.cnoid
projects="$folder/wrist.cnoid, broken.cnoid"
bad '  duration: 0.02\n  controller.kp: [20, 50]\n  law: [stribeck, coulomb]\n'
grep -q 'bad.yaml:2:[0-9]*: project broken.cnoid: run 5 and 3 more cannot begin: ' err || { fail 'a project'; cat err; }
says err "cannot read 'nobody.body'"
says err '4 of 8 runs cannot begin'
projects=

# ---- the verdict is that of the runs: what gives way before it slides cannot be rigid, where the
# coupling is implicit ----
{
    printf 'sweep: 1\nprojects: ["%s"]\nset:\n  duration: 0.005\n' "$folder/wrist.cnoid"
    printf '  joints.*.presliding_torque: "[0.1]"\n  joints.*.presliding_stiffness: "[1000]"\n'
    printf '  element: [rigid, bristle]\n  coupling: [auto, explicit, implicit]\n'
    printf '  controller.kv: [2, 2000]\n'
} >gains.yaml
run 1 sweep gains.yaml --out gains --no-reports
count=$(sed -n 's/^stiction: \([0-9]*\) of 12 runs cannot begin.*/\1/p' err)
run 1 sweep gains.yaml --out gains --no-reports --keep-going
refused=$(grep -c 'presliding needs bristles' gains/sweep.csv)
[ "$count" = 2 ] && [ "$refused" -eq 2 ] ||
    fail "$count runs cannot begin, and $refused did not"

# ---- runs that begin and all fail, each with numbers of its own, are stopped ----
{
    printf 'sweep: 1\nprojects: ["%s"]\nset:\n  duration: 0.1\n  push:\n' "$folder/wrist.cnoid"
    for time in 01 02 03 04 05 06 07 08 09 10 11 12; do
        printf '    - "link=RWRR force=1e16,2e16,4e16 point=0.1,0.2,-0.3 time=0.0%s duration=1"\n' $time
    done
} >fail.yaml
run 1 sweep fail.yaml --out fail --no-reports --jobs 1
says err 'the first 8 runs all failed for the same reason, so the other 4 were not started'
says err 'the simulation diverged at 0.0'
run 1 sweep fail.yaml --out fail --no-reports --jobs 1 --keep-going --figures-only --force
says err '12 of 12 runs failed'

# ---- thousands are checked in a moment ----
{
    printf 'sweep: 1\nprojects: ["%s"]\nset:\n' "$folder/wrist.cnoid"
    printf '  controller.kp: [%s]\n' "$(seq -s, 20 119)"
    printf '  joints.*.static_torque: [%s, 0.1]\n' "$(seq -s, 2.11 0.005 2.6)"
} >bad.yaml
run 1 sweep bad.yaml --out bad
says err 'joints.*.static_torque=0.1: run 100 and 99 more cannot begin: '
says err '100 of 10000 runs cannot begin'
# ---- Choreonoid would only say that a body was not restored ----
mkdir lost
sed 's#"wrist.body"#"lost.body"#; s#: wrist.body#: lost.body#' "$sources/sample_projects/wrist/wrist.cnoid" >lost/lost.cnoid
printf 'sweep: 1\nprojects: [lost/lost.cnoid]\nengine: choreonoid\nset:\n  duration: [1, 2]\n' >lost.yaml
STICTION_CHOREONOID=/bin/false
export STICTION_CHOREONOID
refuses 1 "lost.yaml:2:12: project lost/lost.cnoid: run 1 and 1 more cannot begin: lost/lost.cnoid:28:19: cannot read 'lost/lost.body': No such file" \
    sweep lost.yaml --out lost_sweep
[ ! -e lost_sweep ] || fail 'a sweep without its body has begun'
finish
