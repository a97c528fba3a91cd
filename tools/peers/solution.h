/* SPDX-License-Identifier: MIT
 * The exact or converged motion under rigid friction: what contestants are measured against. It
 * shares no code with them. One joint is integrated with location of every change between sticking
 * and sliding; chains by steps so small that halving them changes nothing that is shown.
 */
#ifndef STICTION_PEERS_SOLUTION_H
#define STICTION_PEERS_SOLUTION_H

#include "peer.h"

/* The torque of the motor on one joint; `integral` is what its controller integrates, by `rate`. */
typedef struct drive {
    double (*torque)(const struct drive *d, double time, double position, double velocity,
                     double integral);
    double (*rate)(const struct drive *d, double time, double position, double velocity);
    double kp, kv, lambda, target, inertia; /* of a controller */
    double spring, speed;                   /* of a spring whose end moves */
} drive;

enum { REFERENCE_MOST_EVENTS = 64 };

typedef struct reference_motion {
    double position, velocity; /* at the end */
    double stop_time;          /* of the last stop; NaN: it moves */
    int breakaways;
    double times[REFERENCE_MOST_EVENTS]; /* of these */
} reference_motion;

/* `fine`: by Dormand and Prince with 1e-12; else by classical Runge-Kutta with 1e-4 s, as a check.
 */
reference_motion reference_joint(const chain *c, const drive *d, double duration, bool fine);

/* Positions of a chain after it came to rest, or after `duration`, from these velocities,
 * extrapolated from two time steps, the smaller one half of `timestep`; their distance goes to
 * *error. */
void reference_chain(const chain *c, const double *velocity, double duration, double timestep,
                     double *position, double *rest_time, double *error);

#endif
