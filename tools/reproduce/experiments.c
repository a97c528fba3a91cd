/* SPDX-License-Identifier: MIT */
/* The table of experiments, made from the list of experiments/all.h. */
#include "experiments/all.h"

#define EXPERIMENT_ENTRY(name) &name,

const experiment *const experiments[] = {EXPERIMENTS(EXPERIMENT_ENTRY) NULL};
