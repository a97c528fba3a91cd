/*
 * The runs of a sweep, each a `stiction run` of its own: MuJoCo's handlers are global, and a crash
 * must not end the sweep.
 */
#ifndef STICTION_TOOLS_SWEEP_RUNNER_H
#define STICTION_TOOLS_SWEEP_RUNNER_H

#include "common/options.h"
#include "sweep/states.h"

typedef struct sweep_runner {
    sweep_store *store;
    sweep_states *states; /* of all runs: what becomes complete is set there */
    const char *file;     /* that of the sweep, beside which the projects are */
    const size_t *todo;   /* runs */
    size_t todo_count;
    size_t at_once;
    double time_limit;  /* s of a run; NaN: none */
    const char *series; /* files of those that keep theirs, as --series of `stiction run` */
    bool keep_going;    /* also where all fail alike */
    bool some_may_fail; /* of a search: it is enough where one run can begin */
    struct sweep_inputs
        *inputs; /* the files that runs read, which must not change; NULL: any may */
} sweep_runner;

/* What the progress of runs is called. */
#define SWEEP_PROGRESS "sweep"

typedef enum sweep_verdict {
    SWEEP_ALL_RAN,
    SWEEP_STOPPED, /* by the user */
    SWEEP_ALIKE,   /* the first ones all failed for the same reason, or the last ones could not be
                      written, which is told on stderr */
    SWEEP_CHANGED  /* a file that they read was changed meanwhile, likewise */
} sweep_verdict;

/* What is complete stays. */
sweep_verdict sweep_run_all(const sweep_runner *r);
/* report.html of those that went well and have none. False: the user stopped it. */
bool sweep_report_all(const sweep_runner *r);

/* The path of the project of a run; the caller frees it. */
char *sweep_run_project(const sweep_runner *r, size_t run);
/* "law=coulomb", as for --set: a file that a value names is beside that of the sweep. The caller
 * frees it. */
char *sweep_run_setting(const sweep_runner *r, size_t run, size_t parameter);
/* All of them. */
text_list sweep_run_settings(const sweep_runner *r, size_t run);
void sweep_free_settings(text_list *set);

#endif
