/*
 * The runs of a sweep, each a `stiction run` of its own: MuJoCo's handlers are global, and a crash
 * must not end the sweep.
 */
#ifndef STICTION_TOOLS_SWEEP_RUNNER_H
#define STICTION_TOOLS_SWEEP_RUNNER_H

#include "sweep/store.h"

typedef struct sweep_runner {
    const sweep_store *store;
    const char *file;   /* that of the sweep, beside which the projects are */
    const size_t *todo; /* runs */
    size_t todo_count;
    size_t at_once;
    double time_limit; /* s of a run; NaN: none */
} sweep_runner;

/* What is complete stays. False: the user stopped it. */
bool sweep_run_all(const sweep_runner *r);
/* report.html of those that went well and have none. */
bool sweep_report_all(const sweep_runner *r);

#endif
