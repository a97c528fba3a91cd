/* SPDX-License-Identifier: MIT */
/* What the files of the engine library share. */
#ifndef STICTION_ENGINE_INTERNAL_H
#define STICTION_ENGINE_INTERNAL_H

#include "engine_parts.h"
#include "mujoco/overrides.h"

/* The state after the last step: one row per engine, which has an entry per joint, and 13 per body
 * of `base` (stiction_engine_base). */
typedef struct engine_arrays {
    double *q, *dq, *command, *time, *base;
    bool *failed; /* it cannot continue */
    joint_arrays friction;
} engine_arrays;

/* The memory of the arrays, from calloc; NULL: out of memory. */
void *engine_arrays_make(engine_arrays *arrays, size_t rows, size_t joints, size_t bodies);

struct stiction_engine {
    simulation *simulation;
    overrides overrides; /* of its definition, where it has one: the simulation points into them */
    engine_arrays arrays;
    void *memory; /* of the arrays; NULL: they are a row of a vector's */
    size_t row;   /* of the vector */
    char *path;
};

/* Reads a definition into overrides, which the caller frees. */
stiction_status engine_read_definition(overrides *given, const char *path,
                                       const stiction_engine_def *def, stiction_error *error);

/* From now on the engine writes its state to a row of a vector's arrays. */
void engine_move_arrays(stiction_engine *e, const engine_arrays *arrays, size_t row);

/* As stiction_engine_step, several times. */
stiction_status engine_step(stiction_engine *e, const double *torque, size_t count,
                            stiction_error *error);

#endif
