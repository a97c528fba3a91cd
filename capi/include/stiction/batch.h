/* SPDX-License-Identifier: MIT
 * A batch: many environments of one model, all stepped in one call, vectorised and on any number of
 * threads. The torques are bit-identical to those of stiction_step, whatever the number of
 * environments and threads.
 */
#ifndef STICTION_BATCH_H
#define STICTION_BATCH_H

#include "stiction/state.h"

STICTION_BEGIN_C

typedef struct stiction_batch stiction_batch;

/* Options of a batch. Start from stiction_batch_def_default(). */
typedef struct stiction_batch_def {
    size_t size;            /* set by the default */
    double timestep;        /* s, > 0; 0: that of the model */
    size_t threads;         /* that share a step, including the caller's; 1 by default */
    bool environment_major; /* the order of all arrays of the batch: false: all environments of the
                               first joint, then of the second, ... (the faster one); true: all
                               joints of the first environment, then of the second, ... */
    bool same_sample;       /* all environments have the parameters of the model; otherwise, where
                               parameters are drawn at random, each environment is its own sample, see
                               stiction/random.h */
} stiction_batch_def;

STICTION_API stiction_batch_def stiction_batch_def_default(void);

/* A batch at rest. The model must outlive it. def may be NULL. Unless OK, *batch is NULL. */
STICTION_API stiction_status stiction_batch_create(const stiction_model *model, size_t environments,
                                                   const stiction_batch_def *def,
                                                   stiction_batch **batch, stiction_error *error);
STICTION_API void stiction_batch_destroy(stiction_batch *batch);

/*
 * One step of all environments, as stiction_step: velocity[] and torque[] have one entry per joint
 * and environment and must not overlap. It allocates nothing. A velocity that is not usable gives
 * torque 0, leaves the bristle as it was, and counts as a fault of that joint and environment; it
 * is not logged. Unless OK, torque[] is all zeros and the batch is as it was.
 */
STICTION_API stiction_status stiction_step_batch(stiction_batch *batch, double timestep,
                                                 const double *velocity, double *torque,
                                                 stiction_error *error);
/* The same with all inputs, for models whose joints need more than the velocity. */
STICTION_API stiction_status stiction_step_batch_full(stiction_batch *batch,
                                                      const stiction_input *input, double *torque,
                                                      stiction_error *error);

/* Back to rest, without faults; parameters and time step stay as they are. */
STICTION_API stiction_status stiction_batch_reset(stiction_batch *batch, stiction_error *error);
STICTION_API stiction_status stiction_batch_reset_environment(stiction_batch *batch,
                                                              size_t environment,
                                                              stiction_error *error);

/*
 * Changes the friction of one joint in one environment from the next step on, as
 * stiction_state_set_joint. Joints that share the model's parameters are the fastest, then those
 * of one joint with different parameters but the same law in all environments.
 */
STICTION_API stiction_status stiction_batch_set_joint(stiction_batch *batch, size_t environment,
                                                      size_t joint, const stiction_joint_def *def,
                                                      stiction_error *error);
STICTION_API stiction_status stiction_batch_joint(const stiction_batch *batch, size_t environment,
                                                  size_t joint, stiction_joint_def *def,
                                                  stiction_error *error);

/* The deflections of all bristles, in the order of the batch; the bounds are those of
 * stiction_state_set_deflections. */
STICTION_API stiction_status stiction_batch_get_deflections(const stiction_batch *batch,
                                                            double *deflection,
                                                            stiction_error *error);
STICTION_API stiction_status stiction_batch_set_deflections(stiction_batch *batch,
                                                            const double *deflection,
                                                            stiction_error *error);

/* The length of all arrays: environments times joints. */
STICTION_API size_t stiction_batch_size(const stiction_batch *batch);
STICTION_API size_t stiction_batch_environment_count(const stiction_batch *batch);
/* How often a joint was given a velocity or effort that cannot be used, and the total. */
STICTION_API uint64_t stiction_batch_faults(const stiction_batch *batch, size_t environment,
                                            size_t joint);
STICTION_API uint64_t stiction_batch_total_faults(const stiction_batch *batch);

STICTION_END_C

#endif
