/* SPDX-License-Identifier: MIT
 * A motion of one joint that identifies its friction.
 */
#ifndef STICTION_TOOLS_FIT_EXCITE_H
#define STICTION_TOOLS_FIT_EXCITE_H

#include "joint_fit.h"

/* What the joint allows. */
typedef struct excite_limits {
    double lower, upper; /* rad or m */
    double velocity;     /* rad/s */
    double acceleration; /* rad/s^2 */
    double slowest;      /* rad/s: what the encoder resolves */
} excite_limits;

enum { EXCITE_RATE = 200 }; /* samples/s */

/* The positions of a motion of `count` samples; the caller frees them. It starts and ends at the
 * middle of the range and stays within the limits. */
double *excite_motion(const excite_limits *limits, size_t count);

/* How well the friction of a joint could be identified with it: relative standard deviations of
 * the values of fit, in their order, at white noise of the torque. */
size_t excite_predict(const double *position, size_t count, const stiction_joint_def *def,
                      double noise, fit_deviation rows[FIT_VALUES]);

#endif
