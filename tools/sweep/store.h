/*
 * The folder of a sweep: sweep.json (the plan), runs/NAME for every run that is complete, and a
 * lock so that one sweep at a time writes there. A run is made in a scratch folder beside and
 * renamed when it is whole, so that what has its name is complete, whatever was killed when.
 */
#ifndef STICTION_TOOLS_SWEEP_STORE_H
#define STICTION_TOOLS_SWEEP_STORE_H

#include "sweep/plan.h"

typedef struct sweep_store {
    const char *folder; /* the caller's */
    const sweep_plan *plan;
    int lock; /* a file descriptor; -1: not open */
} sweep_store;

/*
 * Makes the folder or takes the one that is there, where it has the same plan; `force` empties it.
 * Removes what an earlier sweep left half done. False after a sentence on stderr. Close it either
 * way.
 */
bool sweep_store_open(sweep_store *store, const char *folder, const sweep_plan *plan, bool force);
void sweep_store_close(sweep_store *store);

/* A new folder for a run in the making; NULL after a sentence on stderr. The caller frees it. */
char *sweep_store_scratch(const sweep_store *store, size_t run);
/* A folder with the results of a run takes its place. `failure` NULL: all went well. */
bool sweep_store_commit(const sweep_store *store, size_t run, const char *from,
                        const char *failure);
/* The same for a folder that another sweep of the same plan committed. */
bool sweep_store_put(const sweep_store *store, size_t run, const char *from);

/* ---- reading, with no lock ---- */

typedef enum sweep_state { SWEEP_ABSENT, SWEEP_DONE, SWEEP_FAILED } sweep_state;

/* Where a run is or would be; the caller frees it. */
char *sweep_run_folder(const char *folder, const sweep_plan *plan, size_t run);
/* `reason` (NULL: not wanted) gets why it failed, else NULL; the caller frees it. */
sweep_state sweep_run_state(const char *folder, const sweep_plan *plan, size_t run, char **reason);
/* Whether a complete run has the settings that the plan gives it. */
bool sweep_run_fits(const char *folder, const sweep_plan *plan, size_t run);

/* The plan of a folder. False after a sentence on stderr. Free it either way. */
bool sweep_plan_load(const char *folder, sweep_plan *plan);

#endif
