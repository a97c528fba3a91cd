/* SPDX-License-Identifier: MIT
 * Which smoothing, which law and which further effects the data support.
 */
#ifndef STICTION_TOOLS_FIT_CHOOSE_H
#define STICTION_TOOLS_FIT_CHOOSE_H

#include "estimate.h"

/* Fits a problem whose logs, joint, gravity and inertia are set. */
bool fit_choose(fit_simulator *s, fit_problem *p, const fit_options *options, fit_result *result,
                fit_warnings *warnings, stiction_error *error);

/* Fits a model under another smoothing, starting from its current values. */
void fit_smooth(fit_problem *p, const fit_smoothing *smoothing);

#endif
