/* SPDX-License-Identifier: MIT
 * What the bristle models come to. Drincic and Bernstein, (19), (45), (46), (56), (76) to (79).
 */
#include "joint_models/comparison/bristle_analysis.h"

#include <math.h>

double stiction_bristles_stored_energy(const stiction_bristles *b, double x_min, double x_max) {
    const double N_e = 2 * floor((x_max - x_min) / b->spacing); /* (46) */
    const double theta_max = stiction_bristles_max_angle(b);
    return N_e * b->stiffness * theta_max * theta_max / 2; /* (45) */
}

/* The force of `count` bristles, times `sign`. */
static double signed_sum(const stiction_bristles *b, double count, double sign, double offset) {
    double sum = 0;
    for (double j = 0; j < count; j++) sum += stiction_bristle_force(b, offset + j * b->spacing);
    return sign * sum;
}

/* The largest signed_sum over [from, to]: on a grid, then by golden section beside its best. */
static double largest(const stiction_bristles *b, double count, double sign, double from,
                      double to) {
    enum { cells = 64, sections = 48 };
    const double golden = 0.61803398874989484820, cell = (to - from) / cells;
    double best = signed_sum(b, count, sign, from), at = from;
    for (int k = 1; k <= cells; k++) {
        const double a = k < cells ? from + k * cell : to, value = signed_sum(b, count, sign, a);
        if (value > best) {
            best = value;
            at = a;
        }
    }
    double low = fmax(from, at - cell), high = fmin(to, at + cell);
    for (int k = 0; k < sections; k++) {
        const double a = high - golden * (high - low), c = low + golden * (high - low);
        const double at_a = signed_sum(b, count, sign, a), at_c = signed_sum(b, count, sign, c);
        best = fmax(best, fmax(at_a, at_c));
        if (at_a > at_c)
            high = c;
        else
            low = a;
    }
    return best;
}

/*
 * The largest (sign 1) or least (sign -1) force over one period. It is smooth but for the release:
 * full + 1 bristles while the first is less than `rest` behind the corner, then one less. (19) is
 * the value after the release for full = 1; for d0 > 0.77 h a bristle pushes less and less before
 * its release, and the extremum may lie anywhere.
 */
static double extreme(const stiction_bristles *b, double sign) {
    const double d0 = stiction_bristles_reach(b);
    const double full = ceil(d0 / b->spacing) - 1, rest = d0 - full * b->spacing;
    return sign *
           fmax(largest(b, full + 1, sign, 0, rest), largest(b, full, sign, rest, b->spacing));
}

stiction_sawtooth stiction_drbm_sawtooth(const stiction_bristles *b) {
    const double nan = (double)NAN;
    if (!stiction_bristles_in_domain(b)) return (stiction_sawtooth){nan, nan, nan};
    return (stiction_sawtooth){extreme(b, -1), extreme(b, 1), b->spacing};
}

stiction_interval stiction_drbm_holding(const stiction_bristles *b, double x) {
    return (stiction_interval){stiction_drbm_force(b, x, -1), stiction_drbm_force(b, x, 1)};
}

stiction_interval stiction_sawtooth_holding(const stiction_sawtooth *s, double x) {
    return (stiction_interval){stiction_sawtooth_force(s, x, -1), stiction_sawtooth_force(s, x, 1)};
}

stiction_interval stiction_equilibrium_inputs(double K, double x, stiction_interval holding) {
    return (stiction_interval){K * x + holding.low, K * x + holding.high}; /* (56), (78) */
}

double stiction_moving_average(double beta, double theta_s, double previous) {
    return beta * theta_s + (1 - beta) * previous; /* (79) */
}

/* ---- the Switch Model -------------------------------------------------------------------------
 * A vector field that jumps at g(x) = 0, made smooth in a thin stick band, with gdot = -g/tau in
 * (29) and G_- = {g < -eta}. */

/* The weight alpha of f_plus. Inside the band it may leave [0, 1]: (29) asks for it near the edge
 * if eta/tau exceeds what the fields give. */
static double weight_of_plus(double normal_plus, double normal_minus, double g, double eta,
                             double tau) {
    if (isnan(normal_plus) || isnan(normal_minus) || isnan(g)) return (double)NAN;
    if (fabs(g) > eta) return g > 0; /* (37) */
    /* attractive (27); where one field is tangent, (32) still holds the solution in the band */
    if (normal_minus >= 0 && normal_plus <= 0 && normal_minus > normal_plus)
        return (normal_minus + g / tau) / (normal_minus - normal_plus); /* (32) */
    return normal_plus > 0; /* (34) transversal, (36) repulsive */
}

void stiction_switch_model(size_t n, const double *f_plus, const double *f_minus,
                           double normal_plus, double normal_minus, double g, double eta,
                           double tau, double *xdot) {
    const double alpha = weight_of_plus(normal_plus, normal_minus, g, eta, tau);
    for (size_t k = 0; k < n; k++) {
        if (alpha == 1)
            xdot[k] = f_plus[k];
        else if (alpha == 0)
            xdot[k] = f_minus[k];
        else
            xdot[k] = alpha * f_plus[k] + (1 - alpha) * f_minus[k]; /* (28) */
    }
}
