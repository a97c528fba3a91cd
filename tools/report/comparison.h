/*
 * A page that compares the runs of a sweep: a table to sort, any figure over any parameter in the
 * colours of another, and the position curves of chosen runs over each other. It takes what it
 * shows as a plain table and knows nothing of how a sweep is run.
 */
#ifndef STICTION_TOOLS_REPORT_COMPARISON_H
#define STICTION_TOOLS_REPORT_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

/* One run: a row. */
typedef struct comparison_run {
    const char *name;            /* unlike the others */
    const char *folder;          /* beside the page; NULL: there is none */
    const char *failure;         /* the reason; NULL: all went well */
    const char *const *settings; /* the value of each parameter as text; NULL: not set */
    const double *figures;       /* the value of each figure; NaN: none. NULL: all are none */
} comparison_run;

typedef struct comparison {
    const char *title;
    const char *note; /* a line under the title; NULL: none */
    size_t parameter_count;
    const char *const *parameters; /* "controller.kp" */
    size_t figure_count;
    const char *const *figures; /* "RWRR.final_position" */
    size_t run_count;
    const comparison_run *runs;
} comparison;

/* Writes sweep.html of the folder of a sweep into a folder, this or another. False after a sentence
 * on stderr. */
bool comparison_write(const comparison *c, const char *folder, const char *into);

#endif
