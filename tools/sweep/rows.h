/*
 * The results of a sweep, read back from its database: a row for every run that is complete, with
 * its settings and all figures of all joints.
 */
#ifndef STICTION_TOOLS_SWEEP_ROWS_H
#define STICTION_TOOLS_SWEEP_ROWS_H

#include "results/joint_figures.h"
#include "sweep/states.h"

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
    size_t inputs;   /* which of the generations of files it read, from 1 on; 0: not known */
    char *failure;   /* the reason; NULL: all went well */
    char *warnings;  /* one after the other; NULL: there is none */
    double *figures;
    size_t figure_count; /* later rows may have more; those are none here */
} sweep_row;

typedef struct sweep_rows {
    const char *folder;
    const sweep_plan *plan;
    sweep_row *rows; /* in the order of the runs */
    size_t count, failed;
    size_t unread; /* of these: they went well, but their results cannot be read, which was told */
    sweep_figure *figures; /* in the order of their first appearance */
    size_t figure_count;
    bool is_cut; /* the database could not be read to its end, which was told: rows are missing */
    bool mixed;  /* the files that the runs read changed between them */
} sweep_rows;

/* The states are the caller's and stay. A run that is damaged is no row. */
sweep_rows sweep_rows_read(const sweep_states *states);
void sweep_rows_free(sweep_rows *rows);

/* NaN: none. */
double sweep_row_figure(const sweep_row *row, size_t figure);

/* Whether any run has a value for it. */
bool sweep_has_figure(const sweep_rows *rows, size_t figure);

/* The column of "JOINT.figure", whose figure may be its short name (rms_error); -1: there is none.
 */
ptrdiff_t sweep_rows_find(const sweep_rows *rows, const char *name);

/* A figure of a joint; NULL: no run has it. */
const sweep_figure *sweep_find_figure(const sweep_rows *rows, const char *joint,
                                      const joint_figure *kind);

/* The joint of a project to look at first: the one that is worst at following, or, where none
 * follows anything, the one that gave friction the most work. NULL where no run went well. */
const char *sweep_chief_joint(const sweep_rows *rows, const char *project);

#endif
