# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by tests of sweeps on Slurm: a cluster of one machine, with daemons, key and ports of its
# own in ./cluster. cluster_start, cluster_stop; node_start, node_die.
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch squeue scontrol scancel; do
    command -v $program >/dev/null || {
        echo "Slurm is not installed here ($program is missing): skipped"
        exit 77
    }
done
cluster=$work/cluster
SLURM_CONF=$cluster/slurm.conf
export SLURM_CONF
unset SBATCH_PARTITION SBATCH_ARRAY_INX SLURM_JOB_ID

# ends PROCESS_FILE: the daemon whose number stands in the file
ends() {
    [ -s "$1" ] || return 0
    daemon=$(cat "$1")
    kill "$daemon" 2>/dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        kill -0 "$daemon" 2>/dev/null || return 0
        sleep 0.25
    done
    kill -9 "$daemon" 2>/dev/null
}

node_start() { slurmd 2>>"$cluster/said"; }
# What stays of a machine without power: nothing of its tasks, and nothing answers.
node_die() {
    kill -9 "$(cat "$cluster/slurmd.pid")"
    for process in $(pgrep -f "^slurmstepd: \\[" || true) $(pgrep -f -- "--out $work/" || true); do
        # only those of this cluster: its steps have its spool folder open
        case $(tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null) in
        slurmstepd*) ls -l "/proc/$process/fd" "/proc/$process/cwd" 2>/dev/null | grep -qF "$work" ||
            continue ;;
        *'sweep --slurm'*) continue ;;
        esac
        kill -9 "$process" 2>/dev/null
    done
}

cluster_start() {
    mkdir -p "$cluster/munge" "$cluster/spool" "$cluster/state"
    chmod 755 "$work" "$cluster"
    chmod 711 "$cluster/munge"
    dd if=/dev/urandom of="$cluster/munge/key" bs=1024 count=1 2>/dev/null
    chmod 600 "$cluster/munge/key"
    machine=$(hostname -s) port=$((20000 + 2 * ($$ % 10000))) user=$(id -un)
    # a requeued job waits as long as its old credential is valid: 120 s by default
    cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$machine(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=10
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,batch_sched_delay=0,bf_interval=1
MpiDefault=none
SlurmdTimeout=5
ReturnToService=2
NodeName=$machine NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=$machine Default=YES State=UP
PartitionName=other Nodes=$machine State=UP
CONF
    munged --force --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
        --log-file="$cluster/munge/log" --pid-file="$cluster/munge/pid" \
        --seed-file="$cluster/munge/seed" 2>>"$cluster/said" &&
        slurmctld -c 2>>"$cluster/said" && node_start || {
        echo 'FAILED: the daemons do not start'
        cat "$cluster/said" "$cluster/slurmctld.log"
        exit 1
    }
    is_up() { [ "$(sinfo -h -p main -o %t)" = idle ]; }
    waits_for 600 is_up || {
        echo 'FAILED: the node does not come up'
        cat "$cluster/slurmctld.log" "$cluster/slurmd.log"
        exit 1
    }
}

cluster_stop() {
    scancel --user="$(id -un)" 2>/dev/null
    is_over() { [ -z "$(squeue -h)" ]; }
    waits_for 600 is_over
    ends "$cluster/slurmd.pid"
    ends "$cluster/slurmctld.pid"
    ends "$cluster/munge/pid"
}
