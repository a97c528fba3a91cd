/* SPDX-License-Identifier: MIT
 * The folder of a sweep: sweep.json (the plan), sweep.db (a row for every complete run, records.h),
 * runs/NAME for the runs whose series are kept, and a lock, so that one sweep at a time writes. A
 * run folder is made in a scratch folder beside it and renamed when it is complete
 * (storage/place.h), with the hashes of its files in SHA256SUMS; its row follows. A folder without
 * a row is adopted by the next command; a row whose folder is missing or damaged does not count.
 */
#ifndef STICTION_TOOLS_SWEEP_STORE_H
#define STICTION_TOOLS_SWEEP_STORE_H

#include "storage/place.h"
#include "sweep/run_values.h"

typedef struct sweep_store {
    const char *folder; /* the caller's */
    const sweep_plan *plan;
    int lock;               /* a file descriptor; -1: not open */
    bool is_sweep;          /* the folder has a sweep */
    bool force;             /* it is replaced */
    bool works_differently; /* sweep.json has another condition for runs that work */
    sweep_keep *keep;       /* the caller's; NULL: all series are kept */
    records *records;       /* NULL: there is no database yet, or it is replaced */
} sweep_store;

/* The result of a run. */
typedef struct sweep_outcome {
    const char *failure;   /* NULL: it succeeded */
    const json_t *summary; /* NULL: it is in this folder */
    const char *folder;
} sweep_outcome;

/* Whether the sweep may go into the folder; locks a sweep that is there, and writes nothing else.
 * Close it either way. */
bool sweep_store_open(sweep_store *store, const char *folder, const sweep_plan *plan, bool force,
                      stiction_error *error);
/* Makes the folder, or continues the one that is there, or with force removes what it has. Removes
 * what a killed sweep left unfinished. */
bool sweep_store_take(sweep_store *store, stiction_error *error);
/* Writes sweep.json again, after runs were added. */
bool sweep_store_write_plan(const sweep_store *store, stiction_error *error);
void sweep_store_close(sweep_store *store);
/* Removes the sweep in a folder, whoever has its lock. False: other files stay there. */
bool sweep_store_remove(const char *folder, stiction_error *error);

/* A place for a run in progress. Close it either way. */
bool sweep_store_open_run(const sweep_store *store, size_t run, place *p, stiction_error *error);
/* Whether the run must record its series. */
bool sweep_store_wants_series(const sweep_store *store, size_t run);
/* Writes the row of the run, and moves its folder to its place where its series are kept. `p` NULL:
 * it has none. */
bool sweep_store_commit(sweep_store *store, size_t run, place *p, const sweep_outcome *o,
                        stiction_error *error);
/* Writes the row of a run from its folder. `reason` as of sweep_run_state. */
bool sweep_store_adopt(sweep_store *store, size_t run, const char *reason, stiction_error *error);

/* ---- reading, without the lock ---- */

typedef enum sweep_state {
    SWEEP_ABSENT,
    SWEEP_DONE,
    SWEEP_FAILED,
    SWEEP_DAMAGED /* files are missing or changed */
} sweep_state;

/* Where a run is or would be; the caller frees it. */
char *sweep_run_folder(const char *folder, const sweep_plan *plan, size_t run);
/* Hashes every file of the run's folder. *reason gets why it failed, or what is damaged, else NULL;
 * the caller frees it. */
sweep_state sweep_run_state(const char *folder, const sweep_plan *plan, size_t run, char **reason);

/* The plan of a folder. Free it either way. */
bool sweep_plan_load(const char *folder, sweep_plan *plan, stiction_error *error);
/* Whether the sweep of a folder is this one. False with *error: it cannot be read. */
bool sweep_folder_has(const char *folder, const sweep_plan *plan, bool *same,
                      stiction_error *error);

/* ---- states.c: the states of all runs when a command starts ---- */

/* From the rows of the database and, for runs whose series are kept, from the hashes of the files
 * in their folders. */
typedef struct sweep_states {
    const char *folder;
    const sweep_plan *plan;
    size_t count;
    sweep_state *states;
    char **reasons; /* why it failed, or what is damaged; NULL: none */
    bool *rowless;  /* a complete folder without a row in the database */
} sweep_states;

/* `rows` NULL: there is no database. `folder` NULL: there are no runs. The arguments are not
 * copied. Free it either way. */
bool sweep_states_read(sweep_states *s, const char *folder, const sweep_plan *plan, records *rows,
                       stiction_error *error);
/* The same of a folder that this command does not write; the database is opened and closed. */
bool sweep_states_read_folder(sweep_states *s, const char *folder, const sweep_plan *plan,
                              stiction_error *error);
void sweep_states_free(sweep_states *s);

/* Reads the states of runs that were added to the plan. */
bool sweep_states_grow(sweep_states *s, records *rows, stiction_error *error);
/* `reason` is copied. */
void sweep_states_set(sweep_states *s, size_t run, sweep_state state, const char *reason);
size_t sweep_states_count(const sweep_states *s, sweep_state state);

#define SWEEP_NOT_COMPLETE "; it does not count as complete"

/* Writes the rows that complete folders lack. */
bool sweep_states_adopt(sweep_states *s, sweep_store *store, stiction_error *error);

/* Logs a message for each damaged run from `first` on, up to a number of them; `then` ends the
 * message. Returns how many there are. */
size_t sweep_states_log_damage(const sweep_states *s, size_t first, const char *then,
                               stiction_log log);

#endif
