/* SPDX-License-Identifier: MIT
 * DIR/sweep.db, an SQLite database with a row for every complete run, the figures of its joints and
 * bodies, and the hashes of the files that the runs read. docs/sweeps.md shows the tables. One
 * process writes (store.h has the lock), any number read. Rows are committed about four times a
 * second; SQLite's journal and checks protect the file.
 */
#ifndef STICTION_TOOLS_SWEEP_RECORDS_H
#define STICTION_TOOLS_SWEEP_RECORDS_H

#include "results/body_figures.h"
#include "results/joint_figures.h"
#include "storage/manifest.h"
#include "sweep/plan.h"

#define RECORDS_NAME "sweep.db"

typedef struct records records;

/* Figures of a joint or a body, in the order of joint_figure_at or body_figure_at; NaN: null. */
typedef struct record_joint {
    const char *name;
    bool prismatic, is_body;
    const double *figures;
} record_joint;

/* A run. `reason`: why it failed, or, of one that is done, why it has no figures. */
typedef struct record {
    size_t run; /* from 0 */
    bool failed;
    const char *reason, *warnings; /* NULL: none */
    bool has_series;               /* it has a folder in runs */
    bool stable;                   /* its results are reliable */
    const record_joint *joints;
    size_t joint_count;
} record;

bool records_exist(const char *folder);
/* NULL with *error. The plan is not copied. */
records *records_open(const char *folder, const sweep_plan *plan, stiction_error *error);
records *records_create(const char *folder, const sweep_plan *plan, stiction_error *error);
/* Rows that were not committed are lost. NULL is fine. */
void records_close(records *r);

/* Replaces the row of the run. After an error all uncommitted rows are lost. */
bool records_put(records *r, const record *row, stiction_error *error);
/* Commits rows that wait; records_tick only where the last commit is a quarter of a second ago. */
bool records_commit(records *r, stiction_error *error);
bool records_tick(records *r, stiction_error *error);

/* Reads the rows of runs from `first` to before `end`, in order:
 *     AUTO(records_end) record_cursor c = records_begin(r, first, end, true);
 *     while (records_next(&c, error)) use(&c.row);
 *     return !c.failed; */
typedef struct record_cursor {
    record row;  /* valid until the next call */
    bool failed; /* by an error */
    records *of;
    void *statement; /* NULL: not prepared yet */
    size_t first, end;
    bool with_figures; /* else rows have no joints */
} record_cursor;

record_cursor records_begin(records *r, size_t first, size_t end, bool with_figures);
bool records_next(record_cursor *c, stiction_error *error);
void records_end(record_cursor *c);

/* Files that the runs read, with their hashes. Free the list either way. */
bool records_inputs(records *r, manifest *list, stiction_error *error);
bool records_put_inputs(records *r, const manifest *list, stiction_error *error);

#endif
