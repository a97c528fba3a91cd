#!/bin/sh
# SPDX-License-Identifier: MIT
# The bridge to mc_rtc with JVRC1: its modes, its messages, and what it leaves in the results.
# usage: bridge.sh STICTION BRIDGE, with the robot's files in $STICTION_JVRC_MJ_DESCRIPTION
# Exit code 77: mc_rtc or the robot's files are missing.
if [ ! -e "$2" ]; then
    echo 'skipped: the bridge to mc_rtc is not built, as CMake did not find mc_rtc'
    exit 77
fi
if [ ! -e "${STICTION_JVRC_MJ_DESCRIPTION:-}/xml/jvrc1.xml" ]; then
    echo 'skipped: STICTION_JVRC_MJ_DESCRIPTION does not name the folder with xml/jvrc1.xml'
    exit 77
fi
. "$(dirname "$0")/../command/lib.sh"
sample=$sources/sample_projects/mc_rtc_jvrc1
gains=$STICTION_JVRC_MJ_DESCRIPTION/pdgains/PDgains_sim.dat
config=$sample/mc_rtc.yaml
# the user's own configuration of mc_rtc stays out
HOME=$work TMPDIR=$work
export HOME TMPDIR
run 0 new "$STICTION_JVRC_MJ_DESCRIPTION/xml/jvrc1.xml" --out robot

# bridge OUT STATUS OPTIONS [ARGUMENT...]
bridge() {
    folder=$1 status=$2 options=$3
    shift 3
    run "$status" run robot/jvrc1.cnoid --out "$folder" --no-report --force --duration 0.2 \
        --config "$sample/jvrc1.yaml" --controller "jvrc1=mc_rtc:$options" "$@"
}
# value FOLDER COLUMN ROW: of the series, rows from 1
value() {
    awk -F, -v column="$2" -v row="$3" '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == column) at = k }
        NR == row + 1 { print at ? $at : "no column " column }' "$1/jvrc1/joints.csv"
}

# ---- modes ----
bridge torque 0 "config=$config,mode=auto"
says torque/jvrc1/summary.json '"mode": "torque"'
says torque/jvrc1/summary.json 'controller Squat on'
bridge position 0 "config=$config,controller=Posture,gains=$gains"
says position/jvrc1/summary.json '"mode": "position"'
says position/jvrc1/summary.json 'controller Posture on'
bridge forced 0 "config=$config,gains=$gains,mode=position"
says forced/jvrc1/summary.json '"mode": "position"'
cmp -s torque/jvrc1/joints.csv forced/jvrc1/joints.csv && fail 'mode has no effect'

# ---- the start is that of the robot module ----
knee=$(value torque R_KNEE.position 1)
awk -v q="$knee" 'BEGIN { exit !(q > 0.71 && q < 0.73) }' || fail "it starts with the knee at $knee"

# ---- the same again, to the bit ----
bridge again 0 "config=$config,mode=auto"
cmp -s torque/jvrc1/joints.csv again/jvrc1/joints.csv || fail 'the same run comes out otherwise'

# ---- what it leaves ----
says torque/jvrc1/summary.json '"com_error_rms": '
log=$(sed -n 's/.*"results_file": "\([^"]*\)".*/\1/p' torque/jvrc1/summary.json)
[ -s "torque/jvrc1/$log" ] || fail "there is no log '$log'"
says torque/jvrc1/SHA256SUMS "$log"
[ -z "$(ls -d "$work"/stiction-mc_rtc-* 2>/dev/null)" ] || fail 'folders of logs remain'

# ---- compensation adds torque ----
bridge fed 0 "config=$config,compensation=desired,friction=$sample/jvrc1.yaml"
value fed controller.R_KNEE.compensation 100 | grep -q '^[-0-9]' || fail 'no compensation is recorded'

# ---- errors ----
bridge failed 1 "config=$config,controller=Posture,mode=torque"
says err 'it computes no torques: a controller needs a DynamicsConstraint'
bridge failed 1 "config=$config,controller=Posture"
says err 'position references need gains: give gains=FILE'
bridge failed 1 "config=none.yaml"
says err "option config: there is no file 'none.yaml'"
bridge failed 1 "config=$config,mode=velocity"
says err "option 'mode=velocity' is unknown"
bridge failed 1 "config=$config,gains=$config,mode=position"
says err "lines 'kp kd'; mc_rtc's robot has 44 joints"
bridge failed 1 "config=$config,controller=NotThere"
says err 'No controller enabled'
finish
