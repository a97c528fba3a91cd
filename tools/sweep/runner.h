/* SPDX-License-Identifier: MIT
 * The runs of a sweep, in child processes: MuJoCo's handlers are global, and a crash must not end
 * the sweep.
 */
#ifndef STICTION_TOOLS_SWEEP_RUNNER_H
#define STICTION_TOOLS_SWEEP_RUNNER_H

#include "run/run_shared.h"
#include "sweep/store.h"

typedef struct sweep_runner {
    sweep_store *store;
    sweep_states *states; /* of all runs; the runner sets those that complete */
    const char *file;     /* of the sweep; paths of projects are relative to it */
    const size_t *todo;   /* runs */
    size_t todo_count;
    size_t at_once;
    double time_limit;  /* s of a run; NaN: none */
    stiction_log log;   /* of notes, as STICTION_LOG_INFO */
    const char *series; /* files of those that keep theirs, as --series of `stiction run` */
    bool keep_going;    /* also where the first runs all fail */
    bool some_may_fail; /* of a search: one run that can start is enough */
    struct sweep_inputs *inputs; /* files that must not change meanwhile; NULL: any may */
} sweep_runner;

typedef enum sweep_verdict {
    SWEEP_ALL_RAN,
    SWEEP_STOPPED, /* by the user */
    SWEEP_GIVEN_UP /* *error says why: the first runs all failed alike, results cannot be written,
                      or an input file changed */
} sweep_verdict;

/* Complete runs are kept, whatever the verdict. */
sweep_verdict sweep_run_all(const sweep_runner *r, stiction_error *error);
/* report.html of runs that succeeded and have none. SWEEP_GIVEN_UP: one could not be written. */
sweep_verdict sweep_report_all(const sweep_runner *r, stiction_error *error);

/* A run as a job, without its outputs. */
typedef struct sweep_job {
    run_job job; /* points into the rest: copy it for one run */
    char *project, *controller, *targets;
    text_list set;
} sweep_job;
void sweep_job_make(sweep_job *j, const sweep_runner *r, size_t run);
void sweep_job_free(sweep_job *j);
/* "file:line:column: message", or the message; the caller frees it. */
char *sweep_error_text(const stiction_error *error);

#endif
