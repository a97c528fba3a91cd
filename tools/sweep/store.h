/*
 * The folder of a sweep: sweep.json (the plan), sweep.db (the record of every run that is complete,
 * records.h), runs/NAME for those whose series are kept, and a lock so that one sweep at a time
 * writes there. Such a folder is made in a scratch folder beside and renamed when it is whole and
 * on the disk (common/place.h), with the list of its files and their checksums: what is not as
 * listed does not count as complete, whatever was killed or spoilt when. Its row comes behind it:
 * a folder without one is taken over by the next command, a row of a folder that is gone counts as
 * nothing. A stamp of the folder's files in the row says whether they must be read again.
 */
#ifndef STICTION_TOOLS_SWEEP_STORE_H
#define STICTION_TOOLS_SWEEP_STORE_H

#include "common/place.h"
#include "sweep/keep.h"
#include "sweep/plan.h"
#include "sweep/records.h"

/* Numbers of runs. */
typedef struct sweep_numbers {
    size_t *runs, count, room;
} sweep_numbers;

typedef struct sweep_store {
    const char *folder; /* the caller's */
    const sweep_plan *plan;
    int lock;              /* a file descriptor; -1: not open */
    bool is_sweep;         /* the folder has a sweep */
    bool same;             /* it has this one */
    bool is_listed;        /* its plan is as it was written */
    bool force;            /* what is there is replaced */
    sweep_keep *keep;      /* the caller's; NULL: all series are kept */
    records *records;      /* open from sweep_store_take on */
    size_t generation;     /* of the files that new runs read, see records.h */
    sweep_numbers waiting; /* runs whose rows are in no transaction that has ended */
    sweep_numbers lost;    /* those of one that failed */
    size_t losses;         /* transactions that failed, since the last one that did not */
} sweep_store;

/* What came of a run. */
typedef struct sweep_outcome {
    const char *failure; /* NULL: all went well */
    const char *summary; /* the text of its summary.json; NULL: it is in the place, or there is
                            none */
} sweep_outcome;

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
/* sweep.json anew, when runs were added. False after a sentence on stderr. */
bool sweep_store_write_plan(const sweep_store *store);
/* `whole`: all runs went well and are shown, so that what was before is not needed any more; else
 * it stays, and a sentence says where. */
void sweep_store_forget(const sweep_store *store, bool whole);
void sweep_store_close(sweep_store *store);
/* The sweep in a folder goes, whoever has its lock; files that are not ours stay, which is told. */
void sweep_store_remove(const char *folder);

/* A place for a run in the making; false after a sentence on stderr. Close it either way. */
bool sweep_store_open_run(const sweep_store *store, size_t run, place *p);
/* Whether the run must record its series; else there is no place for it, and its figures suffice.
 */
bool sweep_store_wants_series(const sweep_store *store, size_t run);
/* The row of the run, and where its series are kept what is in the place takes its place, with the
 * settings of the run. `p` NULL: there are none. False after a sentence on stderr. */
bool sweep_store_commit(sweep_store *store, size_t run, place *p, const sweep_outcome *o);
/* A few times a second while runs go on: rows do not wait for others longer than a moment. */
void sweep_store_tick(sweep_store *store);
/* A row as another folder has it; `stamp` and has_series are of this one. */
bool sweep_store_put(sweep_store *store, const record *row, const record_joint *joints,
                     size_t count);
/* The row of a run whose folder is there, by what is in it. `reason` as of sweep_run_state;
 * `inputs` is the generation of what it read, 0: that of its row, or of new runs. */
bool sweep_store_put_folder(sweep_store *store, size_t run, bool failed, const char *reason,
                            size_t inputs);
/* Files were added to the folder of a run. */
void sweep_store_restamp(sweep_store *store, size_t run);
/* All rows are on the disk. False after a sentence on stderr; `lost` has those that are not. */
bool sweep_store_settle(sweep_store *store);

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

/* A number for the names, sizes and times of all files in the folder of a run; 0: it cannot be
 * read.
 */
int64_t sweep_run_stamp(const char *path);
/* A run by the name of its folder; the number of runs where it is none. */
size_t sweep_run_by_name(const sweep_plan *plan, const char *name);

/* The plan of a folder. False after a sentence on stderr. Free it either way. */
bool sweep_plan_load(const char *folder, sweep_plan *plan);

#endif
