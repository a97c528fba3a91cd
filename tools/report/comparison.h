/* SPDX-License-Identifier: MIT
 * A page that compares the runs of a sweep: a figure as lines over a setting, as a heat map over
 * two, in small multiples over a third, or all settings side by side; filters, the best runs as a
 * table, and curves of some of them over each other. It takes what it shows as a plain table and
 * knows nothing of how a sweep is run.
 */
#ifndef STICTION_TOOLS_REPORT_COMPARISON_H
#define STICTION_TOOLS_REPORT_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

/* A text of a run, which lasts until the next call; NULL: none. `column` is that of a setting. */
typedef const char *comparison_text(void *user, size_t run, size_t column);

typedef struct comparison_column {
    const char *name; /* "controller.kp", "RWRR.final_position" */
    const char *unit; /* "s^-2"; "": none */
} comparison_column;

typedef struct comparison {
    const char *title;
    const char *note;  /* a line under the title; NULL: none */
    const char *works; /* the condition of the figure COMPARISON_WORKS; NULL: no such figure */
    const comparison_column *parameters;
    const comparison_column *figures; /* the page opens with the first */
    size_t parameter_count, figure_count, run_count;
    /* run by run, so that a large sweep is not held twice */
    comparison_text *name;     /* differs from run to run */
    comparison_text *folder;   /* beside the page */
    comparison_text *failure;  /* the reason; NULL: the run succeeded */
    comparison_text *warnings; /* of the run */
    comparison_text *setting;  /* the value of a parameter */
    double (*figure)(void *user, size_t run, size_t figure); /* NaN: none */
    void *user;
} comparison;

/* The name of the figure that is 1 if a run works and 0 if not. */
#define COMPARISON_WORKS "works"

/* Writes sweep.html of the folder of a sweep into a folder, this or another. */
bool comparison_write(const comparison *c, const char *folder, const char *into,
                      stiction_error *error);

#endif
