#!/bin/sh
# SPDX-License-Identifier: MIT
# A sweep on a real Slurm gives what it gives here, to the byte, whatever dies meanwhile.
. "$(dirname "$0")/../command/lib.sh"
. "$(dirname "$0")/cluster.sh"
trap 'cluster_stop; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
cluster_start

# paths with blanks and quotes
mkdir "$work/user's \"own\" folder"
cd "$work/user's \"own\" folder" || exit 1
mkdir samples
cp -r "$sources/config" .
cp -r "$sources/sample_projects/wrist" "$sources"/sample_projects/*.body samples
give_up() {
    fail "$@"
    cat err "$cluster/slurmctld.log"
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
run 0 sweep grid.yaml --out local --no-reports
cp out local.out
run 0 sweep small.yaml --out small_local --no-reports
[ "$failures" -eq 0 ] || exit 1
same() { cmp -s "$1/sweep.csv" "$2/sweep.csv" || fail "$2/sweep.csv is another than that of $1"; }
is_idle() { [ -z "$(squeue -h)" ]; }
ends() { waits_for 600 is_idle || give_up 'the jobs do not end'; }
# a process of the sweep of a task of OUT
task_of() { pgrep -f -- "sweep --shard [0-9]*/[0-9]* --out .*/$1/\\.shards/" | head -n 1; }
has_task() { task=$(task_of "$1") && [ -n "$task" ]; }

# ---- what is wrong is reported, and nothing is submitted ----
run 1 sweep grid.yaml --slurm --partition nowhere --out wrong
silent out
says err 'nothing is submitted'
sed 's/wrist.cnoid/lost.cnoid/' grid.yaml >lost.yaml
run 1 sweep lost.yaml --slurm --out lost
[ ! -e lost ] || fail 'a sweep that cannot begin has left a folder'
[ -z "$(squeue -h -t all)" ] || fail 'something was submitted'

# ---- 200 runs; a task is killed, then the node dies ----
run 0 sweep grid.yaml --slurm --chunk 25 --no-reports --out there
says out '200 runs in 8 tasks; job '
kills_task() { has_task there && kill -9 "-$(ps -o pgid= -p "$task" | tr -d ' ')"; }
waits_for 600 kills_task || give_up 'no task was killed'
waits_for 600 has_task there || give_up 'no other task begins'
run 1 sweep grid.yaml --slurm --no-reports --out there
says err 'is still in the queue'
node_die
is_down() { sinfo -h -p main -o %T | grep -q 'down\|\*'; }
waits_for 600 is_down || give_up 'the node is not missed'
node_start
ends
# the task that was killed has left runs
run 0 sweep grid.yaml --slurm --chunk 25 --no-reports --out there
ends
run 0 sweep grid.yaml --slurm --no-reports --out there
sed 's#there/#local/#' out | cmp -s - local.out || fail 'the table is another one'
same local there
[ ! -e there/.shards ] || fail 'shards are left'

# ---- with options of sbatch; its end comes early ----
waits_for 600 is_up || fail 'the node does not come back'
short() {
    run 0 sweep small.yaml --slurm --partition other --chunk 20 --no-reports --out short -- --cpus-per-task=2
}
short
job=$(sed -n 's/^job \([0-9]*\): .*/\1/p' out)
is_running() { pgrep -f -- "sweep --shard 1/1 --out $work/short/.shards/" >/dev/null; }
waits_for 600 is_running || give_up 'no task begins'
scontrol show job "$job" >shown
says shown 'Partition=other'
says shown 'NumCPUs=2'
scancel "$job"
ends
short
ends
same small_local short

# ---- by hand ----
run 0 sweep small.yaml --slurm-script --chunk 7 --no-reports --out 'by hand' -- --time=5
[ -z "$(squeue -h)" ] || fail '--slurm-script submits'
sed -n '/sbatch/p' out >submit
sh -eu submit >submitted || fail 'the commands that are printed do not submit'
ends
same small_local 'by hand'

finish && echo 'a sweep on Slurm is that of this machine'
