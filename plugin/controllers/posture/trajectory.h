/* SPDX-License-Identifier: MIT
 * Where a joint should be, as a function of time: q_d and its derivatives of (50) in Cisneros et
 * al. Pure functions; for a torque profile the same shapes give the torque.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_TRAJECTORY_H
#define STICTION_CONTROLLERS_POSTURE_TRAJECTORY_H

#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

typedef enum posture_shape {
    POSTURE_HOLD,   /* target, always */
    POSTURE_STEP,   /* from, then target */
    POSTURE_RAMP,   /* from `from` to target with a constant velocity */
    POSTURE_SINE,   /* target, then target + amplitude sin(2 pi frequency (t - time)) */
    POSTURE_SMOOTH, /* from `from` to target with the least jerk: at rest at both ends */
    POSTURE_SAMPLES /* straight lines between samples; at rest before and after them */
} posture_shape;

typedef struct posture_sample {
    double time;  /* s, rising */
    double value; /* rad */
} posture_sample;

/* Angles are lengths for a prismatic joint, and torques in the mode POSTURE_TORQUE. */
typedef struct posture_trajectory {
    posture_shape shape;
    double target;    /* rad; NaN: where the joint is at the first step */
    double from;      /* rad; NaN: the same */
    double time;      /* s: of the step, or the start of the ramp, the sine or the smooth motion */
    double duration;  /* s, > 0: of the ramp or the smooth motion */
    double amplitude; /* rad: of the sine */
    double frequency; /* Hz, > 0: of the sine */
    const posture_sample *samples;
    size_t sample_count; /* > 0 for samples */
} posture_trajectory;

/* Hold where the joint is at the first step. */
posture_trajectory posture_trajectory_default(void);

typedef struct posture_reference {
    double q, dq, ddq; /* rad, rad/s, rad/s^2 */
} posture_reference;

/* The trajectory at time t, s, of a joint that was at `start` at the first step. */
posture_reference posture_trajectory_at(const posture_trajectory *trajectory, double t,
                                        double start);

STICTION_END_C

#endif
