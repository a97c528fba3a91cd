/* SPDX-License-Identifier: MIT
 * A search: the best value of a figure over ranges of settings (goal.h). It begins with points of
 * Sobol's sequence, all at once; NLopt continues from the best of them, over the whole range and
 * then downhill. Each evaluation is a run of every scenario in the same store, so that a killed
 * search repeats its steps with the stored values and continues from there.
 */
#ifndef STICTION_TOOLS_SWEEP_SEARCH_H
#define STICTION_TOOLS_SWEEP_SEARCH_H

#include "sweep/runner.h"

typedef struct search search;

/* The first evaluations become runs of the plan and the runner's todo, so that they can be checked
 * before anything is written. `retry`: failed runs are repeated. NULL with *error. */
search *search_begin(sweep_runner *r, sweep_plan *plan, bool retry, stiction_error *error);
void search_free(search *s); /* NULL is fine */

/* All of it, in the folder of a store that was taken. Prints each better value on stderr. */
sweep_verdict search_run(search *s, stiction_error *error);
/* Prints the best value with its --set options on stdout. False: there is none, or the search was
 * stopped. */
bool search_show(const search *s, FILE *out);

#endif
