#!/bin/sh
# SPDX-License-Identifier: MIT
# Controllers on the command line and in projects: which body is driven by what, and what becomes of
# a run whose controller fails.
# usage: controller.sh STICTION POSTURE_LIBRARY FOLDER_OF_TEST_CONTROLLERS
posture=$2 faulty=$3/faulty.so
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid
options='kp=20 kv=2 lambda=0 target=RWRR:90'

same() { cmp -s "$1/joints.csv" "$2/joints.csv" || fail "$1 and $2 differ"; }
# rows FOLDER: how many steps were recorded
rows() { echo $(($(wc -l <"$1/joints.csv") - 1)); }

# ---- the posture controller: of the project, named, as a library ----
run 0 run "$wrist" --out project --no-report
run 0 run "$wrist" --out named --no-report --controller "posture:$options"
run 0 run "$wrist" --out loaded --no-report --controller "$posture:$options"
same project/wrist named/wrist
same project/wrist loaded/wrist
says project/wrist/summary.json '{"name": "PostureController", "body": "Wrist", "mode": "qp", "options": "kp=20 kv=2 lambda=0 target=RWRR:90", "clamped": 0, "relaxed": 0, "held": 0, "faults": 0}'
says loaded/wrist/summary.json "\"library\": \"$posture\", \"clamped\": 0, \"relaxed\": 0"
says loaded/wrist/summary.json "\"overrides\": [\"controller=$posture:$options\"]"
# its options are set as those of the project's are
run 0 run "$wrist" --out set --no-report --set controller.kp=50
run 0 run "$wrist" --out set_loaded --no-report --controller "Wrist=$posture:$options" --set controller.kp=50
same set/wrist set_loaded/wrist
cmp -s set/wrist/joints.csv project/wrist/joints.csv && fail 'controller.kp has no effect'

# those that come with stiction need no folder
run 0 run "$wrist" --out near --no-report --controller "posture.so:$options"
same project/wrist near/wrist
# a bridge that was not built is said to be missing
if [ ! -e "$(dirname "$posture")/mc_rtc.so" ]; then
    refuses 1 "there is no file 'mc_rtc': looked in the working directory '$work'" \
        run "$wrist" --out refused --controller mc_rtc:config=mc_rtc.yaml
    says err 'the bridge to mc_rtc is built where CMake finds mc_rtc'
fi

# ---- a file that a controller leaves ----
run 0 run "$wrist" --out left --no-report --controller "$faulty:leave" --set duration=0.1
says left/wrist/summary.json '"results_file": "left.bin"'
says left/wrist/left.bin left
says left/wrist/SHA256SUMS left.bin
run 1 run "$wrist" --out nothing --no-report --controller "$faulty:leave_nothing" --set duration=0.1
says err 'there.bin: No such file'

# ---- targets ----
run 0 run "$wrist" --out targets --no-report --controller posture --targets RWRR:90
same project/wrist targets/wrist
says targets/wrist/summary.json '"targets=RWRR:90"'
printf 'time,RWRR\n0,0\n1,1\n' >way.csv
run 0 run "$wrist" --out way --no-report --controller "$faulty:pd" --targets way.csv --set duration=0.2
refuses 1 "targets: option 'target': joint 'RWRP': the robot has no such joint; the nearest is 'RWRR'" \
    run "$wrist" --out refused --targets RWRP:10
refuses 1 'targets: must be JOINT:DEGREES,... or a file that ends in .csv' \
    run "$wrist" --out refused --targets 90
refuses 1 'targets are given, but there is no controller' \
    run "$wrist" --out refused --targets RWRR:10 --controller none

# ---- which body ----
run 0 run "$wrist" --out none --no-report --controller none --set duration=0.1
says none/wrist/summary.json '"controllers": []'
refuses 1 "controller 'Wrst=posture': there is no body 'Wrst' with joints; the nearest is 'Wrist'" \
    run "$wrist" --out refused --controller Wrst=posture
refuses 1 '2 controllers are given for 1 bodies with joints' \
    run "$wrist" --out refused --controller posture --controller none
refuses 1 "there is no file 'pd.so': looked in the working directory '$work' and in '" \
    run "$wrist" --out refused --controller pd.so
refuses 1 'controller.kp=1 is set, but there is no controller' \
    run "$wrist" --out refused --controller none --set controller.kp=1

# ---- a run whose controller fails keeps its results; test_controller_host.c has all failures ----
# fails WORD SENTENCE ROWS
fails() {
    run 1 run "$wrist" --out failed --force --no-report --controller "$faulty:$1"
    says err "controller 'faulty': $2"
    says failed/wrist/summary.json '"complete": false'
    [ "$(rows failed/wrist)" -eq "$3" ] || fail "$1: $(rows failed/wrist) rows instead of $3"
}
fails fail 'at 0.01 s: joint too warm' 10
fails crash_step 'it crashed in step: segmentation fault (SIGSEGV), at 0.01 s' 10
fails exit 'it crashed in step: it called exit, at 0.01 s' 10
fails thread_exit 'it crashed in step: it called pthread_exit, at 0.01 s' 10
fails no_array 'it replaced an array of its output at 0.01 s' 10
says failed/wrist/summary.json "\"library\": \"$faulty\""
# before a run there are none to keep
refuses 1 "controller '$faulty:crash_create': it crashed in create: segmentation fault" \
    run "$wrist" --out refused --controller "$faulty:crash_create"
refuses 1 "controller '$faulty:refuse': no gain for 'Wrist'" \
    run "$wrist" --out refused --controller "$faulty:refuse"
[ ! -e refused/wrist/summary.json ] || fail 'a run that never began has results'
# a crash after the run is reported, and the results are complete
run 1 run "$wrist" --out after --no-report --set duration=0.1 --controller "$faulty:crash_note"
says err "controller 'faulty': it crashed in note: segmentation fault (SIGSEGV)"
says after/wrist/summary.json 'it crashed in note'
says after/wrist/summary.json '"complete": true'
run 1 run "$wrist" --out after --force --no-report --set duration=0.1 --controller "$faulty:crash_destroy"
says err "controller 'faulty': it crashed in destroy: segmentation fault (SIGSEGV)"
# and no further project is run
cp "$wrist" second.cnoid
run 1 run "$wrist" second.cnoid --out ended --no-report --controller "$faulty:crash_step"
[ -e ended/wrist ] && [ ! -e ended/second ] || fail 'a run begins after a crash'

# ---- one that is done ends the run well; notes and words ----
run 0 run "$wrist" --out done --no-report --controller "$faulty:finish"
says done/wrist/summary.json '"complete": true'
[ "$(rows done/wrist)" -eq 11 ] || fail "$(rows done/wrist) rows of a run that is done after 11"
says done/wrist/summary.json '"library": "'"$faulty"'", "calls": 11, "colour": "gr\\xfcn"}'
says done/wrist/summary.json '"options": "finish"'
says done/wrist/summary.json "controller 'faulty': the paint is wet"
run 0 run "$wrist" --out words --no-report --set duration=0.01 --controller "$faulty:log"
says err "warning: controller '$faulty:log': it is late"
# its options are its own
run 0 run "$wrist" --out own --no-report --set duration=0.01 --controller "$faulty:pd" --set controller.colour=red
says own/wrist/summary.json '"options": "pd colour=red"'

# ---- in projects ----
# changed MODULE OPTIONS: ./changed.cnoid
changed() {
    sed -e "s|file: .*wrist.body.*|file: $sources/sample_projects/wrist/wrist.body|" \
        -e "s|file: .*floor.body.*|file: $sources/sample_projects/floor.body|" \
        -e "s|configuration_file: .*|configuration_file: $sources/config/wrist.yaml|" \
        -e "s|controller: .*|controller: \"$1\"|; s|controllerOptions: .*|controllerOptions: \"$2\"|" \
        "$wrist" >changed.cnoid
}
mkdir beside && cp "$posture" beside/mine.so
changed StictionController "$posture:$options"
run 0 run changed.cnoid --out changed --no-report
same project/wrist changed/changed
changed beside/mine "$options"
run 0 run changed.cnoid --out changed --force --no-report
same project/wrist changed/changed
says changed/changed/summary.json '{"name": "PostureController", "body": "Wrist", "mode": "qp"'
changed beside/mine.so "$options"
run 0 run changed.cnoid --out changed --force --no-report --set controller.kp=50
same set/wrist changed/changed
# relative to the project, wherever the command runs
mkdir elsewhere
(cd elsewhere && "$STICTION" run ../changed.cnoid --out here --no-report >out 2>err) || fail 'not beside the project'
same project/wrist elsewhere/here/changed
changed StictionController ''
refuses 1 "changed.cnoid:42:22: controller" run changed.cnoid --out refused
says err "controller 'PostureController': the specification of a controller is empty"
changed SR1MinimumController ''
refuses 1 "controller 'PostureController' is 'SR1MinimumController', which only Choreonoid can run" \
    run changed.cnoid --out refused
run 0 run changed.cnoid --out replaced --no-report --controller "posture:$options"
same project/wrist replaced/changed

# ---- several bodies ----
body() {
    cat <<END
    - name: $1
      class: BodyItem
      is_checked: true
      data: { file: $sources/sample_projects/wrist/wrist.body, fix_root: true, collision_detection: false }
      children: [ { name: C$1, class: SimpleControllerItem, data: { controller: StictionController, controller_options: "$2" } } ]
END
}
{
    printf 'items:\n  name: Root\n  class: RootItem\n  children:\n  - name: World\n    class: WorldItem\n    is_checked: true\n    children:\n'
    body Left "posture:$options"
    body Right "$faulty:record"
    cat <<END
    - name: AIST
      class: AISTSimulatorItem
      is_checked: true
      data: { time_range_mode: specified, time_length: 0.1 }
      children: [ { name: Friction, plugin: Stiction, class: StictionItem, data: { configuration_file: $sources/config/wrist.yaml } } ]
END
} >two.cnoid
run 0 run two.cnoid --out two --no-report
says two/two/summary.json '{"name": "CLeft", "body": "Left", "mode": "qp"'
says two/two/summary.json '{"name": "CRight", "body": "Right", "options": "record", "library"'
run 0 run two.cnoid --out two --force --no-report --controller "Right=posture:kp=5" --targets Right.RWRR:20
says two/two/summary.json '{"name": "posture", "body": "Right", "mode": "qp", "options": "kp=5"'
says two/two/summary.json '{"name": "CLeft", "body": "Left"'
run 0 run two.cnoid --out two --force --no-report --controller posture --controller none
says two/two/summary.json '{"name": "posture", "body": "Left"'
grep -q '"body": "Right"' two/two/summary.json && fail 'none is a controller'
refuses 1 "joint 'RWRR': the robot has no such joint; the nearest is 'Left.RWRR'" \
    run two.cnoid --out refused --targets RWRR:20

# ---- sweeps over options of a controller that is not ours ----
changed StictionController "$faulty:pd"
printf 'sweep: 1\nset:\n  controller.colour: [red, blue]\n  duration: 0.01\nprojects: [changed.cnoid]\n' >own.yaml
run 0 sweep own.yaml --no-reports
# whose figures alone come from a process a run, too
run 0 sweep own.yaml --no-reports --figures-only --out own_figures
cmp results/own/sweep.csv own_figures/sweep.csv || fail 'figures alone are others'
[ -z "$(ls -A own_figures/runs)" ] || fail 'figures alone leave folders'
cat results/own/runs/*/summary.json >both.json
says both.json '"options": "pd colour=red"'
says both.json '"options": "pd colour=blue"'

# ---- in another process: the same, to the bit; the peer is gone with the run ----
"${faulty%/*}/controller_peer" "$posture" "$work/socket" 2>peer.err &
waits_for 600 [ -S "$work/socket" ] || fail 'the peer does not listen'
run 0 run "$wrist" --out process --no-report --controller "unix:$work/socket:$options"
wait $! || fail "the peer failed: $(cat peer.err)"
same project/wrist process/wrist
says process/wrist/summary.json "{\"name\": \"socket\", \"body\": \"Wrist\", \"mode\": \"qp\", \"options\": \"$options\", \"library\": \"unix:$work/socket\", \"clamped\": 0"
"${faulty%/*}/controller_peer" "$faulty" "$work/socket" 2>peer.err &
waits_for 600 [ -S "$work/socket" ] || fail 'the peer does not listen'
run 1 run "$wrist" --out crashed --no-report --controller "unix:$work/socket:crash_step"
says err "controller 'socket': at 0.01 s: it closed the connection instead of answering STEP"
says crashed/wrist/summary.json '"complete": false'
rm -f "$work/socket"

# ---- nobody, and a program instead of Python ----
refuses 1 "cannot connect to '$work/socket' (waited 0.1 s): No such file or directory" \
    run "$wrist" --out refused --controller "unix:$work/socket:timeout=0.1"
printf '#!/bin/sh\necho "hello from $3"\necho "ImportError: no numpy" >&2\nexit 1\n' >python && chmod +x python
: >mine.py
STICTION_PYTHON=$work/python
export STICTION_PYTHON
refuses 1 "controller 'mine.py': its process ended with code 1 after 'ImportError: no numpy', instead of answering HELLO" \
    run "$wrist" --out refused --controller mine.py
says err "controller 'mine.py': hello from ./mine.py"

# an interpreter of another origin that comes first and lacks numpy is passed over
unset STICTION_PYTHON
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    mkdir other
    printf '#!/bin/sh\nexit 1\n' >other/python3 && chmod +x other/python3
    printf 'records = ["twice"]\ndef step(input):\n    return {"torque": 0 * input.q, "records": {"twice": 2}}\n' >own.py
    PATH=$work/other:$PATH run 0 run "$wrist" --out passed --no-report --duration 0.01 --controller own.py
    # records of a controller are columns of joints.csv with its name
    [ "$(head -n 1 passed/wrist/joints.csv | sed 's/.*,//')" = controller.twice ] || fail 'no column of a record'
    [ "$(tail -n 1 passed/wrist/joints.csv | sed 's/.*,//')" = 2 ] || fail 'another value than was recorded'
    # a robot that stands on its brakes: its feet are told to carry its 101 kg
    printf 'needs = ["contacts"]\nrecords = ["up"]\ndef step(input):\n    up = sum(c.force[2] for c in input.contacts)\n    return {"torque": 0 * input.q, "records": {"up": up}}\n' >feet.py
    run 0 run "$sources/sample_projects/brakes/brakes.cnoid" --out feet --no-report --duration 0.3 --controller feet.py
    tail -n 1 feet/brakes/joints.csv | sed 's/.*,//' | awk '{ exit !($1 > 940 && $1 < 1040) }' ||
        fail "the feet carry $(tail -n 1 feet/brakes/joints.csv | sed 's/.*,//') N"
    # one that never returns ends with its host, however that ends
    printf 'def step(input):\n    open("loops", "w").close()\n    while True: pass\n' >loops.py
    "$STICTION" run "$wrist" --out looping --no-report --controller loops.py >/dev/null 2>&1 &
    host=$!
    waits_for 60 test -e loops && has_child $host || fail 'the controller does not loop'
    kill -9 $host
    wait $host 2>/dev/null
    waits_for 60 test ! -e "/proc/$child" || fail 'a looping controller outlives its host'
fi

finish
