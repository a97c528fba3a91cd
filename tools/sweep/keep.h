/* SPDX-License-Identifier: MIT
 * Which runs of a sweep keep their time series: all, none (--figures-only), or those for which an
 * SQL condition over settings and figures holds (--keep-series).
 */
#ifndef STICTION_TOOLS_SWEEP_KEEP_H
#define STICTION_TOOLS_SWEEP_KEEP_H

#include "report/run_data.h"
#include "sweep/plan.h"
#include "sweep/select.h"

typedef struct sweep_keep {
    bool figures_only;
    sweep_select *series;   /* of which runs they are kept all the same; NULL: of none */
    bool of_settings_alone; /* the condition can be evaluated before a run */
    size_t unknown;         /* runs for which it could not be evaluated, */
    stiction_error problem; /* and why for the first */
} sweep_keep;

/* `series` NULL: none is given. Free it either way. */
bool sweep_keep_read(sweep_keep *k, const sweep_plan *plan, bool figures_only, const char *series,
                     stiction_error *error);
void sweep_keep_free(sweep_keep *k);

/* Before a run: whether it must record its series. */
bool sweep_keep_wants(const sweep_keep *k, const sweep_plan *plan, size_t run);
/* After it: whether they stay. `data` NULL: it failed. */
bool sweep_keep_holds(sweep_keep *k, const sweep_plan *plan, size_t run, const run_data *data);

#endif
