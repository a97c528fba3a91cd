/* SPDX-License-Identifier: MIT
 * The smallest or largest value of a key at which the runs of a sweep work, for each combination of
 * the other keys.
 */
#ifndef STICTION_TOOLS_SWEEP_WORKS_H
#define STICTION_TOOLS_SWEEP_WORKS_H

#include "sweep/rows.h"

typedef struct works_case {
    size_t row;        /* one of its runs */
    const char *value; /* NULL: none works */
    const char *again; /* the next value beyond that does not work; NULL: all do */
} works_case;

typedef struct works_edge {
    size_t parameter;
    size_t *others; /* the keys of the cases; repetitions and seeds are none */
    size_t other_count;
    works_case *cases;
    size_t case_count;
} works_edge;

/* False: there is no condition, or no key to ask for. Free it either way. */
bool works_edge_find(works_edge *e, const sweep_rows *rows);
void works_edge_free(works_edge *e);
/* "smallest controller.kp that works (rms_error < 2 deg)"; the caller frees it. */
char *works_edge_title(const works_edge *e, const sweep_plan *plan);
/* "50, but not 80"; the caller frees it. */
char *works_case_text(const works_case *c);

#endif
