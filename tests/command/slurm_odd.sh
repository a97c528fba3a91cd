#!/bin/sh
# A Slurm that holds, is silent, loses merges and dies: what a sweep on it says and does then. The
# programs are scripts, whose n-th call may be told what to do.
. "$(dirname "$0")/lib.sh"
mkdir "$work/bin" "$work/fake"
PATH=$work/bin:$PATH
FAKE=$work/fake
export PATH FAKE
# NAME.N says what the N-th call of a program does, NAME what the others do
for name in sbatch squeue scontrol; do
    cat >"bin/$name" <<END
#!/bin/sh
number=\$((\$(cat "\$FAKE/$name.count" 2>/dev/null || echo 0) + 1))
echo \$number >"\$FAKE/$name.count"
script=\$FAKE/$name.\$number
[ -e "\$script" ] || script=\$FAKE/$name
[ ! -e "\$script" ] || . "\$script"
exit 0
END
    chmod +x "bin/$name"
done
echo "echo 'MaxArraySize = 1001'" >fake/scontrol
# what is submitted gets a number, and is not done
cat >accept <<'END'
job=$(($(cat "$FAKE/job" 2>/dev/null || echo 40) + 1))
echo $job >"$FAKE/job"
echo $job
END
# the key of the round, for rows of the queue
cat >key <<'END'
key=$(sed -n 's/.*"key": "\(.*\)".*/\1/p' "$OUT/.slurm/job.json")
row() { echo "$1|$2|$3|stiction-$key-$4|$5"; }
END
cp key fake/key
# forget: what the programs were told
forget() {
    rm -f fake/sbatch* fake/squeue*
    cp accept fake/sbatch
}
printf 'sweep: 1\nprojects: ["%s"]\nset:\n  duration: 0.02\n  controller.kp: [ 20, 30 ]\n' \
    "$sources/sample_projects/wrist/wrist.cnoid" >s.yaml
sweep() { # CODE OUT OPTIONS...
    OUT=$2
    export OUT
    expected=$1
    shift 2
    run "$expected" sweep s.yaml --no-reports --keep-going --slurm --out "$OUT" "$@"
}
run 0 sweep s.yaml --no-reports --out local

# ---- held, silent, back again, over; then cancelled, so that nothing is submitted again ----
forget
echo '. "$FAKE/key"; row PENDING 41 1 tasks JobHeldUser; row PENDING 42 N/A merge Dependency' >fake/squeue.1
echo '. "$FAKE/key"; row RUNNING 41 1 tasks None; row RUNNING 41 2 tasks None' >fake/squeue.2
echo 'echo "squeue: error: no answer" >&2; exit 1' >fake/squeue.3
cp fake/squeue.3 fake/squeue.4
echo '. "$FAKE/key"; row RUNNING 42 N/A merge None' >fake/squeue.5
echo '. "$FAKE/key"; row CANCELLED 41 1 tasks None' >fake/squeue
sweep 1 held
says err 'Slurm holds tasks of job 41 (JobHeldUser); scontrol release 41 lets them go'
[ "$(grep -c 'Slurm holds' err)" -eq 1 ] || fail 'it is told more than once'
says err 'squeue has no answer at this moment; it is asked again'
[ "$(grep -c 'has no answer' err)" -eq 1 ] || fail 'a silence is told more than once'
says err 'job 41 was cancelled, so the 2 runs that are missing are not submitted again'
says err '(CANCELLED)'

# ---- a node that does not see the folder: there is no log; then one that says nothing ----
forget
sweep 1 blind
says err 'task 1 of job 43 ended without 2 of its 2 runs; there is no blind/.slurm/43_1.log: does its node see this folder?'
says err 'no run became complete in 3 jobs one after the other'
forget
echo ': >"$OUT/.slurm/$(($(cat "$FAKE/job") + 1))_1.log"; . "$FAKE/accepting"' >fake/sbatch
cp accept fake/accepting
sweep 1 mute
grep -q 'ended without 2 of its 2 runs, and said nothing (mute/.slurm/[0-9]*_1.log)' err || { fail 'an empty log'; cat err; }
# of many tasks a few are told
printf 'sweep: 1\nprojects: ["%s"]\nset:\n  duration: 0.02\n  controller.kp: [ %s 26 ]\n' \
    "$sources/sample_projects/wrist/wrist.cnoid" '20, 21, 22, 23, 24, 25,' >many.yaml
forget
OUT=many run 1 sweep many.yaml --no-reports --keep-going --slurm --chunk 1 --out many
grep -q 'and 4 more tasks ended without some of their runs' err || { fail 'many tasks'; cat err; }
[ "$(grep -c '^stiction: task ' err)" -eq 9 ] || fail 'more than three tasks are told in a round'

# ---- shards that no job merges are merged again, but not for ever ----
forget
run 0 sweep s.yaml --no-reports --shard 1/1 --out shard
cat >fake/sbatch.1 <<'END'
. "$FAKE/accepting"
mkdir -p "$OUT/.shards" && cp -r shard "$OUT/.shards/1-of-1"
END
sweep 1 unmerged
says err 'did not merge the shards'
says err 'the shards in unmerged/.shards could not be merged, see above'
says err 'stopped; 0 of 2 runs are complete'
# the next command begins with them
forget
cat >fake/sbatch <<'END'
for script; do :; done
sh "$script" >/dev/null 2>&1
. "$FAKE/accepting"
END
sweep 0 unmerged
cmp -s local/sweep.csv unmerged/sweep.csv || fail 'what was merged is another table'
[ ! -e unmerged/.shards ] || fail 'shards are left'
# ... and says why where it is not let
forget
cat >fake/sbatch.1 <<'END'
. "$FAKE/accepting"
mkdir -p "$OUT/.shards" && cp -r shard "$OUT/.shards/1-of-1"
END
echo 'echo "sbatch: error: too many jobs" >&2; exit 1' >fake/sbatch
sweep 1 full
says err 'the merge is not submitted: sbatch: too many jobs'

# ---- a controller that says nothing sensible ----
forget
echo 'echo submitted' >fake/sbatch
sweep 1 numberless
says err 'nothing is submitted: sbatch told no number of a job, but: submitted'
forget
echo 'kill -9 $$' >fake/sbatch
sweep 1 killed
says err 'nothing is submitted: sbatch was killed by signal 9 and said nothing'
forget
echo "echo 'MaxArraySize = 0'" >fake/scontrol
sweep 1 noarrays
says err 'nothing is submitted: this Slurm takes no job arrays (MaxArraySize = 0)'
echo "echo 'MaxArraySize = 1001'" >fake/scontrol

# ---- the jobs of a command before, where it is not known whether they live ----
forget
echo '. "$FAKE/key"; row RUNNING 90 1 tasks None' >fake/squeue
: >b.err
OUT=before "$STICTION" sweep s.yaml --no-reports --keep-going --slurm --out before >b.out 2>b.err &
driver=$!
until grep -q '^job' b.err; do sleep 0.05; done
kill -INT $driver
wait $driver
echo 'echo "squeue: error: no answer" >&2; exit 1' >fake/squeue
sweep 1 before
says err 'squeue has no answer, so it is not known whether job '
path=$PATH
PATH=/nonexistent
sweep 1 before
PATH=$path
says err 'squeue cannot be started: Slurm'
# scripts need no Slurm, but jobs that live are in their way
echo '. "$FAKE/key"; row RUNNING 90 1 tasks None' >fake/squeue
OUT=before run 1 sweep s.yaml --no-reports --keep-going --slurm-script --out before
says err 'job 90 of before still lives'
rm fake/squeue
OUT=before run 0 sweep s.yaml --no-reports --keep-going --slurm-script --out before
says out '2 runs in 1 tasks; to submit them'
OUT=local run 0 sweep s.yaml --no-reports --keep-going --slurm-script --out local
is out 'all runs are complete already'
# a folder where the lock cannot be
mkdir -p nolock/.slurm/lock
sweep 1 nolock
says err 'nolock/.slurm/lock: Is a directory'
finish
