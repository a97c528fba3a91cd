/* SPDX-License-Identifier: MIT
 * What the bristle models come to: energies, extremes, equilibria, mean angles.
 * Drincic and Bernstein, (19), (45), (46), (56), (76) to (79).
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

STICTION_END_C

#endif
