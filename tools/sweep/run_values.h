/* SPDX-License-Identifier: MIT
 * SQL expressions over one run (select.h): the goal of a search, the condition for runs that work,
 * and --keep-series. A name is a setting, the project, `stable`, or a figure: of a joint or body
 * ("RWRR.rms_error") or, but for --keep-series, of all joints ("rms_error": the largest absolute
 * value, or the sum of energies and counts).
 */
#ifndef STICTION_TOOLS_SWEEP_RUN_VALUES_H
#define STICTION_TOOLS_SWEEP_RUN_VALUES_H

#include "report/run_data.h"
#include "sweep/plan.h"
#include "sweep/records.h"
#include "sweep/select.h"

/* The figures of a run as a row has them. One block, which the caller frees; the names are those of
 * the data. */
record_joint *run_figures(const run_data *data, size_t *count);

/* Whether a run works by the condition of the plan. */
bool works_of_run(const sweep_plan *plan, const record *row, bool *works, stiction_error *error);
/* Whether all names of an expression end in a figure or are settings; joints are known after the
 * first run. The error has the place of the expression. */
bool expression_check(const sweep_plan *plan, const sweep_select *select, sweep_spot spot,
                      stiction_error *error);

/* ---- the goal of a search ---- */

/* NaN: a figure is null. False with *error: there is no such figure, or the row cannot be read. */
bool objective_of_run(const sweep_plan *plan, records *records, size_t run, double *value,
                      stiction_error *error);

/* ---- which runs keep their series: all, none (--figures-only), or some (--keep-series) ---- */

typedef struct sweep_keep {
    bool figures_only;
    sweep_select *series;   /* condition for runs that keep their series; NULL: none */
    bool of_settings_alone; /* the condition can be evaluated before a run */
    size_t unknown;         /* runs for which it could not be evaluated, */
    stiction_error problem; /* and why for the first */
} sweep_keep;

/* `series` NULL: not given. Free it either way. */
bool sweep_keep_read(sweep_keep *k, const sweep_plan *plan, bool figures_only, const char *series,
                     stiction_error *error);
void sweep_keep_free(sweep_keep *k);

/* Before a run: whether it must record its series. */
bool sweep_keep_wants(const sweep_keep *k, const sweep_plan *plan, size_t run);
/* After it: whether they stay. `data` NULL: it failed. */
bool sweep_keep_holds(sweep_keep *k, const sweep_plan *plan, size_t run, const run_data *data);

#endif
