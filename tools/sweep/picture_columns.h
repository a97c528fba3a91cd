/* SPDX-License-Identifier: MIT
 * Names of --plot: settings and figures of a sweep, by their whole or short names; and the values
 * of a setting as groups of rows.
 */
#ifndef STICTION_TOOLS_SWEEP_PICTURE_COLUMNS_H
#define STICTION_TOOLS_SWEEP_PICTURE_COLUMNS_H

#include "sweep/rows.h"

typedef struct picture_column {
    bool is_figure, absolute;
    size_t setting; /* a key; parameter_count: the project */
    size_t
        *figures; /* columns of the rows: one, or those of all joints, of which the worst counts */
    size_t figure_count;
    char *label; /* with its unit */
    char *name;  /* "kp" */
} picture_column;

/* `word` is the key of --plot that names it, for the error. Free it either way. */
bool picture_column_find(picture_column *c, const sweep_rows *rows, const char *word,
                         const char *name, stiction_error *error);
void picture_column_free(picture_column *c);

/* Of a row: a setting as text; a number, NaN where there is none. */
const char *picture_column_text(const picture_column *c, const sweep_rows *rows,
                                const sweep_row *row);
double picture_column_number(const picture_column *c, const sweep_rows *rows, const sweep_row *row);

/* The values of a setting in some rows, in order; bins where there are too many numbers. */
typedef struct picture_groups {
    size_t count;
    size_t *of;      /* the group of each row */
    char **labels;   /* "20", "0.1 to 0.2" */
    double *numbers; /* of the values, or the middles of bins; NULL: they are not numbers */
} picture_groups;

/* `c` NULL: all rows are one group. `shown`: which rows count. Free it either way. */
bool picture_groups_make(picture_groups *g, const picture_column *c, const sweep_rows *rows,
                         const bool *shown, size_t most, bool log, stiction_error *error);
void picture_groups_free(picture_groups *g);

#endif
