/* SPDX-License-Identifier: MIT
 * Runs one after the other in a process that stays: each as `stiction run` would make it, to the
 * bit, but what several of them share is read once. Only for projects without foreign code, which
 * may change anything in the process.
 */
#ifndef STICTION_TOOLS_RUN_RUN_SHARED_H
#define STICTION_TOOLS_RUN_RUN_SHARED_H

#include "common/options.h"
#include "run.h"

/* What runs share. */
typedef struct run_shared run_shared;

run_shared *run_shared_create(void);
void run_shared_free(run_shared *shared);

/* Whether runs of a project may share a process: on the embedded engine, with controllers of ours
 * alone. */
bool run_may_share(const char *engine, const char *project_path, bool untrusted);

typedef struct run_job {
    const char *engine; /* its name, which is known */
    const char *project_path;
    bool untrusted;                   /* refuse its controllers and files outside its folder */
    const text_list *set;             /* KEY=VALUE */
    const char *controller, *targets; /* as --controller and --targets; NULL: the project's */
    double interval;                  /* s between rows of the series; 0: every step */
    series_format series;             /* their files */
    const char *folder;               /* is made; NULL: only figures are wanted */
    int figures;                      /* without a folder: a file that summary.json goes to */
    stiction_log log;                 /* warnings of the run; NULL: none */
    void *log_user;
} run_job;

/* Whether a controller may be in a process that stays, and whether only it knows its options. */
bool run_controller_is_ours(const char *specification);
bool run_controller_is_posture(const char *specification);
/* The path of the library or script in a specification, of *length bytes; NULL: it names none. */
const char *run_controller_file(const char *specification, size_t *length);

/* What the job replaces. Free it in either case. */
bool run_job_overrides(run_shared *shared, const run_job *job, overrides *o, stiction_error *error);

/* `shared` NULL: this process makes no other run. */
bool run_in_shared(run_shared *shared, const run_job *job, stiction_error *error);

/* Whether a run could begin. */
bool run_check_shared(run_shared *shared, const run_job *job, stiction_error *error);

/* Whether another process should take the place of this one: it has grown, or MuJoCo gave up in it,
 * which leaves an unknown state. */
bool run_shared_is_spent(const run_shared *shared);

#endif
