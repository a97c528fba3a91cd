/* SPDX-License-Identifier: MIT
 * What the bristle models come to: energies, extremes, equilibria, mean angles; and the Switch
 * Model, which integrates systems that jump. Drincic and Bernstein, (19), (27) to (37), (45), (46),
 * (56), (76) to (79).
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_BRISTLE_ANALYSIS_H
#define STICTION_JOINT_MODELS_COMPARISON_BRISTLE_ANALYSIS_H

#include "joint_models/reference/bristle.h"

STICTION_BEGIN_C

typedef struct stiction_interval {
    double low, high;
} stiction_interval;

/* E_stored (45), (46): what the bristles take up in one cycle between two positions, J. */
double stiction_bristles_stored_energy(const stiction_bristles *bristles, double x_min,
                                       double x_max);

/* The lowest and highest |F_f| of the DRBM, with its spacing. The highest is a supremum. */
stiction_sawtooth stiction_drbm_sawtooth(const stiction_bristles *bristles);

/* The forces that friction can hold with at x: [F_f^l, F_f^r], z of (76) times sigma_0. */
stiction_interval stiction_drbm_holding(const stiction_bristles *bristles, double x);
stiction_interval stiction_sawtooth_holding(const stiction_sawtooth *sawtooth, double x);
/* The inputs u for which x is an equilibrium beside a spring K: (56) and (78), which give x by
 * itself (F_f depends on it), read the other way round. */
stiction_interval stiction_equilibrium_inputs(double K, double x, stiction_interval holding);

/* The moving average of theta_s (79), beta in [0, 1]; starts as theta_s. */
double stiction_moving_average(double beta, double theta_s, double previous);

/*
 * The Switch Model (27) to (37): xdot[n] of a system that jumps at g(x) = 0 from f_minus (g < 0)
 * to f_plus (g > 0). normal_plus = n' f_plus and normal_minus = n' f_minus, n the gradient of g;
 * eta > 0 is half the stick band, in the units of g; tau > 0 its time constant, s. Explicit
 * integrators want steps below 2 tau, and must not step over the band, not even in one stage: the
 * field of the other side would throw the body off again. xdot may be f_plus or f_minus.
 */
void stiction_switch_model(size_t n, const double *f_plus, const double *f_minus,
                           double normal_plus, double normal_minus, double g, double eta,
                           double tau, double *xdot);

STICTION_END_C

#endif
