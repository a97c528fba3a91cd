/*
 * Bristle friction: a body over a row of rotating bristles, its discontinuous and sawtooth
 * approximations, and the Switch Model that integrates them. Drincic and Bernstein, sections 2, 3.
 * Pure functions; the history of the rotating bristle model is a struct of the caller.
 *
 * The bases of the bristles lie at i times the spacing, for every integer i. A NaN gives NaN.
 */
#ifndef STICTION_MODELS_BRISTLE_H
#define STICTION_MODELS_BRISTLE_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* More bristles than this at a corner are a mistake in the units; the force is then NaN. */
#define STICTION_BRISTLES_MAX 10000

typedef struct stiction_bristles {
    double stiffness;   /* kappa, N m/rad, > 0 */
    double height;      /* h, of the body above the ground, m, > 0 */
    double length;      /* l_b, of a bristle, m, > height */
    double spacing;     /* Delta, m, > 0, below the reach d0 */
    double body_length; /* d, m, > d0 + 2 Delta */
} stiction_bristles;

typedef struct stiction_interval {
    double low, high;
} stiction_interval;

STICTION_API bool stiction_bristles_in_domain(const stiction_bristles *bristles);
/* d0: how far behind a corner a base lies when its bristle is released, m. */
STICTION_API double stiction_bristles_reach(const stiction_bristles *bristles);
/* theta_max (1): the pivot angle at the release, rad. */
STICTION_API double stiction_bristles_max_angle(const stiction_bristles *bristles);
/* E_stored (45), (46): what the bristles take up in one cycle between two positions, J. */
STICTION_API double stiction_bristles_stored_energy(const stiction_bristles *bristles, double x_min,
                                                    double x_max);

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

STICTION_API stiction_rbm_state stiction_rbm_start(double x_0);
/* Notes a reversal. v = 0 counts as forward, as in Table 1. */
STICTION_API void stiction_rbm_update(const stiction_bristles *bristles, stiction_rbm_state *state,
                                      double x, double v);
/* F_f (9), N, and theta_s, rad, at x while the direction lasts. */
STICTION_API double stiction_rbm_force(const stiction_bristles *bristles,
                                       const stiction_rbm_state *state, double x);
STICTION_API double stiction_rbm_angle_sum(const stiction_bristles *bristles,
                                           const stiction_rbm_state *state, double x);

/* The discontinuous model (DRBM): F_f (13) to (16), N, and theta_s, rad. v = 0 counts as > 0. */
STICTION_API double stiction_drbm_force(const stiction_bristles *bristles, double x, double v);
STICTION_API double stiction_drbm_angle_sum(const stiction_bristles *bristles, double x, double v);

/* The sawtooth approximation (47) to (50). */
typedef struct stiction_sawtooth {
    double lowest;  /* F_min, N, > 0 */
    double highest; /* F_max, N, >= lowest */
    double spacing; /* Delta, m, > 0 */
} stiction_sawtooth;

STICTION_API bool stiction_sawtooth_in_domain(const stiction_sawtooth *sawtooth);
/* (50); v = 0 counts as > 0. */
STICTION_API double stiction_sawtooth_force(const stiction_sawtooth *sawtooth, double x, double v);
/* The lowest and highest |F_f| of the DRBM, with its spacing. The highest is a supremum. */
STICTION_API stiction_sawtooth stiction_drbm_sawtooth(const stiction_bristles *bristles);

/* The forces that friction can hold with at x: [F_f^l, F_f^r], z of (76) times sigma_0. */
STICTION_API stiction_interval stiction_drbm_holding(const stiction_bristles *bristles, double x);
STICTION_API stiction_interval stiction_sawtooth_holding(const stiction_sawtooth *sawtooth,
                                                         double x);
/* The inputs u for which x is an equilibrium beside a spring K: (56) and (78), which give x by
 * itself (F_f depends on it), read the other way round. */
STICTION_API stiction_interval stiction_equilibrium_inputs(double K, double x,
                                                           stiction_interval holding);

/* The moving average of theta_s (79), beta in [0, 1]; starts as theta_s. */
STICTION_API double stiction_moving_average(double beta, double theta_s, double previous);

/*
 * The Switch Model (27) to (37): xdot[n] of a system that jumps at g(x) = 0 from f_minus (g < 0)
 * to f_plus (g > 0). normal_plus = n' f_plus and normal_minus = n' f_minus, n the gradient of g;
 * eta > 0 is half the stick band, in the units of g; tau > 0 its time constant, s. Explicit
 * integrators want steps below 2 tau, and must not step over the band, not even in one stage: the
 * field of the other side would throw the body off again. xdot may be f_plus or f_minus.
 */
STICTION_API void stiction_switch_model(size_t n, const double *f_plus, const double *f_minus,
                                        double normal_plus, double normal_minus, double g,
                                        double eta, double tau, double *xdot);

STICTION_END_C

#endif
