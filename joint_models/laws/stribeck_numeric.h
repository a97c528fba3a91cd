/* SPDX-License-Identifier: MIT
 * The sliding branch of the Stribeck law with alpha > 1 and viscosity that is a line, by Halley's
 * method (Newton's with the curvature): u = v/v_S solves
 *
 *     m(u) = u - kappa (1 - exp(-u^alpha)) = sigma,
 *
 * which rises from below sigma at u = sigma to above it at u = sigma + kappa. Then
 * y = line + amplitude exp(-u^alpha).
 * Same bits everywhere: own exponential and logarithm, no libm but fma.
 */
#ifndef STICTION_JOINT_MODELS_LAWS_STRIBECK_NUMERIC_H
#define STICTION_JOINT_MODELS_LAWS_STRIBECK_NUMERIC_H

#include <string.h>

#include "joint_models/viscosity.h"

typedef struct stribeck_numeric {
    stiction_line line;
    double amplitude; /* F_SC/g */
    double rate;      /* 1/(v_S g), so that sigma = rate s */
    double kappa;     /* Z F_SC/(v_S g) */
} stribeck_numeric;
_Static_assert(sizeof(stribeck_numeric) <= STICTION_LAW_COEFFICIENTS * sizeof(double),
               "all of them have room in stiction_phi_z");

/* Whether it is this branch that a law has. */
static inline bool stribeck_is_numeric(const stiction_law *law, const stiction_law_parameters *p) {
    return law->uses & STICTION_USES(stribeck_exponent) && p->stribeck_exponent != 1 &&
           stiction_viscosity_is_linear(p);
}

/* From levels that change with every step: a few roundings instead of one. */
static inline void stribeck_set_numeric(stiction_phi_z *phi_z, double falling, double inverse_v_S) {
    const stiction_law_parameters *p = &phi_z->parameters;
    const double inverse_g = 1 / fma(phi_z->Z, p->viscous, 1), rate = inverse_v_S * inverse_g;
    const stribeck_numeric c = {
        .line = {p->coulomb_torque * inverse_g, p->viscous * inverse_g},
        .amplitude = falling * inverse_g,
        .rate = rate,
        .kappa = phi_z->Z * falling * rate,
    };
    memcpy(phi_z->coefficients, &c, sizeof c);
}

/* u^alpha, no larger than what the exponential takes; without the loss of digits that
 * stiction_power has. */
static inline double stribeck_exponent_at(double alpha, double u) {
    if (u < DBL_MIN) return 0;
    const double w = alpha == 1 ? u
                     : alpha == 2
                         ? u * u
                         : stiction_power_of(stiction_ln_sum(stiction_least(u, DBL_MAX)), alpha);
    return w < stiction_exp_range ? w : stiction_exp_range;
}

typedef struct stribeck_root {
    double u, w, decay; /* w = u^alpha, decay = e^-w */
    double growth;      /* u m'(u) */
    double gone;        /* kappa (1 - e^-w) */
    double step;        /* from u to the root, relative to u; the remaining error is below rounding,
                           including that of m - sigma */
} stribeck_root;

/* log2 x and 2^x to about three digits. */
static inline double stribeck_rough_log2(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const double n = (double)((int)(bits >> 52) - 1023);
    double m;
    bits = (bits & 0xfffffffffffff) | (uint64_t)1023 << 52;
    memcpy(&m, &bits, sizeof m);
    const double f = m - 1;
    /* with the right slope at both ends, where log2 x may be next to 0 */
    return n + f + f * (1 - f) * (0.4427 - 0.164 * f);
}

static inline double stribeck_rough_exp2(double x) {
    const stiction_exp2_reduced y =
        stiction_exp2_reduce(stiction_least(stiction_most(x, -1000), 1000));
    return y.power * (1 + y.r * (0.6931 + y.r * (0.2402 + y.r * 0.0555)));
}

/* From u to the root, as a part of u, where m - sigma is `residual`, the growth u m' and the bend
 * u^2 m''. */
static inline double stribeck_step(double residual, double growth, double bend) {
    const double line = growth * growth, curve = 0.5 * residual * bend;
    /* if the curve gives more than the line, neither is accurate there */
    return -residual * growth / (line - stiction_least(stiction_most(curve, -line), 0.5 * line));
}

/* Next to the root, by the same method with three digits. */
static inline double stribeck_rough_root(double alpha, double kappa, double sigma) {
    const double square = sigma * sigma;
    double u = fma(kappa, square / (square + 0.5), sigma);
    for (int k = 0; k < 6; k++) {
        const double w = stiction_least(stribeck_rough_exp2(alpha * stribeck_rough_log2(u)), 600);
        const double decay = stribeck_rough_exp2(-1.4427 * w), fall = kappa * alpha * w * decay;
        const double step = stribeck_step((u - sigma) - kappa * (1 - decay), u - fall,
                                          -fall * (alpha - 1 - alpha * w));
        u = stiction_least(stiction_most(fma(u, step, u), sigma), sigma + kappa);
        if (fabs(step) * alpha * stiction_most(w, 1) <= 0x1p-5) break;
    }
    return u;
}

static inline stribeck_root stribeck_solve(double alpha, double kappa, double sigma) {
    double lower = sigma, upper = sigma + kappa;
    stribeck_root r = {.u = stribeck_rough_root(alpha, kappa, sigma)};
    for (int k = 0; k < 200; k++) {
        r.w = stribeck_exponent_at(alpha, r.u);
        const stiction_exp_result e = stiction_exp(-r.w);
        const double fall = kappa * alpha * r.w * e.value; /* u d gone/du */
        r.decay = e.value;
        r.gone = -kappa * e.minus_one;
        r.growth = r.u - fall;
        const double residual = (r.u - sigma) - r.gone;
        const double bend = -fall * (alpha - 1 - alpha * r.w); /* u^2 m'' */
        *(residual > 0 ? &upper : &lower) = r.u;
        r.step = stribeck_step(residual, r.growth, bend);
        /* above it terms of third order are below rounding */
        const double reach = fabs(r.step) * alpha * stiction_most(r.w, 1);
        if (reach <= 0x1p-18 && reach * r.u <= 0x1p-18 * r.growth) return r;
        if (fabs(residual) <= 0x1p-51 * r.u) break;
        double next = fma(r.u, r.step, r.u);
        if (!(next > lower && next < upper)) next = lower + (upper - lower) / 2;
        if (!(next > lower && next < upper)) break;
        r.u = next;
    }
    r.step = 0;
    return r;
}

/* e^-w at the root of r, whose step is short. */
static inline double stribeck_decay_after(double alpha, double w, double decay, double step) {
    const double more = alpha * w * step * fma(0.5 * (alpha - 1), step, 1);
    return fma(decay, -more * fma(-0.5, more, 1), decay);
}

/* e^-w at the root, where m is so flat that rounding would show: Newton's method for ln u with 30
 * digits, of which one step is enough except near the limit of legality. */
static inline double stribeck_refine(const stiction_phi_z *phi_z, double x, double start) {
    const stiction_law_parameters *p = &phi_z->parameters;
    const double alpha = p->stribeck_exponent;
    const dd rate = stiction_sliding_rate(phi_z);
    const dd kappa = dd_mul(dd_mul(dd_from(phi_z->Z), stiction_f_sc(p)), rate);
    const dd sigma = dd_mul(dd_sub(dd_from(x), dd_product(phi_z->Z, p->static_torque)), rate);
    double lower = stiction_ln_sum(stiction_most(sigma.hi, DBL_MIN)).hi - 1;
    double upper = stiction_ln_sum(sigma.hi + kappa.hi).hi + 1;
    dd ln_u = dd_from(stiction_ln_sum(start).hi);
    double decay = 1;
    for (int k = 0; k < 200; k++) {
        const dd ln_w = dd_mul(dd_from(alpha), ln_u), u = stiction_dd_exp(ln_u);
        /* beyond w = e^6 the exponential is far below rounding; below w = e^-600 nothing falls */
        const dd w =
            ln_w.hi < 6 ? stiction_dd_exp(ln_w.hi > -600 ? ln_w : dd_from(-600)) : dd_from(400);
        const dd minus_one = stiction_dd_expm1(dd_neg(w)), left = dd_add(minus_one, dd_from(1));
        const dd residual = dd_add(dd_sub(u, sigma), dd_mul(kappa, minus_one));
        const dd fall = dd_mul(dd_mul(kappa, dd_from(alpha)), dd_mul(w, left));
        const dd growth = dd_sub(u, fall);
        double step = -residual.hi / growth.hi;
        decay = stribeck_decay_after(alpha, w.hi, dd_round(left), step);
        /* the terms of second order, and of third in the exponential */
        const double reach = fabs(step) * alpha * stiction_most(w.hi, 1);
        if (reach <= 0x1p-20 && reach * reach * u.hi <= 0x1p-56 * growth.hi) break;
        *(residual.hi > 0 ? &upper : &lower) = ln_u.hi;
        const double next = ln_u.hi + step;
        if (!(next >= lower && next <= upper)) step = lower + (upper - lower) / 2 - ln_u.hi;
        ln_u = dd_add(ln_u, dd_from(step));
    }
    return decay;
}

/* |Phi_Z(x)|, s = |x| - Z F_S > 0. */
static inline double stribeck_slide_numeric(const stiction_phi_z *phi_z, double x, double s) {
    const double alpha = phi_z->parameters.stribeck_exponent;
    const double most = x * phi_z->inverse_Z; /* more, by rounding, would give energy */
    stribeck_numeric c;
    memcpy(&c, phi_z->coefficients, sizeof c);
    const double line = stiction_line_at(c.line, x), sigma = c.rate * s;
    if (sigma >= stiction_exp_range)
        return stiction_least(line, most); /* u >= sigma: nothing is left */
    const stribeck_root r = stribeck_solve(alpha, c.kappa, sigma);
    const double decay = stribeck_decay_after(alpha, r.w, r.decay, r.step);
    const double y = fma(c.amplitude, decay, line);
    /* how many roundings come through to y from the terms of m - sigma, were all of them at their
     * worst */
    const double terms = 3 * sigma + 8 * r.gone;
    if (c.amplitude * decay * alpha * r.w * terms <= 12 * r.growth * y)
        return stiction_least(y, most);
    const double start = fma(r.u, r.step, r.u);
    return stiction_least(fma(c.amplitude, stribeck_refine(phi_z, x, start), line), most);
}

#endif
