/* SPDX-License-Identifier: MIT
 * Friction as a function of velocity and external force, without a state.
 * Kikuuwe et al. 2006, (3), (4), (5); Dupont et al. 2000, (5).
 * Their thresholds have no physical meaning: for comparison only.
 */
#include <math.h>

#include "joint_models/reference/reference.h"

/* x limited to [-1, 1]. */
static double saturate(double x) {
    return fabs(x) > 1 ? copysign(1, x) : x;
}

bool stiction_karnopp_sticks(const stiction_law *law, const stiction_law_parameters *parameters,
                             double epsilon, double v, double h) {
    return fabs(v) <= epsilon && fabs(h) <= stiction_phi(law, parameters, 0.0);
}

double stiction_karnopp_force(const stiction_law *law, const stiction_law_parameters *parameters,
                              double epsilon, double v, double h) {
    if (isnan(v) || isnan(h)) return v + h;
    if (stiction_karnopp_sticks(law, parameters, epsilon, v, h)) return h; /* (3), third line */
    return stiction_phi(law, parameters, fabs(v) > epsilon ? v : copysign(0.0, h));
}

double stiction_quinn_force(double F, double epsilon, double v, double h) {
    const double q = v + epsilon * saturate(h / F); /* (4b) */
    return stiction_viscosity_force(F, epsilon, q); /* (4a) */
}

double stiction_viscosity_force(double F, double epsilon, double v) {
    return F * saturate(v / epsilon); /* (5) */
}

double stiction_tanh_force(double f_c, double v_0, double v) {
    return f_c * tanh(v / v_0); /* E (5) */
}
