#!/bin/sh
# SPDX-License-Identifier: MIT
# A sweep loses nothing and does nothing twice, whatever is killed when; shards are the whole.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid

# grid NAME LINES: a sweep file over the wrist, which runs for a short time
grid() {
    {
        printf 'sweep: 1\nprojects: ["%s"]\nset:\n' "$wrist"
        printf '%b' "$2"
    } >"$1"
}
rows() { echo $(($(wc -l <"$1/sweep.csv") - 1)); }
has_rows() { [ "$(rows "$1")" -eq "$2" ] || fail "$1 has $(rows "$1") rows instead of $2"; }
# cell FOLDER ROW COLUMN: of sweep.csv; no cell of these tests has a comma
cell() {
    awk -F, -v row="$2" -v name="$3" '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) column = k }
        NR == row + 1 { print $column }' "$1/sweep.csv"
}
cell_is() { [ "$(cell "$1" "$2" "$3")" = "$4" ] || fail "$1: $3 of run $2: $(cell "$1" "$2" "$3")"; }
# The complete runs of a folder with their inodes and times.
marks() { find "$1/runs" -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f %i %T@\n' | sort; }
child_of() { tr -d ' ' <"/proc/$1/task/$1/children"; }
no_scratch() { [ -z "$(find "$1/runs" -name '.*')" ] || fail "$1 has scratch folders"; }

# ---- a robot with a controller and targets: the same as single runs ----
cp "$sources/sample_projects/arm7/arm7.body" robot.body
cp "$sources/sample_projects/arm7/arm7.yaml" friction.yaml
printf 'def step(input):\n    return 5 * (0.3 - input.q) - input.dq\n' >pd.py
cat >robot.yaml <<'END'
sweep: 1
projects: robot.body
controller: [posture, "./pd.py", "posture:kp=80"]
targets: J1:10,J2:20
set: { duration: 0.2, configuration: friction.yaml }
END
run 0 sweep robot.yaml --out robot --no-reports
has_rows robot 3
number=0
for controller in posture ./pd.py posture:kp=80; do
    number=$((number + 1))
    run 0 run robot.body --config friction.yaml --controller $controller --targets J1:10,J2:20 \
        --duration 0.2 --force --no-report --out single
    cmp single/robot/joints.csv robot/runs/000$number-*/joints.csv || fail "run $number is not that of $controller"
    cell_is robot $number controller $controller
done
# the file of a posture is beside the sweep file, as those of controllers and targets are
mkdir beside
cp robot.body friction.yaml pd.py beside
printf 'time,J1\n0,0.1\n' >beside/start.csv
sed 's/duration: 0.2/duration: 0.002, posture: start.csv/; s/^controller.*/controller: .\/pd.py/' robot.yaml >beside/robot.yaml
run 0 sweep beside/robot.yaml --out started --no-reports
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "J1.position") c = k } NR == 2 { exit !($c > 0.099 && $c < 0.101) }' \
    started/runs/0001-*/joints.csv || fail 'the posture of a file beside the sweep file is not the start'
run 0 sweep robot.yaml --out robot --no-reports
# where targets move, the RMS error is the first figure; else the error at the end
says out 'error (deg)'
! grep -q 'RMS error' out || fail 'the targets rest'
printf 'time,J1\n0,0\n0.2,0.3\n' >motion.csv
sed 's/^targets: .*/targets: motion.csv/; s/, ".\/pd.py"//' robot.yaml >moving.yaml
run 0 sweep moving.yaml --out moving --no-reports
says out 'joint  RMS error (deg)'
python3 -c 'import json, re
page = open("moving/sweep.html", encoding="utf-8").read()
data = json.loads(re.search(r"id=\"comparison\">(.*?)</script>", page, re.S).group(1))
assert data["figures"][0]["name"] == "J1.rms_tracking_error", data["figures"][0]["name"]' || fail 'the page opens elsewhere'
cat >robot.yaml <<'END'
sweep: 1
projects: robot.body
controller: posture
targets: J1:10
set: { duration: 0.2, configuration: friction.yaml, controller.kq: [1, 2] }
END
refuses 1 "robot.yaml:5:69: controller.kq=1: option 'kq': there is no such option" sweep robot.yaml --out wrong
sed -i 's/controller: posture/controller: .\/absent.py/; s/, controller.kq.*/ }/' robot.yaml
refuses 1 "robot.yaml:2:11: project robot.body: run 1 cannot begin: controller './absent.py': there is no file" sweep robot.yaml --out wrong

# ---- which runs work, and from which value on ----
cat >works.yaml <<END
sweep: 1
projects: ["$wrist"]
works: abs(RWRR.error) < 1.5 deg and stable
smallest: kp
set:
  controller.kp: [10, 33.3333333333, 160]
  joints.RWRR.static_torque: [0.5, 2.5]
  duration: 1.5
END
run 0 sweep works.yaml --out works --no-reports
for row in 1 2 3 4 5 6; do
    error=$(cell works $row RWRR.tracking_error)
    cell_is works $row works "$(awk -v e="$error" 'BEGIN { print (e < 1.5 * atan2(0, -1) / 180 && e > -1.5 * atan2(0, -1) / 180) }')"
done
cell_is works 5 works 1
cell_is works 6 works 0
says out 'smallest controller.kp that works (abs(RWRR.error) < 1.5 deg and stable):'
grep -q '^0.5 *160$' out || fail 'the smallest gain at a small friction'
grep -q '^2.5 *none$' out || fail 'no gain works at a large friction'
grep -q '^ *3  33.33  0.5 ' out || fail 'a setting is not rounded for people'
says works/sweep.html 'that works (abs(RWRR.error) &lt; 1.5 deg and stable): static_torque=0.5 '
run 0 sweep works --plot x=kp,y=static_torque,z=works works.svg
for word in '>works<' '>no<' '>33.33<' 'works: abs(RWRR.error) &lt; 1.5 deg and stable'; do says works.svg "$word"; done
# another condition changes the tables, and repeats no run
marks works >before
sed -i 's/< 1.5 deg/< 25 deg/; s/^smallest: kp/largest: static_torque/' works.yaml
run 0 sweep works.yaml --out works --no-reports
marks works >after
cmp before after || fail 'another condition repeats runs'
cell_is works 4 works 1
says out 'largest joints.RWRR.static_torque that works (abs(RWRR.error) < 25 deg and stable):'
grep -q '^33.3333333333 *2.5$' out || fail 'the largest friction'
grep -q '^10 *none$' out || fail 'nothing works, which is not said'
for wrong in 's/RWRR.error/RWRR.mistake/|works.yaml:3:8: there is no figure' \
    "s/: static_torque/: nothing/|works.yaml:4:10: no key of set is 'nothing'" \
    's/^works.*//|works.yaml:4:10: this is of the runs that work' \
    's/RWRR.error/NOSE.error/|works.yaml:3:8: there is no figure'; do
    sed "${wrong%|*}" works.yaml >wrong.yaml
    run 1 sweep wrong.yaml --out works --no-reports
    says err "wrong.yaml${wrong#*|works.yaml}"
done

# ---- the figures are those of single runs, to the bit ----
grid grid.yaml '  controller.kp: [20, 50, 80]\n  law: [stribeck, coulomb]\n  duration: 0.4\n'
run 0 sweep grid.yaml --out whole --no-reports
silent err
has_rows whole 6
says out 'page: whole/sweep.html'
number=0
for kp in 20 50 80; do
    for law in stribeck coulomb; do
        number=$((number + 1))
        run 0 run "$wrist" --set controller.kp=$kp --set law=$law --set duration=0.4 --force \
            --no-report --out single
        for file in summary.json joints.csv; do
            cmp whole/runs/000$number-*/$file single/wrist/$file || fail "run $number: $file"
        done
        run 0 run "$wrist" --set controller.kp=$kp --set law=$law --set duration=0.4 --force \
            --no-report --out single --csv
        for figure in final_position peak_torque dissipated_energy tracking_error; do
            alone=$(awk -F, -v name=$figure 'NR == 1 { for (k = 1; k <= NF; k++)
                if ($k == name) column = k } NR == 2 { print $column }' out)
            [ -n "$alone" ] || fail "run has no $figure"
            cell_is whole $number RWRR.$figure "$alone"
        done
        cell_is whole $number controller.kp $kp
        cell_is whole $number law $law
        cell_is whole $number status 'done'
    done
done
[ "$(cut -d, -f1 whole/sweep.csv | tr '\n' ' ')" = 'number 1 2 3 4 5 6 ' ] || fail 'the order of runs'

# ---- a list is one text ----
grid lists.yaml '  joints.RWRR.presliding_torque: ["[0.1, 0.2]", "[0.2, 0.1]"]\n  joints.RWRR.presliding_stiffness: "[2000, 1000]"\n  duration: 0.1\n'
run 0 sweep lists.yaml --out lists --no-reports
has_rows lists 2
grep -q '"presliding_torque": \[0.2' lists/runs/0002-*/summary.json || fail 'a list in a sweep'

# ---- nothing is done again ----
marks whole >before
cp whole/sweep.csv whole.csv
run 0 sweep grid.yaml --out whole --no-reports --jobs 3
says err '6 of 6 runs are complete already'
marks whole | cmp -s - before || fail 'a complete sweep was done again'
cmp -s whole/sweep.csv whole.csv || fail 'the table of a complete sweep changed'

# ---- reports, where they are wanted ----
run 0 sweep grid.yaml --out whole
[ "$(find whole/runs -name report.html | wc -l)" -eq 6 ] || fail 'there are not six reports'
grep -q '"reports":"222222"' whole/sweep.html || fail 'the page does not know of the reports'
marks whole | cut -d' ' -f1,2 >after
cut -d' ' -f1,2 before | cmp -s - after || fail 'a report made a run anew'

# ---- a warning of a run stands in its row and below the table ----
sed -i 's/"warnings": \[\]/"warnings": ["it chatters", "it is odd"]/' whole/runs/0002-*/summary.json
relist whole/runs/0002-*
rm whole/sweep.db # its rows are made again from the folders
run 0 sweep grid.yaml --out whole --no-reports
says out 'run 2: warning: it chatters; it is odd'
cell_is whole 2 warnings 'it chatters; it is odd'
cell_is whole 1 warnings ''
sed -i 's/"warnings": \[.*\],/"warnings": [],/' whole/runs/0002-*/summary.json
# a summary of an earlier version has fewer figures
sed -i '/"warnings"/d; /"creep"/d' whole/runs/0001-*/summary.json
relist whole/runs/0001-*
relist whole/runs/0002-*
rm whole/sweep.db
final=$(cell whole 1 RWRR.final_position)
run 0 sweep grid.yaml --out whole --no-reports
cell_is whole 1 RWRR.creep ''
cell_is whole 1 RWRR.final_position "$final"
cmp -s whole/sweep.csv whole.csv || fail 'a null is another than a figure that lacks'

# ---- killed at many moments ----
: >before
for delay in 0.005 0.02 0.01 0.03 0.015 0.025 0.002 0.02; do
    "$STICTION" sweep grid.yaml --out killed --no-reports --jobs 2 >out 2>err &
    sweep=$!
    sleep $delay
    kill -9 $sweep 2>/dev/null # it may be ready before
    wait $sweep 2>/dev/null
    [ -d killed/runs ] || continue
    marks killed >after
    [ -z "$(comm -23 before after)" ] || fail "a kill after $delay s: a complete run changed"
    cp after before
done
run 0 sweep grid.yaml --out killed --no-reports
marks killed >after
[ -z "$(comm -23 before after)" ] || fail 'a complete run was done again'
no_scratch killed
cmp -s killed/sweep.csv whole.csv || fail 'a killed sweep comes to another table'

# ---- killed, and half done for certain: children die with it ----
grid long.yaml '  duration: [0.2, 0.3, 100000]\n'
"$STICTION" sweep long.yaml --out half --no-reports --jobs 1 >out 2>err &
sweep=$!
two_done() { [ "$(marks half | wc -l)" -eq 2 ] && [ -n "$(find half/runs -name '.0003*')" ]; }
waits_for 600 two_done || fail 'two short runs did not end'
child=$(child_of $sweep)
[ -n "$child" ] || fail 'there is no child'
kill -9 $sweep
wait $sweep 2>/dev/null
gone() { ! kill -0 "$child"; }
waits_for 600 gone || {
    fail 'a child outlives its sweep'
    kill -9 "$child"
}
marks half >before
run 1 sweep long.yaml --out half --no-reports --timeout 0.3
says err '1 of 3 runs failed; the same command with --retry repeats them'
marks half >after
[ -z "$(comm -23 before after)" ] || fail 'a complete run was done again'
no_scratch half
cell_is half 3 status failed
cell_is half 3 reason 'killed after 0.3 s (--timeout)'
cell_is half 3 RWRR.final_position ''
says out 'run 3 failed: killed after 0.3 s (--timeout)'

# ---- a run that failed is repeated only when that is asked for ----
run 1 sweep long.yaml --out half --no-reports
says err '3 of 3 runs are complete already'
"$STICTION" sweep long.yaml --out half --no-reports --retry >out 2>err &
sweep=$!
in_the_making() { [ -n "$(find half/runs -name '.0003*')" ]; }
waits_for 600 in_the_making || fail '--retry repeats nothing'
# two at once
run 1 sweep long.yaml --out half
says err 'another sweep writes into half at this moment'
# a crash is a reason
waits_for 600 has_child $sweep || fail 'the run does not start'
kill -KILL "$child"
wait $sweep && fail 'a crash went unseen'
says out 'run 3 failed: killed by signal 9 (Killed)'
has_rows half 3

# ---- an interrupt ends it cleanly ----
"$STICTION" sweep long.yaml --out stopped --no-reports --jobs 1 >out 2>err &
sweep=$!
two_done() { [ "$(marks stopped | wc -l)" -eq 2 ]; }
waits_for 600 two_done || fail 'two short runs did not end'
kill -INT $sweep
wait $sweep
[ $? -eq 1 ] || fail 'the exit code of a stopped sweep is not 1'
says err 'stopped; 2 of 3 runs are complete; the same command (without --force) continues from here'
has_rows stopped 2
no_scratch stopped

# ---- a run that fails is a row with its error ----
grid wrong.yaml '  duration: 0.1\n  joints.*.static_torque: [2.5, 0.123]\n'
refuses 1 "static_torque 0.123 is below coulomb_torque" sweep wrong.yaml --out wrong
says err '1 of 2 runs cannot begin, so none was started; --keep-going starts the others'
[ ! -e wrong ] || fail 'a sweep that did not begin has a folder'
run 1 sweep wrong.yaml --out wrong --keep-going
has_rows wrong 2
cell_is wrong 1 status 'done'
cell_is wrong 2 status failed
case "$(cell wrong 2 reason)" in *0.123*below*) ;; *) fail "the reason is $(cell wrong 2 reason)" ;; esac
grep -q 0.123 wrong/runs/0002-*/messages.txt || fail 'the messages of a failed run are lost'

# ---- shards are the whole ----
run 0 sweep grid.yaml --shard 1/2 --out one --no-reports
has_rows one 3
[ "$(cut -d, -f1 one/sweep.csv | tr '\n' ' ')" = 'number 1 3 5 ' ] || fail 'the runs of a shard'
run 1 merge one --out part
says err '3 of 6 runs are missing: 2, 4, 6'
run 0 merge one --out part --partial
has_rows part 3
run 0 sweep grid.yaml --shard 2/2 --out two --no-reports
run 0 merge one two --out joined
silent err
cmp -s joined/sweep.csv whole.csv || fail 'merged shards come to another table'
cmp -s joined/sweep.json whole/sweep.json || fail 'merged shards have another plan'
no_scratch joined
for number in 1 2 3 4 5 6; do
    cmp -s joined/runs/000$number-*/joints.csv whole/runs/000$number-*/joints.csv ||
        fail "run $number of the merged shards"
done
run 0 merge one two whole --out one # into a shard, with runs that are there twice
cmp -s one/sweep.csv whole.csv || fail 'a merge into a shard'
refuses 1 'two and half are of different sweeps' merge two half --out other
refuses 1 '--force would remove two' merge one two --out two --force
refuses 1 'nowhere: there is no sweep' merge nowhere --out other
refuses 2 'merge needs --out DIR' merge one two
# one that went well is better than one that failed
cp -r whole bad
sed -i 's/"failure": null/"failure": "made up"/' bad/runs/000[13]-*/settings.json
for number in 1 3; do relist bad/runs/000$number-*; done
rm bad/sweep.db
rm -r one/runs/0001-*
run 1 merge bad one --out both
says err '1 of 6 runs failed'
cell_is both 1 reason 'made up'
cell_is both 3 status 'done'

# ---- whose folder it is ----
refuses 1 'whole has the results of another sweep; give --force to replace them, or another --out' \
    sweep long.yaml --out whole
cmp -s whole/sweep.csv whole.csv || fail 'a refused sweep changed the folder'
grid small.yaml '  duration: 0.1\n'
run 0 sweep small.yaml --out whole --force --no-reports
has_rows whole 1
[ "$(marks whole | wc -l)" -eq 1 ] || fail '--force leaves old runs'
mkdir -p foreign/runs
refuses 1 'foreign/runs exists and does not belong to a sweep' sweep small.yaml --out foreign

# ---- a run that is damaged is found, named, left out and repeated ----
grid two.yaml '  duration: [0.1, 0.2]\n'
run 0 sweep two.yaml --out store --reports
cp store/sweep.csv two.csv
whole store store/runs/*
name=$(basename store/runs/0002-*)
for file in $(ls "store/runs/$name"); do
    rm -rf bad joined2
    cp -r store bad
    head -c "$(($(wc -c <"store/runs/$name/$file") / 2))" "store/runs/$name/$file" >"bad/runs/$name/$file"
    # by merge, unless another shard has it whole
    run 1 merge bad --out joined2
    says err "run 2 is damaged: bad/runs/$name: $file"
    has_rows joined2 1
    run 0 merge bad store --out joined2
    cmp -s joined2/sweep.csv two.csv || fail "merge took a run whose $file was cut"
    # by the sweep, which repeats it, and by a shard of it, which does not
    run 1 sweep two.yaml --out bad --no-reports --shard 1/2
    says err "run 2 is damaged: bad/runs/$name: $file"
    run 0 sweep two.yaml --out bad --no-reports
    says err '1 of 2 runs are complete already'
    cmp -s bad/sweep.csv two.csv || fail "a run whose $file was cut is not repeated"
    whole bad bad/runs/*
done
# other files in the folder of a run stay there
rm -rf bad
cp -r store bad
echo mine >"bad/runs/$name/notes.txt"
echo mine >"bad/runs/$name/law-notes.png" # nor is it the name that makes a file ours
: >"bad/runs/$name/summary.json"
run 0 sweep two.yaml --out bad --no-reports
is "bad/runs/$name/notes.txt" mine
is "bad/runs/$name/law-notes.png" mine
whole "bad/runs/$name"
# also without the list
rm "bad/runs/$name/SHA256SUMS"
run 0 sweep two.yaml --out bad --no-reports
is "bad/runs/$name/law-notes.png" mine
whole "bad/runs/$name"
# the list of the sweep itself, a table, and the plan
for file in SHA256SUMS sweep.csv; do
    rm -rf bad
    cp -r store bad
    : >"bad/$file"
    marks bad >before
    run 0 sweep two.yaml --out bad --no-reports
    marks bad | cmp -s - before || fail "a run was repeated, since $file was empty"
    cmp -s bad/sweep.csv two.csv || fail "$file was empty, and the table is another"
    whole bad
done
echo '{' >bad/sweep.json
refuses 1 'bad/sweep.json is damaged; give --force' sweep two.yaml --out bad

# ---- --force replaces a sweep, if the new one can begin ----
cp store/sweep.csv two.csv
refuses 1 'cannot begin' sweep wrong.yaml --out store --force
cmp -s store/sweep.csv two.csv || fail 'a sweep that did not begin replaced another'
run 1 sweep long.yaml --out store --force --no-reports --timeout 0.3
has_rows store 3
(
    limit_files 80
    "$STICTION" sweep two.yaml --out store --force --no-reports >out 2>err
) && fail 'tables that cannot be written are no failure'
says err 'sweep.html: File too large'
run 0 sweep two.yaml --out store --no-reports
whole store store/runs/*

# ---- files of others ----
mkdir -p foreign2 foreign4
echo mine >foreign2/sweep.csv
refuses 1 'foreign2/sweep.csv exists and does not belong to a sweep' sweep two.yaml --out foreign2
is foreign2/sweep.csv mine
echo mine >foreign4/notes.txt
refuses 1 'foreign4/notes.txt exists and does not belong to a sweep' sweep two.yaml --out foreign4
[ "$(ls -A foreign4)" = notes.txt ] || fail 'a refused sweep leaves files'

# ---- a file that all of a thousand runs lack is reported before the first one ----
sed 's|wrist.body|nowhere.body|' "$wrist" >broken.cnoid
{
    printf 'sweep: 1\nprojects: [broken.cnoid]\nset:\n  controller.kp: ['
    seq -s, 1 1000
    printf ']\n'
} >thousand.yaml
refuses 1 "cannot read 'nowhere.body': No such file or directory" sweep thousand.yaml --out thousand
says err 'so none was started'
[ ! -e thousand ] || fail 'a sweep that did not begin has a folder'
# an error that appears only during runs stops the sweep after a few
grid alike.yaml "  controller.mode: pd\n  controller.kp: 1e9\n  controller.torque_limit: 1e300\n  duration: [$(seq -s, 1 40)]\n"
run 1 sweep alike.yaml --out alike --no-reports --jobs 2
says err 'runs all failed for the same reason, so the other 3'
says out 'diverged at 0.'
[ "$(rows alike)" -lt 12 ] || fail "a sweep went on to $(rows alike) runs that fail alike"
run 1 sweep alike.yaml --out alike --no-reports --jobs 2 --keep-going
has_rows alike 40
says out 'runs 1, 2, 3, 4 and 36 more failed: '

# ---- mistakes of the file, all at once, before anything runs; test_sweep_file.c has all of them ----
cat >mistakes.yaml <<'END'
sweep: 1
projects: [nothing.cnoid]
set:
  timestep: [0.001, 0]
  configuration: nothing.yaml
  joints.RWRR.viscous: [1, abc]
  joints.RWRR.viscos: 1
  controller.kpp: 1
END
refuses 1 "mistakes.yaml:2:12: there is no file 'nothing.cnoid'" sweep mistakes.yaml
says err 'mistakes.yaml:4:21: timestep=0: must be'
says err "mistakes.yaml:5:18: there is no file 'nothing.yaml'"
says err "mistakes.yaml:6:28: joints.RWRR.viscous=abc: joint 'RWRR': viscous must be a decimal number"
says err "mistakes.yaml:7:23: joints.RWRR.viscos=1: joint 'RWRR': there is no key 'viscos'; the nearest is"
says err "mistakes.yaml:8:19: controller.kpp=1: option 'kpp': there is no such option; the nearest is 'kp'"
[ ! -e results ] || fail 'a wrong file makes a folder'
values=$(seq -s, 1 2000)
grid many.yaml "  controller.kp: [$values]\n  controller.kv: [$values]\n"
refuses 1 'the grid has more than 1000000 runs' sweep many.yaml
for shard in 0/2 3/2 1 1/2x a/b; do
    refuses 2 "--shard $shard: must be I/N" sweep grid.yaml --shard $shard
done
refuses 2 'give --reports or --no-reports, not both' sweep grid.yaml --reports --no-reports
finish
