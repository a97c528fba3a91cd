/* SPDX-License-Identifier: MIT
 * The work that a joint does against friction, computed from the samples, and whether friction is
 * physical. Unstable explicit friction changes its sign from step to step, adds energy to the
 * joint, and reports heat that no work accounts for.
 */
#ifndef STICTION_RESULTS_FRICTION_WORK_H
#define STICTION_RESULTS_FRICTION_WORK_H

#include <stdbool.h>

#include "joint_columns.h"
#include "stability/chatter.h"

typedef enum friction_verdict {
    FRICTION_STABLE,
    FRICTION_CHATTERS,     /* see stability/chatter.h */
    FRICTION_GIVES_ENERGY, /* the reported energy differs from the work done against friction */
} friction_verdict;

typedef struct friction_work {
    double stiffness; /* of the bristle, N m/rad; 0: it has none */
    double level;     /* the largest torque at rest, N m; 0: the law knows none */

    double work;     /* done by the joint against friction, J */
    double driven;   /* by the controllers' torque on the joint, J */
    double moved;    /* the same without its sign: what went in and what came back, J */
    double reported; /* heat that the friction itself reports, J */

    /* private */
    bool started;
    double position, torque, command, deflection; /* of the last sample */
    chatter signs;                                /* of the friction torque */
    bool chatters;                                /* or did */
} friction_work;

/* Of a joint with this friction; NULL: none. */
friction_work friction_work_of(const stiction_joint_def *def);

void friction_work_add(friction_work *w, const results_sample *s, size_t joint);

/* What the bristle holds, J. */
double friction_work_held(const friction_work *w);
/* The work less that, J: below 0 where friction gave more than it took. */
double friction_work_heat(const friction_work *w);

friction_verdict friction_work_verdict(const friction_work *w);

#endif
