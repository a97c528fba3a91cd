/* SPDX-License-Identifier: MIT */
/* Friction of the wrist by where and when it stops, and what its integral term makes of it. */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_WRIST_FIT_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_WRIST_FIT_H

#include "wrist.h"

/* NaN where the friction is not legal at the time step, or the joint does not stop in time. */
typedef struct wrist_stop {
    double angle, time; /* deg, s: when it was last faster than 1e-3 rad/s, between two steps */
    double torque;      /* that the controller gives at rest, N m */
} wrist_stop;

wrist_stop wrist_stop_of(const wrist *w);

/*
 * Sets F_C and D so that the wrist stops at the angle and time of `goal`, by Newton's method from
 * what they are; raises B where the law needs more. False where there are none: F_C or D would have
 * to be negative, or the joint does not come near.
 */
bool wrist_fit(wrist *w, wrist_stop goal);

/* Of a minute with an integral term. */
typedef struct wrist_hunt {
    double highest;                  /* angle, deg */
    int slips;                       /* the first motion too */
    double least_peak, highest_peak; /* of the command around each slip after the first, N m */
} wrist_hunt;

/* With these gains instead of the wrist's own. Where `angle` is not NULL the angle is drawn,
 * from 80 deg up. */
wrist_hunt wrist_hunt_of(const wrist *w, double kp, double kv, double lambda,
                         experiment_curve *angle);

#endif
