/* SPDX-License-Identifier: MIT
 * The exact or converged motion under rigid friction: what contestants are measured against. It
 * shares no code with them. Every change between sticking and sliding is located.
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
    double spring, speed;                   /* of a spring whose end moves, */
    double amplitude, period;               /* or swings */
} drive;

enum { REFERENCE_MOST_EVENTS = 64 };

typedef struct reference_motion {
    double position, velocity; /* at the end */
    double work;               /* of the motor, J */
    int breakaways;
    double times[REFERENCE_MOST_EVENTS], places[REFERENCE_MOST_EVENTS]; /* of these */
} reference_motion;

/* `fine`: by Dormand and Prince with 1e-12; else by classical Runge-Kutta with 1e-4 s, as a check.
 */
reference_motion reference_joint(const chain *c, const drive *d, double duration, bool fine);

/* Positions of a chain with one level of friction after it came to rest, or after `duration`, from
 * these velocities, by Runge-Kutta between the changes of its joints. Errors: the distance of a
 * second method, implicit Euler extrapolated from steps of `timestep` and its half. */
void reference_chain(const chain *c, const double *velocity, double duration, double timestep,
                     double *position, double *rest, double *error, double *rest_error);

#endif
