/* SPDX-License-Identifier: MIT
 * Whether friction that is coupled explicitly is stable on a robot: computed from the velocity at
 * the start of a step, then subtracted from the joint torques. DESIGN.md, "Stability".
 *
 * While all joints stick, friction is a spring K and a damper B in each. Explicit coupling with
 * time step T is stable while the largest eigenvalue of inv(M) (2 T B + T^2 K) is below 4, at every
 * pose; for a joint by itself while 2 T B/M + T^2 K/M is, M the inertia that it feels.
 */
#ifndef STICTION_STABILITY_STABILITY_H
#define STICTION_STABILITY_STABILITY_H

#include "coupling.h"

STICTION_BEGIN_C

typedef enum stability_verdict {
    STABILITY_NONE,       /* nothing to judge: no friction, or no spring in it */
    STABILITY_STABLE,     /* legal and stable */
    STABILITY_UNSTABLE,   /* by itself */
    STABILITY_TOGETHER,   /* stable by itself, but the body is not: it takes part in that */
    STABILITY_ILLEGAL,    /* Phi_Z does not exist */
    STABILITY_IMPOSSIBLE, /* no K and B are both legal and stable with explicit coupling */
    STABILITY_UNJUDGED    /* stable by itself at one pose; other poses were not tried */
} stability_verdict;

const char *stability_verdict_name(stability_verdict verdict);
/* The end of a message that begins with "its friction": "is unstable". */
const char *stability_verdict_clause(stability_verdict verdict);

typedef struct stability_joint {
    double inertia; /* that it feels, at the worst pose, kg m^2 */
    double number;  /* 2 T B/M + T^2 K/M */
    stability_verdict verdict;
    double
        holding_stiffness;  /* K and B that would hold, with all joints so; the joint's own where */
    double holding_damping; /* they do; NaN: none were found */
} stability_joint;

typedef struct stability_body {
    double number;  /* the largest eigenvalue over all poses; NaN: it was not judged */
    double holding; /* the same with the K and B that would hold */
    bool stable;    /* all joints legal and stable, and the body too */
} stability_body;

/* Judges all joints of a robot; `springs` and `joints` have one entry a joint. Where the
 * mobility is partial, only each by itself. */
stiction_status stability_judge(const robot_mobility *mobility, const stability_spring *springs,
                                double timestep, stability_joint *joints, stability_body *body,
                                stiction_error *error);

STICTION_END_C

#endif
