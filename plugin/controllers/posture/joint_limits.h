/* SPDX-License-Identifier: MIT
 * What accelerations a joint's limits of velocity and range leave it. Pure functions.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_JOINT_LIMITS_H
#define STICTION_CONTROLLERS_POSTURE_JOINT_LIMITS_H

#include "posture.h"

/* Which limits hold: they are relaxed level by level. */
typedef enum limit_level {
    LIMITS_ALL,
    LIMITS_OF_VELOCITY, /* the range gave way */
    LIMITS_NONE
} limit_level;

typedef struct joint_range {
    double lower, upper;
} joint_range;

/* The accelerations, rad/s^2, that a joint may have for dt from q with dq. */
joint_range joint_acceleration_range(const posture_joint_def *joint, limit_level level, double q,
                                     double dq, double dt);

#endif
