/*
 * The record of a sweep: DIR/sweep.db, an SQLite database with a row a run, the figures of its
 * joints and bodies, and the checksums of the files that the runs read. docs/sweeps.md shows its
 * tables and how they are asked. One at a time writes (store.h has the lock), any number read.
 */
#ifndef STICTION_TOOLS_SWEEP_RECORDS_H
#define STICTION_TOOLS_SWEEP_RECORDS_H

#include "results/body_figures.h"
#include "storage/manifest.h"
#include "sweep/database.h"
#include "sweep/plan.h"

#define RECORDS_NAME    "sweep.db"
#define RECORDS_JOURNAL "sweep.db-journal" /* while something is written, and after a kill */

typedef struct records records;

/* A run. The texts of one that was read are there until the next. */
typedef struct record {
    size_t run; /* from 0 */
    const char *name;
    bool failed;
    const char *reason;   /* why it failed; of one that went well, why it has no figures; or NULL */
    const char *warnings; /* NULL: there is none */
    size_t inputs;        /* the generation of the files that it read; 0: not known */
    bool has_series;      /* it has a folder in runs */
    int64_t stamp;        /* of the files in it, see store.h */
    bool is_damaged;      /* of one that was read: it is not as it was written */
} record;

/* The figures of a joint, or of a body, in the order of joint_figure_at or body_figure_at. */
typedef struct record_joint {
    const char *name;
    bool prismatic, is_body;
    const double *figures; /* NaN: null */
} record_joint;

enum { RECORDS_MOST_JOINTS = 4096 };

bool records_exist(const char *folder);
/* What one who was killed had half done is undone. */
void records_recover(const char *folder);
/* NULL after a sentence on stderr; `mode` DATABASE_WRITE makes it where it is not there. The plan
 * is the caller's and stays. */
records *records_open(const char *folder, const sweep_plan *plan, database_mode mode);
/* What waits is written. False after a sentence on stderr. */
bool records_close(records *r);
void records_abandon(records *r);

/* As those of a database: what waits is written, or is where it waits long enough. False after a
 * sentence on stderr: all that waited is lost. */
bool records_flush(records *r);
bool records_tick(records *r);
bool records_wait(const records *r);

/* In place of the row that is there. It waits; false after a sentence on stderr, and all that
 * waited is lost with it. */
bool records_put(records *r, const record *row, const record_joint *joints, size_t count);
/* Its stamp alone. */
bool records_put_stamp(records *r, size_t run, int64_t stamp);
bool records_remove(records *r, size_t run);
/* The generation of the files that the run of a row read; 0: there is no row. */
size_t records_generation_of(records *r, size_t run);

/* ---- reading, in the order of the runs ---- */

typedef struct records_reader records_reader;

/* Those from a run on, up to another one, which is not among them. NULL after a sentence on stderr.
 */
records_reader *records_read(records *r, size_t first, size_t end);
void records_reader_free(records_reader *reader);
/* False: there are no more, or see records_failed. A row that is none of this sweep (a number or a
 * name that the plan has not) is left out and counted. */
bool records_next(records_reader *reader, record *row);
/* Of the row; until the next one. */
const record_joint *records_joints(const records_reader *reader, size_t *count);
/* Whether reading failed, after a sentence on stderr. */
bool records_failed(const records_reader *reader);
size_t records_foreign(const records_reader *reader);

/* ---- the files that the runs read ---- */

/* How many generations there are: they count from 1, and the last one is that of new runs. False
 * after a sentence on stderr. */
bool records_generations(records *r, size_t *count);
/* False after a sentence on stderr; free the list either way. */
bool records_inputs(records *r, size_t generation, manifest *list);
/* As records_put. */
bool records_put_inputs(records *r, size_t generation, const manifest *list);

#endif
