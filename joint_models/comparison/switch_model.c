/* SPDX-License-Identifier: MIT
 * The Switch Model: a vector field that jumps at g(x) = 0, made smooth in a thin stick band.
 * Drincic and Bernstein, (27) to (37), with gdot = -g/tau in (29) and G_- = {g < -eta}.
 * May not know what g or the fields are; it mixes them, in any dimension.
 */
#include <math.h>

#include "joint_models/comparison/switch_model.h"

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
