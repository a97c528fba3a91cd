/*
 * One run, read back from its folder: summary.json and joints.csv or joints.npz
 * (plugin/results/results.h writes them). Reports and sweeps share it. Columns are found by their
 * names, never by their places.
 */
#ifndef STICTION_TOOLS_REPORT_RUN_DATA_H
#define STICTION_TOOLS_REPORT_RUN_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "results/results.h"
#include "stiction/stiction.h"

/* Time series of a joint, an entry a sample. */
typedef struct run_joint {
    const char *name;
#define SERIES(name, ...) const double *name;
    JOINT_COLUMNS(SERIES) /* NULL: the file has no such column, or it is empty */
#undef SERIES
    stiction_joint_def friction; /* its law is "none" where there is none */
    bool prismatic;
    const json_t *summary; /* its object in summary.json */
} run_joint;

typedef struct run_data {
    char *folder;
    json_t *summary;
    run_joint *joints;
    size_t joint_count;
    run_joint *bodies; /* robots that float: name and summary, for run_data_figure */
    size_t body_count;
    double *time;        /* s */
    double *values;      /* column by column */
    size_t sample_count; /* 0 where only the summary was read */
} run_data;

/* False after a sentence on stderr. Release it, whatever came. */
bool run_data_load(run_data *run, const char *folder);
/* As it would be written to a folder and read back, of a run that is still in memory. */
bool run_data_take(run_data *run, const results *r);
/* Of a folder without joints.csv or joints.npz, too: there are no series then. */
bool run_data_load_summary(run_data *run, const char *folder);
/* The same of the text of a summary.json; `path` stands in sentences. */
bool run_data_read_summary(run_data *run, const char *text, const char *path);
void run_data_release(run_data *run);

/* NaN where it is null or not there. */
double run_data_figure(const run_joint *joint, const char *name);
/* What makes the results doubtful; NULL behind the last. */
const char *run_data_warning(const run_data *run, size_t index);
/* All of it, "; " between two; NULL where there is none. The caller frees it. */
char *run_data_warnings(const run_data *run);
/* False: the friction of some joint was not stable, and the results are not to be believed. */
bool run_data_is_stable(const run_data *run);
/* A text of the summary, "" where there is none. */
const char *run_data_text(const run_data *run, const char *key);
/* A number of the summary, NaN where there is none. */
double run_data_number(const run_data *run, const char *key);

/* The series of a column; NULL where there is none. */
const double *run_data_series(const run_joint *joint, const joint_column *column);

/* How far the joint moved: the range of its positions. */
double run_data_motion(const run_data *run, const run_joint *joint);
/* The joints in the order of their motion, the most first; the caller frees it. */
size_t *run_data_by_motion(const run_data *run);

#endif
