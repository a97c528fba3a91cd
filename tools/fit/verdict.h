/* SPDX-License-Identifier: MIT
 * Intervals and verdicts.
 */
#ifndef STICTION_TOOLS_FIT_VERDICT_H
#define STICTION_TOOLS_FIT_VERDICT_H

#include "estimate.h"

bool fit_judge(fit_simulator *s, fit_problem *p, const fit_options *options, fit_result *result,
               fit_warnings *warnings, stiction_error *error);

/* The deviations of the values of a model if white noise of `noise` N m were the only error of the
 * torque. Returns how many there are. */
size_t fit_expected(fit_simulator *s, fit_problem *p, const fit_model *model, double noise,
                    fit_deviation rows[FIT_VALUES]);

/* Whether the log has sliding as slow as the fall of friction of a law, if that is large; of
 * Coulomb's, it has. */
bool fit_slides_in_fall(const fit_problem *p, const fit_model *model);

#endif
