/*
 * What a name of --plot means in a sweep: a setting or a figure, by its whole or its short name;
 * and the values of a setting as groups of rows.
 */
#ifndef STICTION_TOOLS_SWEEP_PICTURE_COLUMNS_H
#define STICTION_TOOLS_SWEEP_PICTURE_COLUMNS_H

#include "sweep/rows.h"

typedef struct picture_column {
    bool is_figure, absolute;
    size_t setting; /* a key; parameter_count: the project */
    size_t
        *figures; /* columns of the rows: one, or those of every joint, of which the worst counts */
    size_t figure_count;
    char *label; /* with its unit */
    char *name;  /* for texts: "kp" */
} picture_column;

/* `word` is what asks for it, for the complaint: "x". False after a sentence on stderr with a near
 * name. Free it either way. */
bool picture_column_find(picture_column *c, const sweep_rows *rows, const char *word,
                         const char *name);
/* The same without a sentence. */
bool picture_column_look(picture_column *c, const sweep_rows *rows, const char *name);
void picture_column_free(picture_column *c);

/* Of a row. A setting as text; a number is NaN where there is none. */
const char *picture_column_text(const picture_column *c, const sweep_rows *rows,
                                const sweep_row *row);
double picture_column_number(const picture_column *c, const sweep_rows *rows, const sweep_row *row);

/* The values of a setting in some rows, in their order; stretches of them where there are many. */
typedef struct picture_groups {
    size_t count;
    size_t *of;      /* the group of each row */
    char **labels;   /* "20", "0.1 to 0.2" */
    double *numbers; /* of the values, or of the middles of stretches; NULL: they are no numbers */
} picture_groups;

/* `c` NULL: all rows are one. `shown`: which rows count. More than `most` values that are no
 * numbers: false after a sentence. Free it either way. */
bool picture_groups_make(picture_groups *g, const picture_column *c, const sweep_rows *rows,
                         const bool *shown, size_t most, bool log);
void picture_groups_free(picture_groups *g);

#endif
