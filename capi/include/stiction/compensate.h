/* SPDX-License-Identifier: MIT
 * Friction compensation: the torque that a controller adds to overcome friction, from the same laws
 * as the simulation. It is a feed-forward from the desired velocity. It does not read the measured
 * velocity, whose sign near rest is noise, and therefore cannot cause a limit cycle.
 *
 *     tau = share c Phi(|v|),   c = (v + start edge)/sqrt(v^2 + edge^2), cut to -1 to 1
 *
 * A desired velocity v far above the edge gives the friction at v. At rest the torque is 0, except
 * for an intended start, which gives the breakaway torque in its direction.
 */
#ifndef STICTION_COMPENSATE_H
#define STICTION_COMPENSATE_H

#include "stiction/state.h"

STICTION_BEGIN_C

/* The largest share: twice the expected friction. */
#define STICTION_MOST_SHARE 2

/* The desired motion; arrays have one entry per joint. Start from stiction_compensation_default().
 */
typedef struct stiction_compensation {
    size_t size;  /* set by the default */
    double share; /* part of the friction that is compensated, 0 to STICTION_MOST_SHARE; 0.8 by
                     default. With 1 or more, no friction is left to hold a joint: where friction is
                     lower than expected, the joint is pushed */
    double edge;  /* rad/s, > 0: the velocity over which c goes from -1 to 1; 0.0015 by default */
    const double *velocity; /* rad/s: desired, not measured */
    const double *start; /* -1 to 1: the direction in which a joint at rest is to start, such as the
                            sign of the next desired velocity; 0: it stays; NULL: all stay */
    /* what the friction of real drives depends on, as in stiction_input; NULL where
     * stiction_state_needs() does not ask for it */
    const double *position; /* rad */
    const double *effort;   /* N m: the torque of the motor; use that of the last step if no better
                               value is known */
    const double *external_torque; /* N m */
    const double *temperature;     /* deg C; NULL, or NaN for a joint: that of the state */
} stiction_compensation;

STICTION_API stiction_compensation stiction_compensation_default(void);

/*
 * Writes the torque to add to each joint, N m. A joint without friction gets 0; a joint whose law
 * is a reference model has no Phi and is an error. The function reads parameters and temperature of
 * the state, not its bristles, and does not change the state. On failure, torque[] is all zeros.
 */
STICTION_API stiction_status stiction_compensate(const stiction_state *state,
                                                 const stiction_compensation *desired,
                                                 double *torque, stiction_error *error);

STICTION_END_C

#endif
