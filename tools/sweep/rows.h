/* SPDX-License-Identifier: MIT
 * The results of a sweep, read from its database: a row for every complete run, with all figures of
 * all joints.
 */
#ifndef STICTION_TOOLS_SWEEP_ROWS_H
#define STICTION_TOOLS_SWEEP_ROWS_H

#include "results/joint_figures.h"
#include "sweep/store.h"

/* One figure of one joint: a column of the table. */
typedef struct sweep_figure {
    char *name; /* "JOINT.figure" */
    char *joint;
    const joint_figure *kind;
    bool prismatic;
} sweep_figure;

typedef struct sweep_row {
    size_t run;
    char *name;      /* of its folder in runs, where it has one */
    bool has_folder; /* its series are kept */
    char *failure;   /* the reason; NULL: it succeeded */
    char *warnings;  /* "; " between two; NULL: none */
    bool works;      /* by the condition of the plan, if it has one */
    double *figures;
    size_t figure_count; /* columns after these have no value */
} sweep_row;

typedef struct sweep_rows {
    const char *folder;
    const sweep_plan *plan;
    sweep_row *rows; /* in the order of the runs */
    size_t count, failed;
    size_t unread;         /* of these: they succeeded, but their results cannot be read */
    sweep_figure *figures; /* in the order of their first appearance */
    size_t figure_count;
} sweep_rows;

/* The states are not copied. Damaged runs have no row. Free it either way. */
bool sweep_rows_read(sweep_rows *rows, const sweep_states *states, stiction_error *error);
void sweep_rows_free(sweep_rows *rows);

/* NaN: none. */
double sweep_row_figure(const sweep_row *row, size_t figure);

/* Whether any run has a value for it. */
bool sweep_has_figure(const sweep_rows *rows, size_t figure);

/* The column of "JOINT.figure", whose figure may be its short name (rms_error); -1: none. */
ptrdiff_t sweep_rows_find(const sweep_rows *rows, const char *name);

/* A figure of a joint; NULL: no run has it. */
const sweep_figure *sweep_find_figure(const sweep_rows *rows, const char *joint,
                                      const joint_figure *kind);

/* Whether the target of some joint moves in a run of a project (NULL: of any): then the RMS error
 * is more meaningful than the error at the end. */
bool sweep_targets_move(const sweep_rows *rows, const char *project);

/* The most interesting joint of a project: the one with the largest tracking error (RMS, where
 * targets move) or, where none tracks, the one with the most friction work. NULL: no run succeeded.
 */
const char *sweep_chief_joint(const sweep_rows *rows, const char *project);

#endif
