/* SPDX-License-Identifier: MIT
 * Friction along a motion, for several sets of parameters at once.
 */
#ifndef STICTION_TOOLS_FIT_SIMULATE_H
#define STICTION_TOOLS_FIT_SIMULATE_H

#include "joint_fit.h"
#include "stiction/stiction.h"

typedef struct fit_simulator fit_simulator;

fit_simulator *fit_simulator_create(stiction_error *error);
void fit_simulator_destroy(fit_simulator *s);

/* The configuration of a model, legal for the time step of the problem. */
stiction_joint_def fit_def(const fit_problem *p, const fit_model *model);

/* The state of `lanes` joints, one per model of one law. NULL as below. */
stiction_state *fit_state(fit_simulator *s, const fit_problem *p, const fit_model *models,
                          size_t lanes);

/* Friction at every sample for `lanes` models of one law; friction[lane] has p->samples numbers, of
 * files that are fitted, or of `all`. False where the library refuses a step, which it does not for
 * defs of fit_def. */
bool fit_simulate(fit_simulator *s, const fit_problem *p, const fit_model *models, size_t lanes,
                  bool all, double *const *friction);
/* Whether a file has samples that are fitted; after fit_prepare. */
bool fit_has_weight(const fit_problem *p, size_t file);

#endif
