/* SPDX-License-Identifier: MIT
 * The controllers of a world on the embedded engine: for each body that has one, what its project
 * or the user names (controllers/host/controller_host.h), with input from MuJoCo. It knows
 * controllers only by their specifications.
 */
#ifndef STICTION_MUJOCO_CONTROLLERS_H
#define STICTION_MUJOCO_CONTROLLERS_H

#include "controllers/host/controller_host.h"
#include "results/results.h"
#include "world.h"

STICTION_BEGIN_C

typedef struct controllers controllers;

/* How to make them. Start from zeros. */
typedef struct controllers_options {
    const char *const *options; /* "kp=50": beat those of the project, for all its controllers */
    size_t option_count;
    const char *const *specifications; /* "SPEC" or "BODY=SPEC": instead of the project's; without
                                          bodies one for all with joints, or one for each */
    size_t specification_count;
    const char *targets; /* of controllers/host/targets.h, for all joints by label; NULL: none */
    stiction_log log;    /* for messages of controllers; NULL: none */
    void *log_user;
} controllers_options;

/* `options` may be NULL. NULL: see *error. */
controllers *controllers_create(const world *w, const controllers_options *options,
                                stiction_error *error);
void controllers_destroy(controllers *c);
/* Back to before the first step. */
void controllers_reset(controllers *c);

/* Puts bodies where their controllers want them to start, on top of the start of the world. */
void controllers_start(const controllers *c, mjData *data);

/*
 * The torques of one step and the targets of the joints (NaN: none), one entry per joint of the
 * world; torque 0 where there is no controller. On entry `command` has the torques of the last
 * step, and `friction` the friction of that step. `data` has its positions and velocities computed
 * (mj_step1). Unless OK the run cannot go on: see *error.
 */
stiction_status controllers_step(controllers *c, const mjData *data, double time,
                                 const double *friction, double *command, double *target,
                                 stiction_error *error);

/* Call this after every step: it reads the forces, which the next mj_step1 replaces. */
void controllers_after(controllers *c, mjData *data);

/* Whether there are controllers and all have finished. */
bool controllers_finished(const controllers *c);

/* The targets of the user from now on, one entry per joint of the world; NaN: none. */
void controllers_set_targets(controllers *c, const double *target);

/* The present targets, one entry per joint. */
const double *controllers_targets(const controllers *c);

/* Values to record of all controllers: "NAME", or "BODY.NAME" where several bodies have joints.
 * They stay where they are, and are those of the last step. */
size_t controllers_record_count(const controllers *c);
const char *controllers_record_name(const controllers *c, size_t record);
const double *controllers_record_values(const controllers *c);

size_t controllers_count(const controllers *c);
/* For the results; its notes are valid until the next call. */
results_controller controllers_result(const controllers *c, size_t index);
STICTION_END_C

#endif
