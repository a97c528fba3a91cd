/* SPDX-License-Identifier: MIT
 * A sweep on a Slurm cluster: a script for a job array, each task of which runs one shard
 * (sweep --shard K/N), and a script for a dependent job that merges the shards. sbatch, squeue and
 * sacct do the rest: this module neither follows nor repeats jobs.
 */
#ifndef STICTION_TOOLS_SWEEP_SLURM_H
#define STICTION_TOOLS_SWEEP_SLURM_H

#include "common/options.h"
#include "stiction/error.h"

typedef struct slurm_sweep {
    const char *file;         /* the sweep file as the user gave it */
    const char *folder;       /* of the sweep */
    const char *scripts;      /* folder of the scripts; NULL: FOLDER/.slurm */
    const char *partition;    /* NULL: Slurm's default */
    text_list sbatch_options; /* given by the user after -- */
    text_list sweep_options;  /* of the sweep in every task */
    size_t chunk;             /* runs per task; 0: at least 10, and at most 100 tasks */
    size_t most_at_once;      /* tasks; 0: no limit */
    size_t run_count;         /* of the whole sweep */
    const size_t *todo;       /* runs to do */
    size_t todo_count;
    bool force;          /* shards that earlier jobs left are removed */
    bool accept_changes; /* the merge accepts shards that read different input files */
} slurm_sweep;

typedef struct slurm_jobs {
    size_t tasks;        /* of the array */
    size_t array, merge; /* job numbers; 0: not submitted */
} slurm_jobs;

/* Rejects texts that a script cannot contain and, unless `only_scripts`, a folder with a job in the
 * queue. */
bool slurm_check(const slurm_sweep *s, bool only_scripts, stiction_error *error);

/* Writes array.sh and merge.sh; jobs->tasks is the size of the array. */
bool slurm_write_scripts(const slurm_sweep *s, slurm_jobs *jobs, stiction_error *error);

/* Submits both scripts. What sbatch prints on stderr goes to the user. */
bool slurm_submit(const slurm_sweep *s, slurm_jobs *jobs, stiction_error *error);

/* Path of a file in the folder of scripts; the caller frees it. */
char *slurm_path(const slurm_sweep *s, const char *name);

/* A text as one word of a POSIX shell; the caller frees it. */
char *shell_word(const char *text);

#endif
