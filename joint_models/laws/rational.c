/*
 * The rational law: Phi(v) = (F_C + F_SC v_S/(|v| + v_S)) sgn v + D v.
 * Cisneros et al., (33) to (49), whose four coefficients reduce to this; (44) without cancellation.
 * One square root and one division a call.
 */
#include "joint_models/laws/rational.h"

#include <float.h>
#include <string.h>

#include "joint_models/exponential.h"
#include "joint_models/laws.h"

static double phi(const stiction_law_parameters *p, double v) {
    const double F_C = p->coulomb_torque, F_SC = p->static_torque - F_C;
    const double v_S = p->stribeck_velocity;
    if (v == 0) return p->static_torque;               /* (36), free of rounding */
    const double dry = F_C + F_SC * (v_S / (v + v_S)); /* (33) */
    return p->viscous > 0 ? fma(p->viscous, v, dry) : dry;
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    const double shape = v_S / (v + v_S);
    return p->viscous - F_SC / v_S * shape * shape;
}

/* ln(1 + x), x > -1, accurate for a small x too. */
static double log_of_one_plus(double x) {
    const double z = x / (2 + x), z2 = z * z;
    if (fabs(z) > 0.1) return stiction_ln(1 + x);
    double sum = 0;
    for (int k = 15; k >= 1; k -= 2) sum = sum * z2 + 1.0 / k;
    return 2 * z * sum;
}

static double work(const stiction_law_parameters *p, double a, double b) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    return stiction_line_work(p, a, b) +
           F_SC * v_S * log_of_one_plus(fmin((b - a) / (a + v_S), DBL_MAX));
}

/* r of (38), reached at v = +0 */
static double steepest_descent(const stiction_law_parameters *p) {
    return (p->static_torque - p->coulomb_torque) / p->stribeck_velocity - p->viscous;
}

static void prepare(stiction_phi_z *phi_z) {
    const dd kappa = stiction_kappa(phi_z);
    const rational_coefficients c = {.line = stiction_line_of(phi_z),
                                     .amplitude = dd_round(stiction_amplitude(phi_z)),
                                     .rate = dd_round(stiction_sliding_rate(phi_z)),
                                     .kappa = dd_round(kappa),
                                     .one_minus_kappa = dd_round(dd_sub(dd_from(1), kappa))};
    memcpy(phi_z->coefficients, &c, sizeof c);
    phi_z->margin = stiction_margin(phi_z);
}

static double magnitude(const stiction_phi_z *phi_z, double x) {
    const double reserve = stiction_reserve(phi_z, x);
    if (!(reserve < 0)) return x * phi_z->inverse_Z;
    const rational_coefficients *c = rational_coefficients_of(phi_z->coefficients);
    /* sigma = -rate reserve stays finite: 4 kappa sigma of kappa = 0 would be NaN */
    return rational_slide(c, x, fmax(reserve, -DBL_MAX / 8 / fmax(c->rate, 1)));
}

const stiction_law stiction_law_rational = {
    .name = "rational",
    .description = "F_C + (F_S - F_C) v_S/(|v| + v_S), with viscosity",
    .uses = STICTION_USES(static_torque) | STICTION_USES(coulomb_torque) |
            STICTION_USES(stribeck_velocity) | STICTION_USES(viscous),
    .phi = phi,
    .phi_slope = phi_slope,
    .work = work,
    .steepest_descent = steepest_descent,
    .prepare = prepare,
    .magnitude = magnitude,
};
