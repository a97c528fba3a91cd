/*
 * One run, read back from its folder: summary.json and joints.csv (plugin/results/results.h writes
 * them). Reports and sweeps share it. Columns are found by their names, never by their places.
 */
#ifndef STICTION_TOOLS_REPORT_RUN_DATA_H
#define STICTION_TOOLS_REPORT_RUN_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "stiction/stiction.h"

/* Time series of a joint, an entry a sample. */
typedef struct run_joint {
    const char *name;
    const double *position, *velocity; /* rad, rad/s; m, m/s where it is prismatic */
    const double *command;             /* N m or N */
    const double *friction_torque;
    const double *stick;         /* 1: it sticks */
    const double *deflection;    /* of the bristle */
    const double *target;        /* NULL: not known; NaN: not known at that time */
    stiction_joint_def friction; /* its law is "none" where there is none */
    bool prismatic;
    const json_t *summary; /* its object in summary.json */
} run_joint;

typedef struct run_data {
    char *folder;
    json_t *summary;
    run_joint *joints;
    size_t joint_count;
    double *time;        /* s */
    double *values;      /* column by column */
    size_t sample_count; /* 0 where only the summary was read */
} run_data;

/* One figure of a joint. */
typedef struct run_figure {
    const char *name;  /* as in summary.json */
    const char *title; /* for people */
    const char *unit;  /* "" where it is a number */
    const char *linear_unit;
} run_figure;

/* The figures in the order of the tables; an empty name ends them. */
extern const run_figure run_figures[];

/* False after a sentence on stderr. Release it, whatever came. */
bool run_data_load(run_data *run, const char *folder);
/* The same without joints.csv: there are no series then. */
bool run_data_load_summary(run_data *run, const char *folder);
void run_data_release(run_data *run);

/* NaN where it is null or not there. */
double run_data_figure(const run_joint *joint, const char *name);
/* A text of the summary, "" where there is none. */
const char *run_data_text(const run_data *run, const char *key);
/* A number of the summary, NaN where there is none. */
double run_data_number(const run_data *run, const char *key);

/* How far the joint moved: the range of its positions. */
double run_data_motion(const run_data *run, const run_joint *joint);
/* The joints in the order of their motion, the most first; the caller frees it. */
size_t *run_data_by_motion(const run_data *run);

#endif
