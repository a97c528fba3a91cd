/* What the parts of the engine library share, and the command that is its first user. */
#ifndef STICTION_ENGINE_INTERNAL_H
#define STICTION_ENGINE_INTERNAL_H

#include "mujoco/simulation.h"
#include "run/settings.h"
#include "stiction/engine.h"

struct stiction_engine {
    simulation *simulation;
    settings settings; /* of its definition, where it has one: the simulation points into them */
    double *q, *dq, *command;
    joint_arrays friction;
    void *friction_memory; /* of these arrays */
    bool failed;           /* it cannot go on */
    char *path;
};

/* From options whose texts outlive it. Unless OK, *engine is NULL. */
stiction_status stiction_engine_make(const char *path, const simulation_options *options,
                                     stiction_engine **engine, stiction_error *error);

/* The record of the run with all that happened and nobody would see; also told to the log.
 * `complete`: it is all that was asked for. */
results *stiction_engine_finish(stiction_engine *engine, bool complete, stiction_log log,
                                void *log_user);

#endif
