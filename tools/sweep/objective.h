/* SPDX-License-Identifier: MIT
 * The value of a search's goal in one run.
 */
#ifndef STICTION_TOOLS_SWEEP_OBJECTIVE_H
#define STICTION_TOOLS_SWEEP_OBJECTIVE_H

#include "sweep/plan.h"
#include "sweep/records.h"

/* Whether all names end in a figure or are keys of the sweep; joints are known after the first run.
 * The error has the place of the goal. */
bool objective_check(const sweep_plan *plan, stiction_error *error);

/*
 * Names are figures of a joint or body ("RWRR.rms_error"), figures of all joints ("rms_error": the
 * largest absolute value, or the sum of energies and counts), or keys of the sweep. NaN: a figure
 * is null. False with *error: there is no such figure, or the row cannot be read.
 */
bool objective_of_run(const sweep_plan *plan, records *records, size_t run, double *value,
                      stiction_error *error);

#endif
