/*
 * What Slurm's queue says of the jobs of a sweep: squeue and scontrol, whose answers are read here
 * and nowhere else.
 */
#ifndef STICTION_TOOLS_SWEEP_SLURM_QUEUE_H
#define STICTION_TOOLS_SWEEP_SLURM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

/* The comment by which jobs are known as ours, whatever their numbers: "stiction-KEY-tasks" and
 * "stiction-KEY-merge". */
#define SLURM_COMMENT "stiction-%s-%s"
#define SLURM_TASKS   "tasks"
#define SLURM_MERGE   "merge"

/* A task that Slurm ended, and how: "TIMEOUT". */
typedef struct slurm_end {
    size_t task; /* from 1 */
    char *state;
} slurm_end;

typedef struct slurm_queue {
    bool missing;            /* there is no squeue */
    size_t waiting, running; /* tasks */
    size_t cancelled;        /* tasks, or the merge */
    bool tasks_live, merge_live;
    size_t tasks_job, merge_job; /* their numbers; 0: the queue has none */
    char *reason;                /* why a task waits; "": nothing is known */
    char *held;                  /* the same of one that waits for a person; "": none does */
    slurm_end *ends;             /* of tasks that did not end well */
    size_t end_count;
} slurm_queue;

/* All jobs of a key. False: Slurm did not answer, and `*problem`, the caller's to free, says why.
 * Free the queue either way. */
bool slurm_queue_read(const char *key, slurm_queue *queue, char **problem);
void slurm_queue_free(slurm_queue *queue);

/* How a task ended; NULL: it is not known. */
const char *slurm_queue_end(const slurm_queue *queue, size_t task);

/* The largest number of tasks that a job array may have. 0: it is not known, and `*problem`, the
 * caller's to free, says why. */
size_t slurm_most_tasks(char **problem);

#endif
