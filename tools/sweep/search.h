/*
 * A search: the best value of a figure over ranges of settings (goal.h). It begins with points of
 * Sobol's sequence, all at once; NLopt goes on from the best of them, over the whole range and then
 * downhill. Each evaluation is a run of every scenario in the same store, so that what was killed
 * goes its way again by what is stored, and on from there.
 */
#ifndef STICTION_TOOLS_SWEEP_SEARCH_H
#define STICTION_TOOLS_SWEEP_SEARCH_H

#include "sweep/runner.h"

typedef struct search search;

/* The first evaluations become runs of the plan, whose todo the runner gets: they can be checked
 * before anything is written. NULL after a sentence on stderr. `retry`: runs that failed are done
 * again. The plan is the runner's own. */
search *search_begin(sweep_runner *r, sweep_plan *plan, bool retry);
void search_free(search *s); /* NULL is fine */

/* All of it, in the folder of a store that was taken. */
sweep_verdict search_run(search *s);
/* After a sentence on stderr: it could not be one, and there is nothing to show. */
bool search_is_broken(const search *s);
/* Whether it came to its end and found something; the best as options for --set on stdout. */
bool search_show(const search *s);

#endif
