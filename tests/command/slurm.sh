#!/bin/sh
# Sweeps on Slurm, with scripts in place of its programs: what is submitted, how it is quoted, what
# is done again, and what is said where Slurm refuses. tests/slurm has the real one.
. "$(dirname "$0")/lib.sh"
mkdir "$work/bin" "$work/it's \"here\" \$x"
cd "$work/it's \"here\" \$x" || exit 1
PATH=$work/bin:$PATH
FAKE=$work/fake
export PATH FAKE
mkdir "$FAKE"

# sbatch runs what it is given at once, by the directives of the script. FAKE/refuse is why it does
# not, FAKE/lost the tasks that die before they begin.
cat >"$work/bin/sbatch" <<'END_OF_SBATCH'
#!/bin/sh
printf '%s\n' "$*" >>"$FAKE/calls"
[ ! -e "$FAKE/refuse" ] || { cat "$FAKE/refuse" >&2; exit 1; }
for script; do :; done
case $script in /*) ;; *) script=$PWD/$script ;; esac
job=$(($(cat "$FAKE/number" 2>/dev/null || echo 40) + 1))
echo $job >"$FAKE/number"
echo "$job;cluster"
SLURM_ARRAY_JOB_ID=$job SLURM_JOB_ID=$job SLURM_CPUS_ON_NODE=2
export SLURM_ARRAY_JOB_ID SLURM_JOB_ID SLURM_CPUS_ON_NODE
tasks=$(sed -n 's/^#SBATCH "--array=\([^%"]*\).*/\1/p' "$script" | tr ',' '\n' |
    sed 's/^\([0-9]*\)$/\1-\1/; s/-/ /' | while read -r first last; do seq "$first" "$last"; done)
folder=$(sed -n 's/^#SBATCH "--chdir=\(.*\)"$/\1/p' "$script" | sed 's/\\\(["\\]\)/\1/g')
if [ -e "$FAKE/idle" ]; then
    exit 0
elif [ -z "$tasks" ]; then
    (cd / && sh "$script") >"$folder/${job}_merge.log" 2>&1
else
    for SLURM_ARRAY_TASK_ID in $tasks; do
        export SLURM_ARRAY_TASK_ID
        ! grep -qx "$SLURM_ARRAY_TASK_ID" "$FAKE/lost" 2>/dev/null || {
            echo 'slurmstepd: error: the node has no power' >"$folder/${job}_$SLURM_ARRAY_TASK_ID.log"
            continue
        }
        (cd / && sh "$script") >"$folder/${job}_$SLURM_ARRAY_TASK_ID.log" 2>&1
    done
    [ -e "$FAKE/always" ] || rm -f "$FAKE/lost"
fi
exit 0
END_OF_SBATCH
# FAKE/queue is what is in the queue: rows with KEY for that of the folder
cat >"$work/bin/squeue" <<'END_OF_SQUEUE'
#!/bin/sh
[ ! -e "$FAKE/queue" ] || sed "s/KEY/$(cat "$FAKE/key" 2>/dev/null)/" "$FAKE/queue"
END_OF_SQUEUE
cat >"$work/bin/scontrol" <<'END_OF_SCONTROL'
#!/bin/sh
echo 'MaxArraySize            = 5'
END_OF_SCONTROL
chmod +x "$work/bin/"*
calls() { cat "$FAKE/calls"; }

{
    printf 'sweep: 1\nprojects: ["%s"]\n' "$sources/sample_projects/wrist/wrist.cnoid"
    printf 'set:\n  duration: 0.02\n  controller.kp: [ 20, 30, 40, 50, 60, 70 ]\n'
} >"the grid's.yaml"
sweep() {
    expected=$1
    shift
    run "$expected" sweep "the grid's.yaml" --no-reports "$@"
}
sweep 0 --out local
cp out local.out
same() { cmp -s local/sweep.csv "$1/sweep.csv" || fail "$1 has another table"; }

# ---- the same table, page and words ----
sweep 0 --slurm --chunk 2 --jobs 3 --partition 'a b' --out "o'u\"t" --timeout 50 -- --mem 2G
same "o'u\"t"
says err 'job 41: 6 runs in 3 tasks of up to 2; logs: '
sed "s#o'u\"t/#local/#" out | cmp -s - local.out || fail 'the table is another one'
calls >called
says called '--partition=a b --mem 2G --requeue'
says called '--array=1-3%3 '
says called '--dependency=afterany:41 '
grep -q -- '--timeout=50' "o'u\"t/.slurm/array.sh" || fail 'a task lacks an option'
grep -q '"$stiction" sweep --shard "$task/$shards"' "o'u\"t/.slurm/array.sh" || fail 'the script'
whole "o'u\"t/.slurm"
[ ! -e "o'u\"t/.shards" ] || fail 'shards are left'
rm "$FAKE/calls"
sweep 0 --slurm --out "o'u\"t"
[ ! -e "$FAKE/calls" ] || fail 'what is complete is submitted again'

# ---- an array is no larger than Slurm takes it ----
sweep 0 --slurm --chunk 1 --out small
says err 'this Slurm takes arrays of up to 4'
says err '6 runs in 4 tasks of up to 2'
same small

# ---- a task that dies is told, and only its runs are done again ----
echo 2 >"$FAKE/lost"
sweep 0 --slurm --chunk 2 --retry --out lost
says err 'task 2 of job 45 ended without 2 of its 2 runs; lost/.slurm/45_2.log ends: slurmstepd: error: the node has no power'
says err 'the 2 runs that are missing are submitted again'
says err 'job 47: 2 runs in 1 task of up to 2'
! grep -q -- --retry lost/.slurm/array.sh || fail 'a round repeats what failed in the one before'
same lost

# ---- but not for ever ----
seq 9 >"$FAKE/lost"
: >"$FAKE/always"
sweep 1 --slurm --chunk 2 --out never
says err 'no run became complete in 3 jobs one after the other, so the 6 that are missing are not submitted again'
says err 'stopped; 0 of 6 runs are complete'
rm "$FAKE/lost" "$FAKE/always"
sweep 0 --slurm --out never
same never

# ---- where runs fail it ends as here ----
{
    sed 's/20, 30.*70/20, 30, 1e11, 1e12/' "the grid's.yaml"
    printf '  controller.mode: pd\n  controller.torque_limit: 1e300\n' # they diverge
} >fails.yaml
run 1 sweep fails.yaml --no-reports --out failed_local
grep -v '^table\|^page' out >failed.out
cp err failed.err
run 1 sweep fails.yaml --no-reports --out failed --slurm --chunk 12
grep -v '^table\|^page' out | cmp -s - failed.out || fail 'the table of failures is another one'
tail -n 1 err | cmp -s - failed.err || { fail 'other words'; cat err failed.err; }

# they are repeated once, and those that fail again are no reason to go on
rm "$FAKE/calls"
run 1 sweep fails.yaml --no-reports --out failed --slurm --retry
[ "$(grep -c -- --array= "$FAKE/calls")" -eq 1 ] || fail '--retry is no single round'
grep -q -- --retry failed/.slurm/array.sh || fail 'no task repeats what failed'
says err '2 of 4 runs failed'
# where nothing goes well the rest is left
sed 's/duration: 0.02/duration: [ 1e8, 1e9 ]/' "the grid's.yaml" >hopeless.yaml
run 1 sweep hopeless.yaml --no-reports --timeout 0.05 --out hopeless --slurm --chunk 20
grep -q 'no run of job [0-9]* went well, so the [0-9]* that are missing are not submitted again' err || { fail 'a hopeless sweep'; cat err; }

# ---- what is half done here goes on there ----
cp -r local half
rm -rf half/runs/0003-* half/runs/0005-*
sweep 0 --slurm --out half
says err '2 runs in 1 task of up to 2'
same half
sweep 0 --slurm --force --out half
says err '6 runs in 1 task of up to 6'
same half
[ ! -e half/.before ] || fail 'what was replaced is still there'

# ---- on a folder of the node ----
NODE="$work/on the node"
export NODE
sweep 0 --slurm --chunk 3 --out scratched --scratch '$NODE/a`b"c'
same scratched
[ -d "$NODE/a\`b\"c" ] || fail 'the scratch folder was not used'
[ -z "$(ls -A "$NODE/a\`b\"c")" ] || fail 'something is left in the scratch folder'
# what cannot be moved is not thrown away
sweep 0 --slurm-script --chunk 6 --out stuck --scratch '$NODE/stuck'
sed -n /sbatch/p out >submit
mkdir stuck/.shards
: >stuck/.shards/1-of-1
sh -eu submit >submitted || fail 'the commands that are told do not run'
[ "$(sqlite3 "$NODE"/stuck/stiction-*-1/sweep.db 'select count(*) from runs')" = 6 ] ||
    fail 'what could not be moved is gone'
says "$(echo stuck/.slurm/*_1.log)" 'what is complete could not be moved to '
rm -r stuck/.shards "$NODE/stuck"
sweep 0 --slurm --out stuck --scratch '$NODE/stuck'
same stuck
# why a task ended is told, and not what was moved behind it
run 1 sweep hopeless.yaml --no-reports --timeout 0.05 --out moved --slurm --chunk 20 --scratch '$NODE'
grep -q 'ends: [0-9]* of 12 runs failed; the same command with --retry' err || { fail 'why it ended'; cat err; }
sweep 1 --slurm --out unset --scratch '$NO_SUCH_NAME/x'
says err 'NO_SUCH_NAME: is not set on this node'

# ---- scripts alone ----
: >"$FAKE/calls"
sweep 0 --slurm-script --chunk 4 --out 'by hand' -- --mem=1G
[ ! -s "$FAKE/calls" ] || fail '--slurm-script submits'
says out '6 runs in 2 tasks'
sed -n /sbatch/p out >submit
grep -q '^#SBATCH "--mem=1G"$' 'by hand/.slurm/array.sh' || fail 'a script lacks an option of sbatch'
sh -eu submit >submitted || fail 'the commands that are told do not run'
same 'by hand'
sweep 0 --slurm-script scripts --out elsewhere -- --mem=1G
says out 'sbatch --dependency=afterany:$job scripts/merge.sh'
whole scripts
: >a_file
refuses 1 'cannot make the folder a_file/scripts: Not a directory' \
    sweep "the grid's.yaml" --slurm-script a_file/scripts --out elsewhere

# ---- jobs that live are followed, or left ----
: >"$FAKE/idle"
printf 'RUNNING|70|1|stiction-KEY-tasks|None\nPENDING|70|2|stiction-KEY-tasks|Resources\n' >"$FAKE/queue"
printf 'PENDING|71|N/A|stiction-KEY-merge|Dependency\nRUNNING|12|1|stiction-0-tasks|None\n' >>"$FAKE/queue"
live() { # of the folder in $1; its jobs live
    until key=$(sed -n 's/.*"key": "\(.*\)".*/\1/p' "$1/.slurm/job.json" 2>/dev/null) && [ -n "$key" ]; do
        sleep 0.05
    done
    echo "$key" >"$FAKE/key"
}
"$STICTION" sweep "the grid's.yaml" --no-reports --slurm --out left >left.out 2>left.err &
driver=$!
live left
until grep -q '^job' left.err; do sleep 0.05; done
kill -INT $driver
wait $driver
[ $? -eq 1 ] || fail 'an interrupt does not end with 1'
says left.err 'goes on without this command; the same command follows it again, and scancel '
# a site may have replaced the comment by which jobs are known: then they are by their numbers
job=$(sed -n 's/^job \([0-9]*\): .*/\1/p' left.err)
cp "$FAKE/queue" "$FAKE/queue.kept"
printf 'RUNNING|%s|1|the site|None\n' "$job" >"$FAKE/queue"
sweep 1 --slurm --force --out left
says err "job $job of left still lives"
mv "$FAKE/queue.kept" "$FAKE/queue"
: >"$FAKE/calls"
sweep 1 --slurm --force --out left
says err 'job 70 of left still lives; scancel 70 71 ends it'
"$STICTION" sweep "the grid's.yaml" --no-reports --slurm --out left >left.out 2>left.err &
driver=$!
until grep -q 'job 70 of this sweep still lives and is followed' left.err; do sleep 0.05; done
sweep 1 --slurm --out left
says err 'another stiction sweep --slurm follows the jobs of left'
# they end, and have left nothing: a new round
rm "$FAKE/queue" "$FAKE/idle"
wait $driver || fail 'a sweep that was taken up'
same left
says left.err 'the 6 runs that are missing are submitted again'

# ---- cancelled jobs do not come back by themselves ----
: >"$FAKE/idle"
printf 'CANCELLED|70|1|stiction-KEY-tasks|None\n' >"$FAKE/queue"
"$STICTION" sweep "the grid's.yaml" --no-reports --slurm --out cancelled >cancelled.out 2>cancelled.err &
driver=$!
live cancelled
wait $driver && fail 'a cancelled sweep ends well'
says cancelled.err 'was cancelled, so the 6 runs that are missing are not submitted again'
rm "$FAKE/queue" "$FAKE/idle"
sweep 0 --slurm --out cancelled
same cancelled

# ---- refusals, in the words of Slurm ----
printf 'sbatch: error: bad \033[31mpartition\nsbatch: error: Batch job submission failed\n' >"$FAKE/refuse"
refuses 1 'nothing is submitted: sbatch: bad \x1b[31mpartition; Batch job submission failed' \
    sweep "the grid's.yaml" --slurm --out refused
rm "$FAKE/refuse"
: >"$FAKE/calls"
refuses 1 '--array=1-9 behind -- is stiction'"'"'s own option of sbatch here' \
    sweep "the grid's.yaml" --slurm --out own -- --array=1-9
refuses 2 "'another.yaml' is one too many" sweep "the grid's.yaml" another.yaml
refuses 2 "'another.yaml' is one too many" sweep "the grid's.yaml" another.yaml --slurm
refuses 2 '--chunk needs --slurm' sweep "the grid's.yaml" --chunk 3
refuses 2 '--slurm makes its own shards: --shard does not go with it' \
    sweep "the grid's.yaml" --slurm --shard 1/2
sed 's/20, 30/20, -30/' "the grid's.yaml" >wrong.yaml
refuses 1 'wrong.yaml:' sweep wrong.yaml --slurm --out wrong
[ ! -e wrong ] || fail 'a sweep that cannot begin leaves a folder'
[ ! -s "$FAKE/calls" ] || fail 'something was submitted'
before=$PATH
PATH=/nonexistent
sweep 1 --slurm --out none
PATH=$before
says err 'scontrol cannot be started: Slurm'
PATH=/nonexistent
sweep 0 --slurm-script --out none
PATH=$before
says err 'scontrol cannot be started: Slurm'
says err 'arrays of up to 1000 tasks are taken as allowed'
finish
