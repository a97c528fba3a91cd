/*
 * The folder of a sweep: sweep.json (the plan), runs/NAME for every run that is complete, and a
 * lock so that one sweep at a time writes there. A run is made in a scratch folder beside and
 * renamed when it is whole and on the disk (common/place.h), with the list of its files and their
 * checksums: what is not as listed does not count as complete, whatever was killed or spoilt when.
 */
#ifndef STICTION_TOOLS_SWEEP_STORE_H
#define STICTION_TOOLS_SWEEP_STORE_H

#include "common/place.h"
#include "sweep/plan.h"

typedef struct sweep_store {
    const char *folder; /* the caller's */
    const sweep_plan *plan;
    int lock;       /* a file descriptor; -1: not open */
    bool is_sweep;  /* the folder has a sweep */
    bool same;      /* it has this one */
    bool is_listed; /* its plan is as it was written */
    bool force;     /* what is there is replaced */
} sweep_store;

/*
 * Looks whether the sweep may go into a folder and, where that has one, keeps others out; writes
 * nothing else. False after a sentence on stderr. Close it either way.
 */
bool sweep_store_look(sweep_store *store, const char *folder, const sweep_plan *plan, bool force);
/*
 * Makes the folder or takes the one that is there. `force`: what another sweep left there is moved
 * to .before in it, until this one is whole. Removes what a killed sweep left half done.
 */
bool sweep_store_take(sweep_store *store);
/* All runs are there: what was before is not needed any more. */
void sweep_store_forget(const sweep_store *store);
void sweep_store_close(sweep_store *store);

/* A place for a run in the making; false after a sentence on stderr. Close it either way. */
bool sweep_store_open_run(const sweep_store *store, size_t run, place *p);
/* What is in it takes its place, with the settings of the run. `failure` NULL: all went well. */
bool sweep_store_commit(const sweep_store *store, size_t run, place *p, const char *failure);

/* ---- reading, with no lock ---- */

typedef enum sweep_state {
    SWEEP_ABSENT,
    SWEEP_DONE,
    SWEEP_FAILED,
    SWEEP_DAMAGED /* something is there, but not what was written */
} sweep_state;

/* Where a run is or would be; the caller frees it. */
char *sweep_run_folder(const char *folder, const sweep_plan *plan, size_t run);
/* Reads every file of the run. `reason` (NULL: not wanted) gets why it failed, or what is damaged,
 * else NULL; the caller frees it. */
sweep_state sweep_run_state(const char *folder, const sweep_plan *plan, size_t run, char **reason);

/* The plan of a folder. False after a sentence on stderr. Free it either way. */
bool sweep_plan_load(const char *folder, sweep_plan *plan);

#endif
