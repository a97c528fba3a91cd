/* SPDX-License-Identifier: MIT
 * One run, read from its folder: summary.json and joints.csv or joints.npz, which
 * plugin/results/results.h writes. Columns are found by their names.
 */
#ifndef STICTION_TOOLS_REPORT_RUN_DATA_H
#define STICTION_TOOLS_REPORT_RUN_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "results/results.h"
#include "stiction/stiction.h"

/* Time series of a joint, one entry per sample. */
typedef struct run_joint {
    const char *name;
#define SERIES(name, ...)             const double *name;
#define LEVEL_SERIES(type, name, ...) const double *name;
    JOINT_COLUMNS(SERIES, LEVEL_SERIES) /* NULL: the column is missing or empty */
#undef SERIES
#undef LEVEL_SERIES
    stiction_joint_def friction; /* law "none" without friction */
    bool prismatic;
    const json_t *summary; /* its object in summary.json */
} run_joint;

/* Columns of a floating robot, of which a run may lack any. */
#define RUN_BODY_COLUMNS(X)                                                                        \
    X(base_x, "base.x") X(base_y, "base.y") X(base_z, "base.z") X(base_qw, "base.qw")              \
    X(base_qx, "base.qx") X(base_qy, "base.qy") X(base_qz, "base.qz")                              \
    X(com_x, "com.x") X(com_y, "com.y") X(com_z, "com.z") X(cop_x, "cop.x") X(cop_y, "cop.y")
#define RUN_BODY_INDEX(name, column) RUN_BODY_##name,
enum { RUN_BODY_COLUMNS(RUN_BODY_INDEX) RUN_BODY_COLUMN_COUNT };
#undef RUN_BODY_INDEX

typedef struct run_body_series {
    const double *columns[RUN_BODY_COLUMN_COUNT]; /* NULL: missing */
} run_body_series;

typedef struct run_data {
    char *folder;
    json_t *summary;
    run_joint *joints;
    size_t joint_count;
    run_joint *bodies;            /* floating robots: only name and summary */
    run_body_series *body_series; /* of each; NULL if only the summary was read */
    size_t body_count;
    double *time;        /* s */
    double *values;      /* column by column */
    size_t sample_count; /* 0 if only the summary was read */
} run_data;

/* Release it, also after an error. */
bool run_data_load(run_data *run, const char *folder, stiction_error *error);
/* From a run in memory. */
bool run_data_take(run_data *run, const results *r, stiction_error *error);
/* Only summary.json, without series. */
bool run_data_load_summary(run_data *run, const char *folder, stiction_error *error);
/* The same from the text of a summary.json; `path` appears in errors. */
bool run_data_read_summary(run_data *run, const char *text, const char *path,
                           stiction_error *error);
/* The same from a parsed summary, whose reference count grows. */
bool run_data_take_summary(run_data *run, const json_t *summary, stiction_error *error);
void run_data_release(run_data *run);

/* NaN if it is null or missing. */
double run_data_figure(const run_joint *joint, const char *name);
/* A warning of the run; NULL past the end. */
const char *run_data_warning(const run_data *run, size_t index);
/* All warnings, separated by "; "; NULL if there are none. The caller frees it. */
char *run_data_warnings(const run_data *run);
/* False: the friction of some joint was not stable, so the results are unreliable. */
bool run_data_is_stable(const run_data *run);
/* A text of the summary; "" if missing. */
const char *run_data_text(const run_data *run, const char *key);
/* A number of the summary; NaN if missing. */
double run_data_number(const run_data *run, const char *key);

/* The series of a column; NULL if missing. */
const double *run_data_series(const run_joint *joint, const joint_column *column);

/* The range of the positions of a joint. */
double run_data_motion(const run_data *run, const run_joint *joint);
/* Indices of the joints, the one that moves the most first; the caller frees it. */
size_t *run_data_by_motion(const run_data *run);
/* The joint that ends farthest from its target; if all reach theirs, the one with the largest RMS
 * error; without targets the one that moves the most; NULL without joints. */
const run_joint *run_data_worst_joint(const run_data *run);

#endif
