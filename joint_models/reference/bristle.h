/* SPDX-License-Identifier: MIT
 * Bristle friction: a body over a row of rotating bristles, its discontinuous and sawtooth
 * approximations. Drincic and Bernstein, sections 2, 3.
 * Pure functions; the history of the rotating bristle model is a struct of the caller.
 *
 * The bases of the bristles lie at i times the spacing, for every integer i. A NaN gives NaN.
 */
#ifndef STICTION_JOINT_MODELS_REFERENCE_BRISTLE_H
#define STICTION_JOINT_MODELS_REFERENCE_BRISTLE_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* More bristles than this at a corner indicate wrong units; the force is then NaN. */
#define STICTION_BRISTLES_MAX 10000

typedef struct stiction_bristles {
    double stiffness;   /* kappa, N m/rad, > 0 */
    double height;      /* h, of the body above the ground, m, > 0 */
    double length;      /* l_b, of a bristle, m, > height */
    double spacing;     /* Delta, m, > 0, below the reach d0 */
    double body_length; /* d, m, > d0 + 2 Delta */
} stiction_bristles;

bool stiction_bristles_in_domain(const stiction_bristles *bristles);
/* d0: how far behind a corner a base lies when its bristle is released, m. */
double stiction_bristles_reach(const stiction_bristles *bristles);
/* theta_max (1): the pivot angle at the release, rad. */
double stiction_bristles_max_angle(const stiction_bristles *bristles);
/* (6): the force of one bristle whose base lies `offset` behind the corner that bends it, N. */
double stiction_bristle_force(const stiction_bristles *bristles, double offset);

/*
 * The rotating bristle model (RBM). Set the state with stiction_rbm_start, call
 * stiction_rbm_update at the end of each time step, and ask for the force in between.
 */
typedef struct stiction_rbm_state {
    double start;     /* x_0, m */
    double direction; /* 1, -1, or 0 before the first motion */
    double last_base; /* index of the foremost bristle under the body at the last reversal, as seen
                         along the direction: x_r = direction * last_base * spacing */
    bool reversed;    /* false: Table 2; true: Table 1 */
    bool untangled;   /* false: Table 1 as printed; true: a bristle touches one corner at a time */
} stiction_rbm_state;

stiction_rbm_state stiction_rbm_start(double x_0);
/* Notes a reversal. v = 0 counts as forward, as in Table 1. */
void stiction_rbm_update(const stiction_bristles *bristles, stiction_rbm_state *state, double x,
                         double v);
/* F_f (7) to (9), N, at x while the direction lasts. */
double stiction_rbm_force(const stiction_bristles *bristles, const stiction_rbm_state *state,
                          double x);

/* The discontinuous model (DRBM): F_f (13) to (16), N, and theta_s, rad. v = 0 counts as > 0. */
double stiction_drbm_force(const stiction_bristles *bristles, double x, double v);
double stiction_drbm_angle_sum(const stiction_bristles *bristles, double x, double v);

/* The sawtooth approximation (47) to (50). */
typedef struct stiction_sawtooth {
    double lowest;  /* F_min, N, > 0 */
    double highest; /* F_max, N, >= lowest */
    double spacing; /* Delta, m, > 0 */
} stiction_sawtooth;

/* (50); v = 0 counts as > 0. */
double stiction_sawtooth_force(const stiction_sawtooth *sawtooth, double x, double v);

STICTION_END_C

#endif
