/* SPDX-License-Identifier: MIT
 * The engine for the command: created from options of a simulation, with access to the simulation
 * and its record. Other users have stiction/engine.h.
 */
#ifndef STICTION_ENGINE_PARTS_H
#define STICTION_ENGINE_PARTS_H

#include "mujoco/simulation.h"
#include "stiction/engine.h"

/* From options that outlive it. Unless OK, *engine is NULL. */
stiction_status stiction_engine_make(const char *path, const simulation_options *options,
                                     stiction_engine **engine, stiction_error *error);

simulation *stiction_engine_simulation(stiction_engine *engine);

/* The record of the run with its warnings, which are also sent to the log. `complete`: the run
 * reached its end. */
results *stiction_engine_finish(stiction_engine *engine, bool complete, stiction_log log,
                                void *log_user);

#endif
