/* SPDX-License-Identifier: MIT */
/* What a step of a friction model costs, as a multiple of one call of exp. */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_MODEL_COST_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_MODEL_COST_H

#include "driven_body.h"

/* Of one joint of many; NaN where the model is not legal. Differs from run to run. */
double model_cost(const friction_model *m, double inertia, double timestep);

#endif
