/* SPDX-License-Identifier: MIT
 * The rational law: Phi(v) = (F_C + F_SC v_S/(|v| + v_S)) sgn v + D v.
 * Cisneros et al., (33) to (49), whose four coefficients reduce to this; (44) without cancellation.
 * One square root and one division a call; with D |v|^p, p not 1, by Newton's method.
 */
#include "joint_models/laws/rational.h"

#include <float.h>
#include <string.h>

#include "joint_models/laws.h"
#include "joint_models/viscous_slide.h"

static double phi(const stiction_law_parameters *p, double v) {
    const double F_C = p->coulomb_torque, F_SC = p->static_torque - F_C;
    const double v_S = p->stribeck_velocity;
    if (v == 0) return p->static_torque;               /* (36), free of rounding */
    const double dry = F_C + F_SC * (v_S / (v + v_S)); /* (33) */
    return stiction_add_viscous(p, v, dry);
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    const double shape = v_S / (v + v_S);
    return stiction_viscous_slope(p, v) - F_SC / v_S * shape * shape;
}

static double work(const stiction_law_parameters *p, double a, double b) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    return stiction_smooth_work(p, a, b) +
           F_SC * v_S * stiction_ln_of_one_plus(fmin((b - a) / (a + v_S), DBL_MAX));
}

/* p < 1: -Phi' is Q/(1 + u)^2 - C u^(p - 1) in u = v/v_S, whose largest value is where
 * ln(u^(2 - p)/(1 + u)^3), which rises up to u = (2 - p)/(1 + p), is ln(C (1 - p)/2 Q); there it is
 * Q/(1 + u)^2 (1 - 2 u/((1 + u)(1 - p))). */
static double gap(const stiction_law_parameters *p, double u) {
    return (2 - p->viscous_exponent) * stiction_ln(u) - 3 * stiction_ln(1 + u);
}

static double thinning_descent(const stiction_law_parameters *p, double Q) {
    const double e = p->viscous_exponent;
    const double u = stiction_thinning_root(p, gap, Q / 0.5, (2 - e) / (1 + e));
    if (!(u > 0)) return 0;
    const double shape = 1 / (1 + u);
    return fmax(Q * shape * shape * (1 - 2 * u * shape / (1 - e)), 0);
}

/* r of (38), reached at v = +0 where viscosity is no steeper there */
static double steepest_descent(const stiction_law_parameters *p) {
    const double Q = (p->static_torque - p->coulomb_torque) / p->stribeck_velocity;
    if (stiction_viscosity_is_linear(p)) return Q - p->viscous;
    return p->viscous_exponent > 1 ? Q : thinning_descent(p, Q);
}

static stiction_fall fall_at(const stiction_law_parameters *p, double v) {
    const double v_S = p->stribeck_velocity, sum = v + v_S, gone = v / sum, left = v_S / sum;
    return (stiction_fall){.gone = gone, .left = left, .growth = gone * left};
}

static stiction_exact_fall exact_fall_at(const stiction_law_parameters *p, dd v) {
    const dd v_S = dd_from(p->stribeck_velocity), sum = dd_add(v, v_S);
    return (stiction_exact_fall){.gone = dd_div(v, sum), .left = dd_div(v_S, sum)};
}

static const stiction_falling falling = {fall_at, exact_fall_at};

static void prepare(stiction_phi_z *phi_z) {
    const stiction_law_parameters *p = &phi_z->parameters;
    if (!stiction_viscosity_is_linear(p)) {
        stiction_prepare_power(phi_z, stiction_f_sc(p), steepest_descent(p));
        return;
    }
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
    if (!stiction_viscosity_is_linear(&phi_z->parameters))
        return stiction_slide_power(phi_z, &falling, x, -reserve);
    const rational_coefficients *c = rational_coefficients_of(phi_z->coefficients);
    /* sigma = -rate reserve stays finite: 4 kappa sigma of kappa = 0 would be NaN */
    return rational_slide(c, x, fmax(reserve, -DBL_MAX / 8 / fmax(c->rate, 1)));
}

const stiction_law stiction_law_rational = {
    .name = "rational",
    .description = "F_C + (F_S - F_C) v_S/(|v| + v_S), with viscosity",
    .uses = STICTION_USES(static_torque) | STICTION_USES(coulomb_torque) |
            STICTION_USES(stribeck_velocity) | STICTION_USES(viscous) |
            STICTION_USES(viscous_exponent),
    .phi = phi,
    .phi_slope = phi_slope,
    .work = work,
    .steepest_descent = steepest_descent,
    .prepare = prepare,
    .magnitude = magnitude,
};
