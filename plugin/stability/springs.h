/* SPDX-License-Identifier: MIT
 * A joint's friction as an integrator sees it while the joint sticks: a spring K and a damper B.
 *
 * Explicit coupling with time step T is stable while the largest eigenvalue of inv(M) (2 T B +
 * T^2 K) is below 4, at every pose; for a joint by itself while 2 T B/M + T^2 K/M is, where M is
 * the inertia that it feels. DESIGN.md, "Stability".
 */
#ifndef STICTION_STABILITY_SPRINGS_H
#define STICTION_STABILITY_SPRINGS_H

#include <stdbool.h>

#include "stiction/joint.h"

STICTION_BEGIN_C

#define STABILITY_LIMIT 4.0
/* Suggested parameters keep to this part of the limit: poses are samples. */
#define STABILITY_MARGIN 0.8
/* Up to this part of the limit explicit coupling is safe, and coupling auto takes it: what poses,
 * loads and contacts change in a run is less. */
#define STABILITY_SAFE 0.5

typedef struct stability_spring {
    double stiffness; /* K, N m/rad */
    double damping;   /* B, N m s/rad */
    double needed;    /* K T + B must exceed it, N m s/rad; -inf: no such bound */
    double beside;    /* N m/rad: of presliding, which adds to K but does not count in `needed` */
} stability_spring;

/* Zeros for laws that are no spring and no damper at rest. The time step counts where friction
 * lags. */
stability_spring stability_spring_of(const stiction_joint_def *def, double timestep);

/* Whether Phi_Z exists at this time step. */
bool stability_is_legal(const stability_spring *spring, double timestep);

/* 2 T B + T^2 K */
double stability_load(const stability_spring *spring, double timestep);

STICTION_END_C

#endif
