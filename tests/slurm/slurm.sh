#!/bin/sh
# A sweep on a real Slurm comes to what it comes to here, to the byte, whatever dies meanwhile.
. "$(dirname "$0")/../command/lib.sh"
. "$(dirname "$0")/cluster.sh"
trap 'cluster_stop; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
cluster_start

# paths with blanks and quotes, from a folder where the user stands
mkdir "$work/user's \"own\" folder"
cd "$work/user's \"own\" folder" || exit 1
mkdir samples
cp -r "$sources/config" .
cp -r "$sources/sample_projects/wrist" "$sources"/sample_projects/*.body samples
give_up() {
    fail "$@"
    cat ./*.err "$cluster/slurmctld.log"
    exit 1
}
# grid FILE GAINS: two laws and so many gains of the wrist
grid() {
    {
        printf 'sweep: 1\nprojects: [samples/wrist/wrist.cnoid]\nset:\n  duration: 0.1\n'
        printf '  law: [stribeck, coulomb]\n  controller.kp: [%s]\n' "$(seq -s, 11 $((10 + $2)))"
    } >"$1"
}
grid grid.yaml 100
grid small.yaml 10
run 0 sweep grid.yaml --allow . --out local
cp out local.out
run 0 sweep small.yaml --allow . --out small_local --no-reports
[ "$failures" -eq 0 ] || exit 1
same() { cmp -s "$1/sweep.csv" "$2/sweep.csv" || fail "$2/sweep.csv is another than that of $1"; }
whole_there() {
    [ ! -e "$1/.shards" ] || fail "$1 still has shards"
    (cd "$1" && sha256sum --quiet --strict -c SHA256SUMS >/dev/null 2>&1) || fail "$1 is damaged"
}
# The first process of a sweep of a task of OUT.
task_of() { pgrep -f -- "sweep --shard [0-9]*/[0-9]* --out .*/$1/\\.shards/" | head -n 1; }
has_task() { task=$(task_of "$1") && [ -n "$task" ]; }

# ---- what is wrong is told before anything is submitted ----
run 1 sweep grid.yaml --allow . --slurm --partition nowhere --out wrong
silent out
says err 'nothing is submitted: sbatch: invalid partition specified: nowhere'
run 1 sweep grid.yaml --allow . --slurm --out wrong -- --time=never
says err 'nothing is submitted: sbatch: '
sed 's/wrist.cnoid/lost.cnoid/' grid.yaml >lost.yaml
run 1 sweep lost.yaml --allow . --slurm --out lost
[ ! -e lost ] || fail 'a sweep that cannot begin has left a folder'
[ -z "$(squeue -h -t all)" ] || fail 'something was submitted'

# ---- 200 runs; a task is killed, and then the node dies ----
STICTION_PROGRESS_INTERVAL=1
export STICTION_PROGRESS_INTERVAL
"$STICTION" sweep grid.yaml --allow . --slurm --chunk 25 --out there >there.out 2>there.err &
driver=$!
is_in_the_middle() { cat there/.slurm/progress/* | awk '$1 > 0 && $1 < $3 { found = 1 } END { exit !found }'; }
kills_task() { is_in_the_middle && has_task there && kill -9 "-$(ps -o pgid= -p "$task" | tr -d ' ')"; }
waits_for 600 kills_task || give_up 'no task was killed'
waits_for 600 has_task there || give_up 'no other task begins'
node_die
# Slurm finds out by itself, and an administrator starts it anew
is_down() { sinfo -h -p main -o %T | grep -q 'down\|\*'; }
waits_for 600 is_down || give_up 'the node is not missed'
node_start
wait $driver
code=$?
[ $code -eq 0 ] || { fail "the sweep ends with $code"; cat there.err; }
same local there
whole_there there
sed 's#there/#local/#' there.out | cmp -s - local.out || fail 'the table is another one'
says there.err 'job 1: 200 runs in 8 tasks of up to 25; logs: there/.slurm'
says there.err 'runs that are missing are submitted again'
grep -q '^[0-9:]* sweep: .* of 200 done, 0 failed; ' there.err || fail 'no line of progress'
cat there.err
waits_for 600 is_up || fail 'the node does not come back'

# ---- all is there already: nothing is submitted ----
before=$(squeue -h -t all | wc -l)
run 0 sweep grid.yaml --allow . --slurm --out there
[ "$(squeue -h -t all | wc -l)" -le "$before" ] || fail 'a whole sweep is submitted again'
same local there

# ---- Ctrl-C leaves the jobs, the same command takes up ----
"$STICTION" sweep small.yaml --allow . --slurm --chunk 5 --jobs 1 --no-reports --out left >left.out 2>left.err &
driver=$!
waits_for 600 has_task left || give_up 'no task begins'
kill -INT $driver
wait $driver
[ $? -eq 1 ] || fail 'an interrupt does not end with 1'
job=$(sed -n 's/^job \([0-9]*\): .*/\1/p' left.err)
says left.err "job $job goes on without this command; the same command follows it again, and scancel $job "
[ -n "$(squeue -h)" ] || fail 'the jobs ended with the command'
squeue -h -j "$job" -t all -r -o %i | grep -qx "${job}_4" || fail 'there are not four tasks'
run 0 sweep small.yaml --allow . --slurm --no-reports --out left
says err "job $job of this sweep still lives and is followed"
same small_local left
whole_there left

# ---- cancelled: nothing comes back by itself, but with the same command ----
"$STICTION" sweep small.yaml --allow . --slurm --chunk 5 --jobs 1 --no-reports --out ended >ended.out 2>ended.err &
driver=$!
waits_for 600 has_task ended || give_up 'no task begins'
job=$(sed -n 's/^job \([0-9]*\): .*/\1/p' ended.err)
scancel --user="$(id -un)"
wait $driver
[ $? -eq 1 ] || fail 'a cancelled sweep does not end with 1'
says ended.err "job $job was cancelled"
run 0 sweep small.yaml --allow . --slurm --no-reports --out ended
same small_local ended
whole_there ended

# ---- on a scratch folder of the node, with options of sbatch, elsewhere ----
mkdir "$work/scratch's"
SCRATCH=$work
export SCRATCH
run 0 sweep small.yaml --allow . --slurm --partition other --chunk 10 --no-reports --out scratched \
    --scratch "\$SCRATCH/scratch's/\${USER_OF_TEST}" -- --cpus-per-task=2 --export=ALL,USER_OF_TEST=me
same small_local scratched
whole_there scratched
[ -d "$work/scratch's/me" ] || fail 'the scratch folder was not used'
[ -z "$(find "$work/scratch's/me" -mindepth 1)" ] || fail 'something is left in the scratch folder'
job=$(sed -n 's/^job \([0-9]*\): .*/\1/p' err)
scontrol show job "$job" | grep -q 'Partition=other' || fail 'not in the partition'
scontrol show job "$job" | grep -q 'NumCPUs=2' || fail 'not with two processors'

# ---- a time limit: what is complete stays, the rest is submitted again ----
# (Slurm's limits are in minutes; here a person sends what Slurm sends)
"$STICTION" sweep small.yaml --allow . --slurm --chunk 20 --no-reports --out short \
    --scratch "$work/scratch's" >short.out 2>short.err &
driver=$!
is_scratching() { task=$(pgrep -f -- "sweep --shard 1/1 --out $work/scratch's/" | head -n 1) && [ -n "$task" ]; }
waits_for 600 is_scratching || give_up 'no task begins'
job=$(sed -n 's/^job \([0-9]*\): .*/\1/p' short.err)
scancel --batch --signal=TERM "${job}_1"
wait $driver
[ $? -eq 0 ] || { fail 'a task that was asked to end'; cat short.err; }
same small_local short

# ---- by hand ----
run 0 sweep small.yaml --allow . --slurm-script --chunk 7 --no-reports --out 'by hand' -- --time=5
says out 'job=$(sbatch --parsable '
[ -z "$(squeue -h)" ] || fail '--slurm-script submits'
sed -n '/sbatch/p' out >submit
sh -eu submit >submitted || fail 'the commands that are told do not submit'
is_merged() { [ -e 'by hand/sweep.csv' ] && [ -z "$(squeue -h)" ]; }
waits_for 600 is_merged || give_up 'by hand nothing comes of it'
same small_local 'by hand'

finish && echo 'a sweep on Slurm is that of this machine'
