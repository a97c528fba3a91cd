#!/bin/sh
# SPDX-License-Identifier: MIT
# What replay takes, passes on and refuses.
. "$(dirname "$0")/lib.sh"

replays() { run 0 replay robot.yaml log.csv "$@"; }
head_is() { [ "$(head -n 1 out | tr -d '\r')" = "$1" ] || fail "the head is $(head -n 1 out)"; }
row_starts() {
    row=$(sed -n "$1p" out)
    case "$row" in "$2"*) ;; *) fail "row $1 is $row" ;; esac
}
log() { printf '%b' "$1" >log.csv; }
# bad_log LOG SENTENCE: it ends with exit code 1
bad_log() {
    log "$1"
    run 1 replay robot.yaml log.csv
    says err "$2"
}
new=RWRR.friction_torque,RWRR.stick,RWRR.deflection

# ---- which columns ----
log 'time,RWRR\n0,0.1\n0.001,0.1\n'
replays
head_is "time,RWRR,$new"
silent err
log 'time,RWRR.velocity,RWRR.angle\n0,0.1,7\n0.001,0.1,7\n'
replays
head_is "time,RWRR.velocity,RWRR.angle,$new"
log 'time,LWRY\n0,0.1\n0.001,0.1\n' # by a pattern
replays
head_is time,LWRY,LWRY.friction_torque,LWRY.stick,LWRY.deflection
log 'time,speed\n0,0.1\n0.001,0.1\n'
replays --joint RWRR=speed --joint LWRP=speed
head_is "time,speed,$new,LWRP.friction_torque,LWRP.stick,LWRP.deflection"
log 'time,RWRR,RWRR.velocity\n0,0.1,0.2\n0.001,0.1,0.2\n'
refuses 1 "log.csv:1: columns 'RWRR' and 'RWRR.velocity' both match" replay robot.yaml log.csv
says err "the velocity of joint 'RWRR'; choose one with --joint RWRR=COLUMN"
replays --joint RWRR=RWRR
log 'time,a,b\n0,1,2\n'
refuses 1 "log.csv:1: no column is a joint of robot.yaml; the columns are 'time', 'a', 'b'" \
    replay robot.yaml log.csv
refuses 1 "nothing matches joint 'RWRX'; the nearest is 'RWRR'" \
    replay robot.yaml log.csv --joint RWRX=a
refuses 1 "log.csv:1: --joint RWRR=c: no column 'c'" \
    replay robot.yaml log.csv --joint RWRR=c
log "time,RWRR,RWRR.stick\n0,1,0\n1,1,0\n"
refuses 1 "log.csv:1: column 'RWRR.stick' exists already" replay robot.yaml log.csv
log 'time,KARNOPP\n0,1\n'
refuses 1 "joint 'KARNOPP': law karnopp needs the sum of the other torques" \
    replay robot.yaml log.csv

# ---- the rest passes as it is: quotes, spaces, CRLF; comments and empty lines are left out ----
log '\357\273\277# by hand\r\n"time" ,"RWRR", note\r\n\r\n0, 0.1,"a ""b"", c"\r\n#\r\n1e-3,0.1,\r\n'
replays
[ "$(head -n 1 out)" = "$(printf '"time" ,"RWRR", note,%s\r' "$new")" ] || fail 'the head with CRLF'
row_starts 2 '0, 0.1,"a ""b"", c",'
row_starts 3 '1e-3,0.1,,'
[ "$(wc -l <out)" -eq 3 ] || fail 'comments and empty lines are not left out'
log 'time,note,RWRR\n0,"two\nlines",0.1\n0.001,,0.1' # no newline at the end
replays
[ "$(wc -l <out)" -eq 4 ] || fail 'a quoted newline'
row_starts 4 '0.001,,0.1,'
cp out from_file
"$STICTION" replay robot.yaml - <log.csv >out
cmp -s out from_file || fail 'stdin differs from a file'

# ---- time ----
log 'RWRR\n0.1\n0.1\n'
refuses 1 "log.csv:1: no column 'time'; give --timestep" \
    replay robot.yaml log.csv
replays --timestep 0.001
bad_log 'time,RWRR\n0,0.1\n' 'log.csv:2: a single row has no time step; give --timestep'
bad_log 'time,RWRR\n0,0.1\n0.001,0.1\n0.001,0.1\n' 'log.csv:4: time 0.001 must be greater than 0.001'
[ "$(wc -l <out)" -eq 3 ] || fail 'the rows before a mistake are lost'
bad_log 'time,RWRR\n0,0.1\n,0.1\n' "log.csv:3: time '' is not a finite number"
bad_log 'time,SOFT\n0,0.1\n0.001,0.1\n' "log.csv:2: joint 'SOFT': at time step 0.001 s" # K T + B is too small
log 'time,RWRR\n'
replays
head_is "time,RWRR,$new"

# ---- velocities ----
log 'time,RWRR\n0,0.1\n0.001,\n0.002,nan\n0.003,0.1\n'
replays
row_starts 3 '0.001,,,,'
row_starts 4 '0.002,nan,,,'
says err "warning: log.csv:3: joint 'RWRR' lacks 2 of 4 velocities, the first here"
for velocity in fast 1,5 inf 0x; do
    log "time,RWRR\n0,0.1\n0.001,\"$velocity\"\n"
    run 1 replay robot.yaml log.csv
    says err "log.csv:3: velocity '$velocity' of joint 'RWRR' is not a finite number"
done
bad_log 'time,RWRR\n0,0.1\n0.001,1e308\n' "log.csv:3: velocity 1e+308 of joint 'RWRR' is too large for a torque"

# ---- invalid files ----
bad_log 'time,RWRR\n0,0.1\n0.001,0.1,0.1\n' 'log.csv:3: the row has 3 cells, the header 2'
log ''
refuses 1 'log.csv: no header' replay robot.yaml log.csv
bad_log 'time,RWRR\n0,"0.1\n' 'log.csv:2:3: a quote is not closed'
printf 'time,RWRR\n\000\n' >log.csv
run 1 replay robot.yaml log.csv
says err 'log.csv:2:1: there is a byte 0'
refuses 1 'Is a directory' replay robot.yaml .
refuses 1 'absent.csv: No such file' replay robot.yaml absent.csv
refuses 1 'absent.npz: the file cannot be read' replay robot.yaml absent.npz

# ---- a million rows in the memory of one ----
long_log() {
    awk 'BEGIN {
        print "time,RWRR"
        for (k = 0; k < 1000000; k++) printf "%.3f,0.0%d\n", k / 1e3, k % 97
    }'
}
little_memory() {
    # the sanitizers reserve more than there is
    # shellcheck disable=SC3045 # dash and bash both have -v
    grep -q __asan_init "$STICTION" || ulimit -v 200000
    exec "$STICTION" "$@"
}
rows=$(long_log | (little_memory replay robot.yaml -) | wc -l)
[ "$rows" -eq 1000001 ] || fail "a long log gave $rows rows"

# ---- inputs of friction ----
with_wrist drive.yaml <<'END'
joints:
  LOADED: { profile: wrist, law: coulomb, viscous: 0, load_motor: 0.2, load_external: 0.1, load_limit: 10 }
  WAVY: { profile: wrist, law: coulomb, viscous: 0, ripple: 0.1, ripple_count: 2 }
  WARM: { profile: wrist, law: coulomb, viscous: 0, temperature: 35, temperature_level: 0.01 }
  PLAIN: { profile: wrist, law: coulomb, viscous: 0 }
  KARNOPP: { profile: wrist, law: karnopp, stick_velocity: 0.001 }
END
# torque ROW COLUMN EXPECTED: of steady sliding, to 1e-12
torque() {
    awk -F, -v row="$1" -v name="$2.friction_torque" -v expected="$3" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) column = k }
        NR == row { d = $column - expected; if (d < 0) d = -d; found = column && $column != "" && d <= 1e-12 * (expected < 0 ? -expected : expected) }
        END { exit !found }' out || { fail "$2.friction_torque of row $1 is not $3"; cat out; }
}
drives() { run 0 replay drive.yaml log.csv --timestep 1; }
log 'LOADED.velocity,LOADED.effort,LOADED.external_torque\n20,0,0\n20,0,0\n20,3,0\n20,-30,0\n20,3,-1\n20,3,1\n'
drives
torque 3 LOADED 0.4
torque 4 LOADED 1
torque 5 LOADED 2.4
torque 6 LOADED 1.1
torque 7 LOADED 0.9
log 'WAVY,WAVY.position\n1,0\n1,0\n1,1.5707963267948966\n'
drives
torque 3 WAVY 0.44
torque 4 WAVY 0.36
log 'WARM,WARM.temperature,PLAIN\n1,25,1\n1,25,1\n1,15,1\n1,,1\n'
drives
torque 3 WARM 0.4
torque 4 WARM 0.36
torque 5 WARM 0.36 # it stays as warm as it was
torque 5 PLAIN 0.4
log 'WARM\n1\n1\n'
drives
torque 3 WARM 0.44
# friction that holds the rest of the load
log 'KARNOPP,KARNOPP.effort,KARNOPP.external_torque\n0,1,0\n0,1,-0.25\n'
drives
torque 2 KARNOPP 1
torque 3 KARNOPP 0.75
log 'LOADED.velocity,LOADED.effort\n20,0\n'
refuses 1 "log.csv:1: joint 'LOADED': load_external needs a column 'LOADED.external_torque'" \
    replay drive.yaml log.csv --timestep 1
log 'WAVY\n1\n'
refuses 1 "joint 'WAVY': ripple needs a column 'WAVY.position'" replay drive.yaml log.csv --timestep 1
log 'WAVY,WAVY.position,WAVY.position\n1,1,2\n'
refuses 1 "two columns 'WAVY.position'" replay drive.yaml log.csv --timestep 1
log 'WAVY,WAVY.position\n1,x\n'
run 1 replay drive.yaml log.csv --timestep 1
says err "log.csv:2: position 'x' of joint 'WAVY' is not a finite number"
# a missing velocity keeps the bristle; columns that no friction reads are ignored
log 'WAVY,WAVY.position,WAVY.effort\n1,0,x\n1,,x\n1,0,x\n'
drives
row_starts 3 '1,,x,,,'
torque 4 WAVY 0.44
says err "warning: log.csv:3: joint 'WAVY' lacks 1 of 3 velocities or other inputs"
finish
