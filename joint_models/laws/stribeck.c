/* SPDX-License-Identifier: MIT
 * The Stribeck law: Phi(v) = (F_C + F_SC exp(-|v/v_S|^alpha)) sgn v + D v.
 * Cisneros et al., (21) to (32). alpha = 1 in closed form through Lambert's W in its natural
 * variable: one exponential, one square root, one division; alpha > 1, and D |v|^p with p not 1, by
 * Newton's method: stribeck_numeric.h, viscous_slide.h.
 */
#include "joint_models/laws/stribeck.h"

#include <string.h>

#include "joint_models/laws.h"
#include "joint_models/laws/stribeck_numeric.h"
#include "joint_models/viscous_slide.h"

/* (v/v_S)^alpha, no larger than what the exponential takes. */
static double exponent(const stiction_law_parameters *p, double u) {
    if (p->stribeck_exponent == 1 || u == 0 || u > stiction_exp_range)
        return fmin(u, stiction_exp_range);
    return fmin(stiction_power(u, p->stribeck_exponent), stiction_exp_range);
}

static double phi(const stiction_law_parameters *p, double v) {
    const double F_C = p->coulomb_torque, F_SC = p->static_torque - F_C;
    if (v == 0) return p->static_torque; /* free of rounding */
    const double w = exponent(p, v / p->stribeck_velocity);
    const double dry = fma(F_SC, stiction_exp(-w).value, F_C); /* (21) */
    return stiction_add_viscous(p, v, dry);
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    const double alpha = p->stribeck_exponent, u = v / v_S, w = exponent(p, u);
    /* w/u = u^(alpha-1), whose limit at zero is 1 or 0 */
    const double shape = u > 0 ? w / u : alpha == 1;
    return stiction_viscous_slope(p, v) -
           F_SC / v_S * alpha * shape * stiction_exp(-w).value; /* (31) */
}

/* The integral of exp(-u^alpha) from a on over `length`, by Gauss and Legendre's five points on
 * panels that are short where the function bends. */
static double numeric_decay(double alpha, double a, double length) {
    static const double node[] = {0.5384693101056831, 0.9061798459386640};
    static const double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    enum { most_panels = 64 };
    /* above u^alpha = 40 the term is negligible */
    const double whole = fmin(length, stiction_exp(stiction_ln(40) / alpha).value - a);
    const double longest = 0.25 / alpha;
    if (!(whole > 0)) return 0;
    const int panels = (int)fmin(fmax(ceil(whole / longest), 1), most_panels);
    const double half = whole / (2 * panels);
    double sum = 0;
    for (int k = 0; k < panels; k++) {
        const double middle = a + half * (2 * k + 1);
        sum += weight[0] * stiction_exp(-stiction_power(middle, alpha)).value;
        for (int n = 0; n < 2; n++)
            sum += weight[n + 1] *
                   (stiction_exp(-stiction_power(middle - half * node[n], alpha)).value +
                    stiction_exp(-stiction_power(middle + half * node[n], alpha)).value);
    }
    return sum * half;
}

/* The same in closed form where alpha is 1. */
static double decay(double alpha, double a, double length) {
    if (alpha != 1) return numeric_decay(alpha, a, length);
    return stiction_exp(-fmin(a, stiction_exp_range)).value *
           -stiction_exp(-fmin(length, stiction_exp_range)).minus_one;
}

static double work(const stiction_law_parameters *p, double a, double b) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    /* the difference before the division, which would round it away */
    const double falling = decay(p->stribeck_exponent, fmin(a, b) / v_S, fabs(b - a) / v_S);
    return stiction_smooth_work(p, a, b) + copysign(F_SC * v_S * falling, b - a);
}

/* c(alpha) = max over u of alpha u^(alpha-1) exp(-u^alpha) */
static double steepness(double alpha) {
    if (alpha == 1) return 1;
    const double q = (alpha - 1) / alpha;
    return alpha * stiction_exp(q * stiction_ln(q) - q).value;
}

/* p < 1: -Phi' is Q alpha u^(alpha - 1) e^-w - C u^(p - 1) in u = v/v_S, w = u^alpha. With
 * z = alpha w - (alpha - 1) > 0 its largest value is where ln(z u^(alpha - p) e^-w) is
 * ln(C (1 - p)/(Q alpha)); there it is Q alpha u^(alpha - 1) e^-w (1 - z/(1 - p)). The logarithm
 * rises in z as far as its derivative in ln u, alpha + 1 - p - z + alpha (alpha - 1)/z, is above
 * 0. */
static double gap(const stiction_law_parameters *p, double z) {
    const double alpha = p->stribeck_exponent, w = (z + (alpha - 1)) / alpha;
    const double ln_u = stiction_ln(w) / alpha;
    return stiction_ln(z) + (alpha - p->viscous_exponent) * ln_u - w;
}

static double thinning_descent(const stiction_law_parameters *p, double Q) {
    const double alpha = p->stribeck_exponent, e = p->viscous_exponent;
    const double half = (alpha + 1 - e) / 2;
    const double most = half + sqrt(half * half + alpha * (alpha - 1));
    const double z = stiction_thinning_root(p, gap, Q * alpha, most);
    if (!(z > 0)) return 0;
    const double w = (z + (alpha - 1)) / alpha;
    const double steepness = alpha * stiction_exp((alpha - 1) / alpha * stiction_ln(w) - w).value;
    return fmax(Q * steepness * (1 - z / (1 - e)), 0);
}

static double steepest_descent(const stiction_law_parameters *p) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    if (!stiction_viscosity_is_linear(p) && p->viscous_exponent < 1)
        return thinning_descent(p, F_SC / v_S);
    const double dry = steepness(p->stribeck_exponent) * F_SC / v_S;
    return stiction_viscosity_is_linear(p) ? dry - p->viscous : dry;
}

static stiction_fall fall_at(const stiction_law_parameters *p, double v) {
    const double alpha = p->stribeck_exponent,
                 w = stribeck_exponent_at(alpha, v / p->stribeck_velocity);
    const stiction_exp_result e = stiction_exp(-w);
    return (stiction_fall){.gone = -e.minus_one, .left = e.value, .growth = alpha * w * e.value};
}

static stiction_exact_fall exact_fall_at(const stiction_law_parameters *p, dd v) {
    const dd u = dd_div(v, dd_from(p->stribeck_velocity));
    const dd ln_w = dd_mul(dd_from(p->stribeck_exponent), stiction_dd_log(u));
    /* beyond w = e^6 the exponential is far below rounding; below w = e^-600 nothing falls */
    const dd w =
        ln_w.hi < 6 ? stiction_dd_exp(ln_w.hi > -600 ? ln_w : dd_from(-600)) : dd_from(400);
    const dd minus_one = stiction_dd_expm1(dd_neg(w));
    return (stiction_exact_fall){.gone = dd_neg(minus_one), .left = dd_add(minus_one, dd_from(1))};
}

static const stiction_falling falling = {fall_at, exact_fall_at};

/* 1 - (1 - d) e^d for 0 <= d <= 1: the sum of d^k (k - 1)/k!, k >= 2, all terms positive. */
static double one_minus_h1(double d) {
    double sum = 1; /* of the terms divided by the first one, innermost first */
    for (int k = 20; k >= 2; k--) sum = 1 + sum * d * k / ((k - 1.0) * (k + 1));
    return sum * d * d / 2;
}

/* The exponential of the closed form is a power of two. */
static const dd log2_e = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

/* alpha = 1 */
static void prepare_closed(stiction_phi_z *phi_z) {
    const dd kappa = stiction_kappa(phi_z);
    phi_z->margin = stiction_margin(phi_z);
    const double d = dd_round(dd_sub(dd_from(1), kappa));
    if (!(d > 0)) return; /* illegal: margin shows it */
    const double e_d = stiction_exp(d).value;
    const stribeck_coefficients c = {.line = stiction_line_of(phi_z),
                                     .amplitude = dd_round(stiction_amplitude(phi_z)) * e_d,
                                     .rate = dd_round(dd_mul(log2_e, stiction_sliding_rate(phi_z))),
                                     .h1 = dd_round(kappa) * e_d,
                                     .one_minus_h1 = one_minus_h1(d)};
    memcpy(phi_z->coefficients, &c, sizeof c);
}

/* alpha > 1 */
static void prepare_numeric(stiction_phi_z *phi_z) {
    const dd kappa = stiction_kappa(phi_z);
    const stribeck_numeric c = {.line = stiction_line_of(phi_z),
                                .amplitude = dd_round(stiction_amplitude(phi_z)),
                                .rate = dd_round(stiction_sliding_rate(phi_z)),
                                .kappa = dd_round(kappa)};
    memcpy(phi_z->coefficients, &c, sizeof c);
    const double steepest = steepness(phi_z->parameters.stribeck_exponent);
    const dd slack = dd_sub(dd_from(1), dd_mul(dd_from(steepest), kappa));
    phi_z->margin = dd_round(dd_mul(stiction_g(phi_z), slack));
}

static void prepare(stiction_phi_z *phi_z) {
    const stiction_law_parameters *p = &phi_z->parameters;
    if (!stiction_viscosity_is_linear(p)) {
        stiction_prepare_power(phi_z, stiction_f_sc(p), steepest_descent(p));
        return;
    }
    (phi_z->parameters.stribeck_exponent == 1 ? prepare_closed : prepare_numeric)(phi_z);
}

static double slide_closed(const stiction_phi_z *phi_z, double x, double reserve) {
    return stribeck_slide(stribeck_coefficients_of(phi_z->coefficients), x, reserve);
}

static double magnitude(const stiction_phi_z *phi_z, double x) {
    const double reserve = stiction_reserve(phi_z, x);
    if (!(reserve < 0)) return x * phi_z->inverse_Z;
    if (!stiction_viscosity_is_linear(&phi_z->parameters))
        return stiction_slide_power(phi_z, &falling, x, -reserve);
    return phi_z->parameters.stribeck_exponent == 1 ? slide_closed(phi_z, x, reserve)
                                                    : stribeck_slide_numeric(phi_z, x, -reserve);
}

const stiction_law stiction_law_stribeck = {
    .name = "stribeck",
    .description = "F_C + (F_S - F_C) exp(-|v/v_S|^alpha), with viscosity",
    .uses = STICTION_USES(static_torque) | STICTION_USES(coulomb_torque) |
            STICTION_USES(stribeck_velocity) | STICTION_USES(stribeck_exponent) |
            STICTION_USES(viscous) | STICTION_USES(viscous_exponent),
    .phi = phi,
    .phi_slope = phi_slope,
    .work = work,
    .steepest_descent = steepest_descent,
    .prepare = prepare,
    .magnitude = magnitude,
};
