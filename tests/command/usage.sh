#!/bin/sh
# SPDX-License-Identifier: MIT
# Bad usage has exit code 2 and a sentence; a bad file has exit code 1.
. "$(dirname "$0")/lib.sh"

refuses 2 'usage: stiction VERB'
refuses 2 "there is no verb 'cruve'; the nearest is 'curve'" cruve
refuses 2 "there is no verb 'cruve'" help cruve
refuses 2 "there is no verb 'nope'; there are 'run', 'report'," nope
refuses 2 "curve has no option '--zzz'; see curve --help" curve robot.yaml RWRR --zzz
refuses 2 "curve has no option '--implict'; the nearest is --implicit" \
    curve robot.yaml RWRR --implict
refuses 2 "curve has no option '-x'" curve robot.yaml RWRR -x
refuses 2 "replay has no option '--csv=1'" replay robot.yaml log.csv --csv=1
refuses 2 'try: stiction curve --help' curve
refuses 2 'curve: an argument is missing; usage: stiction curve CONFIG JOINT...' curve robot.yaml
refuses 2 'replay: one argument too many' replay robot.yaml a.csv b.csv
refuses 2 '--timestep needs a value: --timestep T' curve robot.yaml RWRR --timestep
refuses 2 '--law needs a value' curve robot.yaml RWRR --law --csv
refuses 2 "--timestep '-1' is not a number above 0" curve robot.yaml RWRR --timestep -1
refuses 2 "--timestep '0.001s' is not a number above 0" curve robot.yaml RWRR --timestep 0.001s
refuses 2 "--timestep '0,001' is not a number above 0" curve robot.yaml RWRR --timestep 0,001
refuses 2 "--from 'nan' is not a finite number" curve robot.yaml RWRR --from nan
refuses 2 '--video-size is for --video' run robot.yaml --video-size 320x240
refuses 2 '--interval is for rows of the series' run robot.yaml --interval 1 --series none --no-report
refuses 2 'check: --fixed-base is for a robot, --body' check robot.yaml --fixed-base
refuses 2 "--out '' is not text" run robot.yaml --out ''
refuses 2 "--to '' is not a finite number" curve robot.yaml RWRR --to=
refuses 2 "--points '-3' is not a whole number from 1" curve robot.yaml RWRR --points -3
refuses 2 '--points is given twice' curve robot.yaml RWRR --points 3 --points 4
refuses 2 '--csv takes no value' curve robot.yaml RWRR --csv=yes
refuses 2 'give --csv or --json, not both' curve robot.yaml RWRR --csv --json
refuses 2 '--at excludes --from, --to and --points' curve robot.yaml RWRR --at - --points 3
refuses 2 '--from 1 must be below --to 0' curve robot.yaml RWRR --from 1 --to 0
refuses 2 "joint 'RWRR' is given twice" curve robot.yaml RWRR RWRR
refuses 2 "law 'coulomb' is given twice" curve robot.yaml RWRR --law coulomb --law coulomb
refuses 2 "unknown law 'stribek'; the nearest is 'stribeck'" curve robot.yaml RWRR --law stribek
refuses 2 '--implicit needs a time step; give --timestep, or timestep: in robot.yaml' \
    curve robot.yaml RWRR --implicit
refuses 2 "--joint 'RWRR' must be JOINT=COLUMN" replay robot.yaml "$sources/LICENSE" \
    --timestep 1 --joint RWRR

refuses 1 'absent.yaml' curve absent.yaml RWRR
refuses 1 'arm.urdf: is a robot; expected a configuration, and the robot after --body' \
    check "$sources/tests/robots/arm.urdf"
refuses 1 "not a text" curve "$sources/tests/robots/arm.urdf" RWRR
[ "$(wc -c <err)" -lt 300 ] || fail 'a long text is quoted whole'
refuses 1 'is not a sweep file: expected YAML with sweep: 1' sweep "$sources/tests/robots/arm.urdf"
refuses 1 'robot.yaml: is a file; expected a folder of results' report robot.yaml
refuses 1 '/dev/null: the file cannot be read: it is not a file' sweep /dev/null
refuses 1 "robot.yaml: nothing matches joint 'RWRX'; the nearest is 'RWRR'" curve robot.yaml RWRX
printf 'stiction: 1\njoints:\n  A: { law: stribek }\n  B: { law: 1 }\n' >wrong.yaml
refuses 1 'wrong.yaml:3:' curve wrong.yaml A
says err 'wrong.yaml:4:' # all mistakes at once

# after -- nothing is an option
run 1 curve robot.yaml -- --csv
says err "nothing matches joint '--csv'"

finish
