/*
 * The value of a search's goal in one run, from its record.
 */
#ifndef STICTION_TOOLS_SWEEP_OBJECTIVE_H
#define STICTION_TOOLS_SWEEP_OBJECTIVE_H

#include "sweep/plan.h"
#include "sweep/records.h"

/* Whether all names end in a figure that there is, or are keys: joints are known behind the first
 * run. False after a sentence with the place of the goal. */
bool objective_check(const sweep_plan *plan);

/*
 * Names are figures: "RWRR.rms_error" of a joint or body; "rms_error" of all joints: the largest
 * absolute value, or the sum where that means something (energies, counts); or keys of the sweep.
 * NaN: a figure is null. False after a sentence with the place of the goal: no run has such a
 * figure, or the record cannot be read.
 */
bool objective_of_run(const sweep_plan *plan, records *records, size_t run, double *value);

#endif
