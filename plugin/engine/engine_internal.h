/* SPDX-License-Identifier: MIT */
/* What the files of the engine library share. */
#ifndef STICTION_ENGINE_INTERNAL_H
#define STICTION_ENGINE_INTERNAL_H

#include "engine_parts.h"
#include "mujoco/overrides.h"

struct stiction_engine {
    simulation *simulation;
    overrides overrides; /* of its definition, where it has one: the simulation points into them */
    double *q, *dq, *command;
    joint_arrays friction;
    void *friction_memory; /* of these arrays */
    bool failed;           /* it cannot go on */
    char *path;
};

#endif
