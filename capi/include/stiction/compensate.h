/*
 * Compensation: the torque that a controller adds so that friction does not hold its robot back, of
 * the same laws as a simulation's. It is a feed-forward: it reads what is desired, never what is
 * measured, whose sign near rest is noise. So it cannot make a limit cycle of its own.
 *
 *     tau = share c Phi(|v|),   c = (v + start edge)/sqrt(v^2 + edge^2), cut to -1 to 1
 *
 * A desired velocity v far above the edge gets the friction at it; at rest nothing is given, but
 * for an intended start, which gets the torque at which the joint breaks away, in its direction.
 */
#ifndef STICTION_COMPENSATE_H
#define STICTION_COMPENSATE_H

#include "stiction/state.h"

STICTION_BEGIN_C

/* The largest share: twice what is expected. */
#define STICTION_MOST_SHARE 2

/* What is desired, arrays with an entry a joint. Start from stiction_compensation_default(). */
typedef struct stiction_compensation {
    size_t size;            /* set by the default */
    double share;           /* 0 to STICTION_MOST_SHARE: of the friction, how much is given; 0.8 by
                               default. From 1 on nothing of it is left to hold a joint: where there
                               is less friction than expected, the joint is pushed on */
    double edge;            /* rad/s, > 0: about so fast c goes from -1 to 1; 0.0015 by default */
    const double *velocity; /* rad/s: desired, not measured */
    const double *start;    /* -1 to 1: where a joint that rests is to start to, as the sign of the
                               velocity that is desired a moment later; 0: it stays; NULL: all stay */
    /* what the friction of real drives depends on, as in stiction_input; NULL where
     * stiction_state_needs() does not ask for it */
    const double *position;        /* rad */
    const double *effort;          /* N m: the torque of the motor, of the last step where a
                                      controller does not know better */
    const double *external_torque; /* N m */
    const double *temperature;     /* deg C; NULL, or NaN for a joint: that of the state */
} stiction_compensation;

STICTION_API stiction_compensation stiction_compensation_default(void);

/*
 * The torque to add to each joint, N m. A joint without friction gets 0; one whose law is a model
 * of the literature has no Phi and is an error. Reads parameters and temperature of the state, not
 * its bristles, and changes nothing. Unless OK, torque[] is all zeros.
 */
STICTION_API stiction_status stiction_compensate(const stiction_state *state,
                                                 const stiction_compensation *desired,
                                                 double *torque, stiction_error *error);

STICTION_END_C

#endif
