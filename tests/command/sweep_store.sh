#!/bin/sh
# SPDX-License-Identifier: MIT
# The database of a sweep: figures without series, resuming after a kill, damage, input files that
# change, and shards.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # where a sync takes no time
. "$(dirname "$0")/lib.sh"
mkdir files
cp "$sources"/sample_projects/wrist/wrist.cnoid "$sources"/sample_projects/wrist/wrist.body \
    "$sources"/sample_projects/floor.body "$sources"/config/wrist.yaml files
sed -i 's#\.\./floor.body#floor.body#; s#\.\./\.\./config/##' files/wrist.cnoid
cat >grid.yaml <<'END'
sweep: 1
projects: [files/wrist.cnoid]
set:
  controller.kp: [20, 50, 80]
  law: [stribeck, coulomb]
  duration: 0.3
END
ask() { sqlite3 "$1/sweep.db" "$2"; }
# answers FOLDER SQL TEXT: the lines of the answer, one after the other
answers() {
    answer=$(ask "$1" "$2" | tr '\n' ' ')
    [ "$answer" = "$3 " ] || fail "$1: $2: $answer instead of $3"
}
# has_begun FOLDER: waits for its first rows
has_begun() { until [ "$(ask "$1" 'select count(*) from runs' 2>/dev/null || echo 0)" -gt 2 ]; do sleep 0.05; done; }
folders() { find "$1/runs" -mindepth 1 -maxdepth 1 | wc -l; }
has_folders() { [ "$(folders "$1")" -eq "$2" ] || fail "$1 has $(folders "$1") folders instead of $2"; }

# ---- figures alone come to the same table, to the byte ----
run 0 sweep grid.yaml --out whole --no-reports
refuses 2 '--figures-only keeps no series to report on' sweep grid.yaml --figures-only --reports
refuses 2 '--figures-only keeps no series: give it or --series' sweep grid.yaml --figures-only --series csv
run 0 sweep grid.yaml --out bare --figures-only
cmp -s whole/sweep.csv bare/sweep.csv || fail 'figures alone come to another table'
has_folders whole 6
has_folders bare 0
grep -q 'runs/0001' bare/sweep.html && fail 'the page leads to a folder that is not there'
run 0 sweep grid.yaml --out bare --figures-only
is err '6 of 6 runs are complete already'
run 0 sweep grid.yaml --out bare # nothing that is complete is done again for its series
has_folders bare 0
cmp -s whole/sweep.csv bare/sweep.csv || fail 'a table from the database is another'
answers bare 'select count(*), sum(series) from runs' '6|0'
# which is reported if they are requested
lacks() { # RUNS FOLDER OPTIONS...
    runs=$1 of=$2
    shift 2
    run 0 sweep grid.yaml --out "$of" --no-reports "$@"
    says err "warning: $runs of the runs that are complete already have no such series, and are not repeated"
}
lacks 6 bare --series csv
lacks 4 bare --keep-series 'controller.kp > 40'
lacks 6 bare --keep-series 'RWRR.peak_torque > 0'
lacks 6 whole --series npz
run 0 sweep grid.yaml --out bare --reports
says err 'warning: 6 of the runs'
answers whole 'select number from results where "controller.kp" > 20 and law = '"'coulomb'"' and joint = '"'RWRR'" '4 6'
figure=$(sed -n 3p bare/sweep.csv | cut -d, -f11)
answers bare "select abs(final_position - $figure) < 1e-14 from results where number = 2" 1

# ---- series of those that match ----
run 0 sweep grid.yaml --out some --keep-series 'controller.kp > 40 and law == coulomb'
has_folders some 2
[ -e some/runs/0004-* ] && [ -e some/runs/0006-* ] || fail 'the series of other runs are kept'
whole some some/runs/*
cmp -s whole/sweep.csv some/sweep.csv || fail 'a condition comes to another table'
largest=$(ask whole 'select number from results order by abs(tracking_error) desc limit 1')
least=$(ask whole "select abs(tracking_error) * 0.999 from results where number = $largest")
run 0 sweep grid.yaml --out figures --keep-series "abs(RWRR.tracking_error) > $least"
has_folders figures "$(ask whole "select count(*) from results where abs(tracking_error) > $least")"
[ -e figures/runs/000"$largest"-* ] || fail 'the series of the run that matches are not kept'
run 0 sweep grid.yaml --out some # and again: nothing is done
is err '6 of 6 runs are complete already'
run 0 sweep grid.yaml --out some --keep-series 'controller.kp > 40 and law == coulomb' --series csv
is err '6 of 6 runs are complete already'
run 0 sweep grid.yaml --out figures --keep-series "abs(RWRR.tracking_error) > $least"
is err '6 of 6 runs are complete already'
refuses 1 "column 1: 'controller.kpp' is neither a key of the sweep nor a figure" \
    sweep grid.yaml --out other --keep-series 'controller.kpp > 2'
refuses 1 "--keep-series 'controller.kp >': " sweep grid.yaml --out other --keep-series 'controller.kp >'
[ ! -e other ] || fail 'a wrong condition makes a folder'
run 0 sweep grid.yaml --out other --keep-series 'RWRX.tracking_error > 0'
says err 'RWRX.tracking_error'
has_folders other 0

# ---- killed at many moments ----
for delay in 0.01 0.05 0.1 0.15 0.2 0.08 0.12; do
    "$STICTION" sweep grid.yaml --out killed --figures-only --jobs 2 >out 2>err &
    sweep=$!
    sleep $delay
    kill -9 $sweep 2>/dev/null
    wait $sweep 2>/dev/null
    [ ! -e killed/sweep.db ] || ask killed 'pragma integrity_check' >sound || fail 'a kill spoils it'
done
run 0 sweep grid.yaml --out killed --figures-only
cmp -s killed/sweep.csv whole/sweep.csv || fail 'a killed sweep comes to another table'
[ ! -e killed/sweep.db-journal ] || fail 'a journal is left'

# ---- shards ----
for shard in 1 2 3; do
    run 0 sweep grid.yaml --shard $shard/3 --out shard$shard --figures-only
done
run 1 merge shard1 shard3 --out joined
says err '2 of 6 runs are missing: 2, 5'
run 0 merge shard1 shard2 shard3 --out joined
silent err
cmp -s joined/sweep.csv whole/sweep.csv || fail 'merged figures come to another table'
has_folders joined 0
run 0 merge shard1 some --out shard1 # rows and folders, into a shard
cmp -s shard1/sweep.csv whole/sweep.csv || fail 'rows and folders come to another table'
has_folders shard1 1
whole shard1/runs/*

# ---- rows that a killed sweep did not write are made from the folders ----
cp -r whole old
rm old/sweep.db
run 0 merge old --out joined2
cmp -s joined2/sweep.csv whole/sweep.csv || fail 'a merge of a folder without a database'
run 0 sweep grid.yaml --out old --no-reports
is err '6 of 6 runs are complete already'
cmp -s old/sweep.csv whole/sweep.csv || fail 'a folder without a database comes to another table'
answers old 'select count(*) from runs' 6

# ---- a database that is damaged or of another program is refused, and nothing is changed ----
# spoilt MESSAGE: bad, a copy that was spoilt, is refused by all that read it
spoilt() {
    cp -rP bad as_it_was
    refuses 1 "$1" sweep grid.yaml --out bad --figures-only
    refuses 1 "$1" merge bad --out merged
    refuses 1 "$1" merge shard2 --out bad
    diff -rq --no-dereference bad as_it_was >/dev/null || fail "$1: something was changed"
    rm -rf bad as_it_was merged
    cp -r bare bad
}
cp -r bare bad
echo 'this is no database at all, and it is long enough to be one' >bad/sweep.db
spoilt 'sweep.db: it is damaged'
size=$(wc -c <bad/sweep.db)
head -c $((size / 2)) bare/sweep.db >bad/sweep.db
spoilt 'sweep.db: it is damaged'
printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | dd of=bad/sweep.db bs=1 seek=$((size - 4096)) conv=notrunc 2>/dev/null
spoilt 'sweep.db: it is damaged'
ask bad 'pragma user_version = 9'
spoilt 'sweep.db: its format is version 9'
ask bad 'pragma application_id = 9'
spoilt 'sweep.db: it is the database of another program'
rm bad/sweep.db
ln -s ../bare/sweep.db bad/sweep.db
spoilt 'sweep.db: it is not a regular file'
rm bad/sweep.db
mkfifo bad/sweep.db
refuses 1 'sweep.db: it is not a regular file' sweep grid.yaml --out bad
rm -rf bad
cp -r bare bad
ask bad "drop table runs; create view runs as with recursive n(k) as (select 1 union all select k + 1 from n) select k as number from n"
spoilt 'sweep.db: a table is missing'
ask bad "update runs set name = '0001-00000000' where number = 1"
spoilt 'row 1 is of another sweep'
# control characters of names and reasons do not reach a terminal
ask bad "update figures set joint = char(27) || '[31m'; update runs set status = 'failed', reason = char(27) || '[2J' where number = 1"
run 1 sweep grid.yaml --out bad
grep -q "$(printf '\033')" out err && fail 'an escape of the database reaches the terminal'
# --force replaces it, whatever it is
echo nonsense >bad/sweep.db
run 0 sweep grid.yaml --out bad --figures-only --force
cmp -s whole/sweep.csv bad/sweep.csv || fail '--force does not replace a database that is damaged'
mkdir foreign
: >foreign/sweep.db
refuses 1 'foreign/sweep.db exists and does not belong to a sweep' sweep grid.yaml --out foreign

# ---- input files that change ----
cp -r files before
for file in files/wrist.body files/wrist.cnoid files/floor.body files/wrist.yaml; do
    cp $file kept
    printf '\n# a change\n' >>$file
    refuses 1 "'$file' has changed since 6 runs of this sweep were done, so nothing was started" sweep grid.yaml --out bare
    cp kept $file
done
echo '# a change' >>files/wrist.body # nor is that drawn as the sweep of the file
refuses 1 "'files/wrist.body' has changed" sweep grid.yaml --out bare --plot x=kp,y=rms_error p.svg
[ ! -e p.svg ] || fail 'a picture of other files'
cp before/wrist.body files
run 0 sweep grid.yaml --out bare # as they were
# also where its name is a number
for number in 1 2; do cp files/wrist.yaml $number; done
sed 's/law: .*/configuration: [1, 2]/; s/, 50, 80//' grid.yaml >numbered.yaml
run 0 sweep numbered.yaml --out numbered --figures-only
echo '# a change' >>2
refuses 1 "'2' has changed since 2 runs of this sweep were done" sweep numbered.yaml --out numbered
run 0 sweep grid.yaml --shard 1/2 --out one --figures-only
echo '# a change' >>files/wrist.body
run 0 sweep grid.yaml --shard 2/2 --out two --figures-only
refuses 1 "two was done with another 'files/wrist.body' than the folders before it" merge one two --out mixed
[ ! -e mixed ] || fail 'shards of different files were merged'
run 0 merge one two --out mixed --accept-changes
answers mixed 'select count(*) from runs' 6
refuses 1 "'files/wrist.body' has changed" sweep grid.yaml --out one --figures-only
run 0 sweep grid.yaml --out one --figures-only --accept-changes
answers one 'select count(*) from runs' 6
run 0 sweep grid.yaml --out one --figures-only # the changes were accepted
# also into an existing folder
run 0 sweep grid.yaml --shard 1/2 --out three --figures-only
cp before/wrist.body files
run 0 sweep grid.yaml --shard 2/2 --out four --figures-only
run 0 merge three --out merged --partial
cp merged/sweep.csv as_it_was.csv
refuses 1 "four was done with another 'files/wrist.body'" merge four --out merged
cmp -s merged/sweep.csv as_it_was.csv || fail 'a shard of other files was merged into what is there'
run 0 merge four --out merged --accept-changes

# ---- during a sweep: it stops, and has no run of the new file ----
sed 's/\[20, 50, 80\]/{linspace: [20, 80, 3000]}/' grid.yaml >many.yaml
"$STICTION" sweep many.yaml --out changed --figures-only --keep-going >out 2>err &
sweep=$!
has_begun changed
touch files/wrist.yaml # which is no change
sleep 0.3
sed -i 's/static_torque: 2.5/static_torque: 2.4/' files/wrist.yaml
wait $sweep && fail 'a file that changes meanwhile is not noticed'
says err "'files/wrist.yaml' has changed since the sweep began, so that it was stopped"
done_by_then=$(ask changed 'select count(*) from runs')
[ "$done_by_then" -gt 2 ] && [ "$done_by_then" -lt 6000 ] || fail "$done_by_then runs were done by then"
cp before/wrist.yaml files
last=$(ask changed 'select max(number) from runs')
ask changed "select \"controller.kp\", law from runs where number = $last" | {
    IFS='|' read -r kp law
    sed "s/\\[20, 50, 80\\]/$kp/; s/\\[stribeck, coulomb\\]/$law/" grid.yaml >last.yaml
}
run 0 sweep last.yaml --out last --figures-only
answers last 'select final_position, peak_torque from figures' \
    "$(ask changed "select final_position, peak_torque from figures where run = $last")"

# ---- a full disk ends it soon, and the rows before count ----
sed 's/\[20, 50, 80\]/{linspace: [20, 80, 2000]}/; s/duration: .*/duration: 0.01/' grid.yaml >fill.yaml
(
    limit_files 160
    "$STICTION" sweep fill.yaml --out filled --figures-only --jobs 2 >out 2>err
) && fail 'a disk that is full is no failure'
grep -q 'stopped;' err && fail 'it says that the user stopped it'
grep -q 'sweep.db: ' err || { fail 'the reason is not reported'; cat err; }
whole_by_then=$(ask filled 'select count(*) from runs')
[ "$whole_by_then" -gt 50 ] || fail "only $whole_by_then runs were written"
there=$(ask filled 'select count(*) from runs where number % 40 = 1')
run 0 sweep fill.yaml --out filled --figures-only --shard 1/40
says err "$there of 100 runs are complete already"

# a link that leads elsewhere is a change, too
cp files/wrist.yaml first.yaml
sed 's/static_torque: 2.5/static_torque: 2.4/' files/wrist.yaml >second.yaml
ln -sf ../first.yaml files/wrist.yaml
"$STICTION" sweep many.yaml --out linked --figures-only --keep-going >out 2>err &
sweep=$!
has_begun linked
ln -sf ../second.yaml files/wrist.yaml
wait $sweep && fail 'a link that leads elsewhere is not noticed'
says err "'files/wrist.yaml' has changed since the sweep began"
rm files/wrist.yaml
cp before/wrist.yaml files

# ---- merge --remove keeps foreign files ----
cp -r shard2 noted
echo mine >noted/notes.txt
run 1 merge noted --out noted/whole --remove
says err 'noted has files that stiction did not write; they are left there'
[ "$(ls -A noted)" = "$(printf 'notes.txt\nwhole')" ] || fail 'merge --remove removes too much, or too little'
answers noted/whole 'select count(*) from runs' 2
finish
