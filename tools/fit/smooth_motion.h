/* SPDX-License-Identifier: MIT
 * The motion of a log, smoothed.
 */
#ifndef STICTION_TOOLS_FIT_SMOOTH_MOTION_H
#define STICTION_TOOLS_FIT_SMOOTH_MOTION_H

#include "joint_fit.h"

/* Fills a motion, which is all zeros before the first time; friction is then stepped at most
 * `most_step` s at a time. */
void fit_motion_make(fit_motion *m, const fit_log *log, const fit_smoothing *s, double most_step);
/* Position, velocity and acceleration at `count` times, to[0] to to[2]: from the velocity, or from
 * the position where v is NULL. q may be NULL if v is not. */
void fit_smooth_along(const double *t, size_t count, const double *q, const double *v,
                      double window, double *const to[3]);
void fit_motion_free(fit_motion *m);

/* s between two samples. */
double fit_median_step(const fit_log *log);

#endif
