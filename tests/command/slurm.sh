#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps on Slurm, with scripts in place of its programs: what is submitted, how it is quoted, and
# that the merged result is that of a sweep on this machine. tests/slurm has the real one.
. "$(dirname "$0")/lib.sh"
mkdir "$work/bin" "$work/it's \"here\" \$x"
cd "$work/it's \"here\" \$x" || exit 1
PATH=$work/bin:$PATH
FAKE=$work/fake
export PATH FAKE
mkdir "$FAKE"

# sbatch runs what it is given at once, by the directives of the script. FAKE/refuse is why it does
# not, FAKE/lost lists tasks that die before they begin.
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
if [ -z "$tasks" ]; then
    (cd / && sh "$script") >"$folder/${job}_merge.log" 2>&1
else
    for SLURM_ARRAY_TASK_ID in $tasks; do
        export SLURM_ARRAY_TASK_ID
        ! grep -qx "$SLURM_ARRAY_TASK_ID" "$FAKE/lost" 2>/dev/null || continue
        (cd / && sh "$script") >"$folder/${job}_$SLURM_ARRAY_TASK_ID.log" 2>&1
    done
    rm -f "$FAKE/lost"
fi
exit 0
END_OF_SBATCH
printf '#!/bin/sh\n[ ! -e "$FAKE/queue" ] || cat "$FAKE/queue"\n' >"$work/bin/squeue"
chmod +x "$work/bin/"*

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

# ---- an array and its merge ----
sweep 0 --slurm --chunk 2 --jobs 3 --partition 'a b' --out "o'u\"t" --timeout 50 -- --mem 2G
same "o'u\"t"
says out 'job 41: 6 runs in 3 tasks; job 42 merges them into '
says "$FAKE/calls" '--dependency=afterany:41 '
for line in '#SBATCH "--partition=a b"' '#SBATCH "--mem"' '#SBATCH "2G"' '#SBATCH "--array=1-3%3"'; do
    says "o'u\"t/.slurm/array.sh" "$line"
done
says "o'u\"t/.slurm/array.sh" '--timeout=50'
[ ! -e "o'u\"t/.shards" ] || fail 'shards are left'
# all is complete: the table is shown, and nothing is submitted
rm "$FAKE/calls"
sweep 0 --slurm --out "o'u\"t"
sed "s#o'u\"t/#local/#" out | cmp -s - local.out || fail 'the table is another one'
[ ! -e "$FAKE/calls" ] || fail 'what is complete is submitted again'

# ---- a task that dies: the same command submits its runs alone ----
echo 2 >"$FAKE/lost"
sweep 0 --slurm --chunk 2 --out lost
sweep 0 --slurm --chunk 2 --out lost
says out '2 runs in 1 task; '
says lost/.slurm/array.sh '#SBATCH "--array=2"'
same lost
# a sweep that was begun here continues on Slurm, and --force repeats all runs
cp -r local half
rm -rf half/runs/0003-* half/runs/0005-*
sweep 0 --slurm --out half
says out '2 runs in 1 task; '
same half
sweep 0 --slurm --force --out half
says out '6 runs in 1 task; '
same half

# ---- runs that fail are repeated with --retry ----
{
    sed 's/20, 30.*70/20, 30, 1e11, 1e12/' "the grid's.yaml"
    printf '  controller.mode: pd\n  controller.torque_limit: 1e300\n' # they diverge
} >fails.yaml
run 0 sweep fails.yaml --no-reports --out failed --slurm --chunk 12
run 1 sweep fails.yaml --no-reports --out failed --slurm
says err '2 of 4 runs failed'
run 0 sweep fails.yaml --no-reports --out failed --slurm --retry
says out '2 runs in 1 task; '

# ---- scripts alone, which need no Slurm ----
: >"$FAKE/calls"
sweep 0 --slurm-script --chunk 4 --out 'by hand' -- --mem=1G
[ ! -s "$FAKE/calls" ] || fail '--slurm-script submits'
says out '6 runs in 2 tasks'
sed -n /sbatch/p out >submit
says 'by hand/.slurm/array.sh' '#SBATCH "--mem=1G"'
sh -eu submit >submitted || fail 'the commands that are printed do not run'
same 'by hand'
sweep 0 --slurm-script scripts --out elsewhere
says out 'sbatch --dependency=afterany:$job scripts/merge.sh'
: >a_file
run 1 sweep "the grid's.yaml" --slurm-script a_file/scripts --out elsewhere
says err 'a_file/scripts'

# ---- refusals; nothing is submitted ----
: >"$FAKE/calls"
printf '12 /elsewhere/.slurm\n70 %s/left/.slurm\n' "$PWD" >"$FAKE/queue"
refuses 1 'job 70 of this sweep is still in the queue' sweep "the grid's.yaml" --slurm --out left
rm "$FAKE/queue"
refuses 1 '--array=1-9: the scripts set this option of sbatch themselves' \
    sweep "the grid's.yaml" --slurm --out own -- --array=1-9
refuses 2 "'another.yaml' is one too many" sweep "the grid's.yaml" another.yaml
refuses 2 "'another.yaml' is one too many" sweep "the grid's.yaml" another.yaml --slurm
refuses 2 '--chunk needs --slurm' sweep "the grid's.yaml" --chunk 3
refuses 2 '--slurm makes its own shards: --shard does not go with it' \
    sweep "the grid's.yaml" --slurm --shard 1/2
refuses 1 'Slurm replaces' sweep "the grid's.yaml" --slurm --out 'a%j'
sed 's/20, 30/20, -30/' "the grid's.yaml" >wrong.yaml
refuses 1 'wrong.yaml:' sweep wrong.yaml --slurm --out wrong
[ ! -e wrong ] || fail 'a sweep that cannot begin leaves a folder'
[ ! -s "$FAKE/calls" ] || fail 'something was submitted'
echo 'sbatch: error: invalid partition' >"$FAKE/refuse"
refuses 1 'sbatch: error: invalid partition' sweep "the grid's.yaml" --slurm --out refused
says err 'nothing is submitted'
before=$PATH
PATH=/nonexistent
sweep 1 --slurm --out none
PATH=$before
says err 'squeue is not in PATH'
finish
