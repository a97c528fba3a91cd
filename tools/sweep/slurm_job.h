/*
 * A round of a sweep on Slurm: an array of tasks, each a shard, and the job that merges them. It
 * is recorded in OUT/.slurm/job.json before anything is submitted, so that whoever comes after a
 * kill finds it again; the scripts and logs are beside it. The shards are in OUT/.shards until they
 * are merged.
 */
#ifndef STICTION_TOOLS_SWEEP_SLURM_JOB_H
#define STICTION_TOOLS_SWEEP_SLURM_JOB_H

#include <stdbool.h>
#include <stddef.h>

#define SLURM_FOLDER     ".slurm"
#define SLURM_SHARDS     ".shards"
#define SLURM_RECORD     "job.json"
#define SLURM_ARRAY_FILE "array.sh"
#define SLURM_MERGE_FILE "merge.sh"

/* Every shard_count-th run, from the index-th on; `runs` of them are to be done. */
typedef struct slurm_task {
    size_t index, runs;
} slurm_task;

typedef struct slurm_job {
    char key[17];       /* by which Slurm's jobs are known as ours */
    size_t shard_count; /* tasks without anything to do are not submitted */
    slurm_task *tasks;
    size_t task_count, run_count;
    size_t done, failed;         /* runs of the whole sweep, before this round */
    size_t tasks_job, merge_job; /* Slurm's numbers; 0: not submitted, as far as is known */
} slurm_job;

/* So that no task has more runs than `chunk`, as far as that goes with that many tasks at most.
 * `todo` are the runs; the rest of the round is as of a new one. */
void slurm_job_plan(slurm_job *job, const size_t *todo, size_t count, size_t chunk,
                    size_t most_tasks);
void slurm_job_free(slurm_job *job);

/* "1-20" or "3,7-9"; the caller frees it. */
char *slurm_job_indices(const slurm_job *job);

/* In the folder of a sweep. False: there is none that is as it was written. Free it either way. */
bool slurm_job_read(slurm_job *job, const char *folder);
/* What stands in `fresh`, the folder of a place; false after a sentence on stderr. */
bool slurm_job_write(const slurm_job *job, const char *fresh);
/* The record alone is replaced. */
bool slurm_job_update(const slurm_job *job, const char *folder);

/* Whether there are shards that are not merged yet. */
bool slurm_has_shards(const char *folder);

/* Paths in the folder of a sweep; the caller frees them. */
char *slurm_path(const char *folder, const char *name);
char *slurm_log(const char *folder, size_t job, size_t task); /* task 0: of the merge */
char *slurm_progress(const char *folder, size_t task);

#endif
