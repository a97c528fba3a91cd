/* SPDX-License-Identifier: MIT
 * What stiction check says of the two ways to couple friction with a robot: whether the implicit
 * one holds, and which of them a host takes. Whether the explicit one does is
 * stability/stability.h's.
 */
#ifndef STICTION_TOOLS_CHECK_COUPLING_H
#define STICTION_TOOLS_CHECK_COUPLING_H

#include "stability/stability.h"
#include "stiction/config.h"

typedef enum implicit_verdict {
    IMPLICIT_NO_FRICTION,
    IMPLICIT_HOLDS,       /* whatever the inertia */
    IMPLICIT_ILLEGAL,     /* Phi_Z does not exist */
    IMPLICIT_NO_POTENTIAL /* a model of the literature: it cannot be implicit */
} implicit_verdict;

/* def->law may be NULL: no friction. */
implicit_verdict implicit_judge(const stiction_joint_def *def, double timestep);
const char *implicit_verdict_name(implicit_verdict verdict);

/* K and B from which on Phi_Z exists, the other one as it is. */
double legal_stiffness(const stability_spring *spring, double timestep);
double legal_damping(const stability_spring *spring, double timestep);
/* The time step above which it does, with K and B as they are, s; 0: it always does. */
double legal_timestep(const stability_spring *spring);

/* Both couplings on one body, at one time step. */
typedef struct coupling_judgement {
    stiction_coupling configured;
    coupling_decision taken; /* what a host takes */
    bool judged;             /* explicit was, see STABILITY_UNJUDGED */
    bool safe;               /* explicit is stable by a factor of two */
    bool has_potential;      /* of every joint, so that all can be implicit */
    bool implicit_holds;
    bool holds;               /* the one that is taken */
    double implicit_timestep; /* implicit holds above it, s; 0: at any */
    bool lags; /* what is legal is known of this time step only: a lag changes it with others */
} coupling_judgement;

/* `defs` and `springs` have one entry a joint. */
coupling_judgement coupling_judge(stiction_coupling configured, const coupling_decision *taken,
                                  const stability_body *explicit_body,
                                  const stiction_joint_def *defs, const stability_spring *springs,
                                  size_t count, double timestep);

/* The sentences, each a line that the caller frees. */
char *coupling_describe_implicit(const coupling_judgement *j);
char *coupling_describe_choice(const coupling_judgement *j);
/* What to do where explicit coupling is not safe. `none_hold`: for some joints no K and B do. */
char *coupling_advise(const coupling_judgement *j, const stability_body *body, bool none_hold);

#endif
