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

/* One run: a row. */
typedef struct comparison_run {
    const char *name;            /* unlike the others */
    const char *folder;          /* beside the page; NULL: there is none */
    const char *failure;         /* the reason; NULL: all went well */
    const char *warnings;        /* NULL: there is none */
    const char *const *settings; /* the value of each parameter as text; NULL: not set */
    const double *figures;       /* the value of each figure; NaN: none. NULL: all are none */
} comparison_run;

/* A text that lasts until the next call; NULL: none. */
typedef const char *comparison_text(void *user, size_t run, size_t column);

typedef struct comparison {
    const char *title;
    const char *note; /* a line under the title; NULL: none */
    size_t parameter_count;
    const char *const *parameters;      /* "controller.kp" */
    const char *const *parameter_units; /* "s^-2", "" where there is none; NULL: no units */
    size_t figure_count;
    const char *const *figures; /* "RWRR.final_position"; the page opens with the first */
    const char *const *units;   /* of the figures; NULL: those of revolute joints */
    size_t run_count;
    const comparison_run *runs;
    /* A large sweep is not held twice: these give what the runs lack then. NULL: they lack nothing
     */
    comparison_text *name, *folder, *setting;
    double (*figure)(void *user, size_t run, size_t figure);
    void *user;
} comparison;

/* Writes sweep.html of the folder of a sweep into a folder, this or another. */
bool comparison_write(const comparison *c, const char *folder, const char *into,
                      stiction_error *error);

#endif
