/* SPDX-License-Identifier: MIT
 * The sliding branch of a law whose viscosity is D (v/1 rad/s)^p with p not 1, by Newton's method,
 * and the steepest descent of such a law. A law provides the fall of its dry friction. Same bits
 * everywhere: own exponential and logarithm, no libm except fma and sqrt.
 */
#ifndef STICTION_JOINT_MODELS_VISCOUS_SLIDE_H
#define STICTION_JOINT_MODELS_VISCOUS_SLIDE_H

#include <string.h>

#include "joint_models/viscosity.h"

/*
 * p < 1, where viscosity is steep at rest, and a dry friction that falls like Q rho(u), u = v/v_S,
 * are steepest where ln(C (1 - p)/Q') = gap(z), C = D p v_S^(p - 1), for some z > 0 up to `most`,
 * as far as `gap` rises. Returns this z; 0 if there is none, because Phi rises everywhere.
 */
static inline double stiction_thinning_root(const stiction_law_parameters *p,
                                            double (*gap)(const stiction_law_parameters *p,
                                                          double z),
                                            double Q, double most) {
    const double e = p->viscous_exponent;
    if (!(Q > 0)) return 0;
    const double level = stiction_ln(p->viscous * e * (1 - e)) - stiction_ln(Q) +
                         (e - 1) * stiction_ln(p->stribeck_velocity);
    if (!(gap(p, most) > level)) return 0;
    /* by halves in the logarithm; a law is prepared once */
    double low = 0x1p-1000, high = most;
    for (int k = 0; k < 200; k++) {
        const double middle = sqrt(low) * sqrt(high);
        if (!(middle > low && middle < high)) break;
        *(gap(p, middle) < level ? &low : &high) = middle;
    }
    return high;
}

/* What a law's dry friction has lost of F_S - F_C at v > 0. */
typedef struct stiction_fall {
    double gone, left; /* parts of it, in sum 1 */
    double growth;     /* v d gone/dv, which is finite where the slope of a power may not be */
} stiction_fall;

/* The same with 30 digits. */
typedef struct stiction_exact_fall {
    dd gone, left;
} stiction_exact_fall;

/* How a law falls. */
typedef struct stiction_falling {
    stiction_fall (*at)(const stiction_law_parameters *p, double v);
    stiction_exact_fall (*exactly_at)(const stiction_law_parameters *p, dd v);
} stiction_falling;

/* Behind break-away v solves m(v) = v + gain v^p - drop gone(v) = s, s = |x| - Z F_S, where m rises
 * from m(0) = 0; then y = F_C + F_SC left(v) + D v^p. */
typedef struct stiction_power_coefficients {
    double gain; /* Z D */
    double drop; /* Z F_SC */
    double F_SC;
} stiction_power_coefficients;
_Static_assert(sizeof(stiction_power_coefficients) <= STICTION_LAW_COEFFICIENTS * sizeof(double),
               "all of them have room in stiction_phi_z");

/* `F_SC`: 0 of a law that does not fall. */
static inline void stiction_set_power(stiction_phi_z *phi_z, dd F_SC) {
    const dd Z = dd_from(phi_z->Z);
    const stiction_power_coefficients c = {.gain = phi_z->Z * phi_z->parameters.viscous,
                                           .drop = dd_round(dd_mul(Z, F_SC)),
                                           .F_SC = dd_round(F_SC)};
    memcpy(phi_z->coefficients, &c, sizeof c);
}

/* `steepest`: its steepest descent, >= 0. */
static inline void stiction_prepare_power(stiction_phi_z *phi_z, dd F_SC, double steepest) {
    stiction_set_power(phi_z, F_SC);
    phi_z->margin = dd_round(dd_sub(dd_from(1), dd_product(phi_z->Z, steepest)));
}

/* m and the torque at one v. */
typedef struct stiction_power_point {
    stiction_fall fall;
    double viscous; /* D v^p */
    double m;
    double growth;        /* v m' */
    double torque_growth; /* v Phi' */
} stiction_power_point;

static inline stiction_power_point stiction_power_at(const stiction_phi_z *phi_z,
                                                     const stiction_power_coefficients *c,
                                                     const stiction_falling *falling, double v) {
    const stiction_law_parameters *p = &phi_z->parameters;
    stiction_power_point q = {.fall = falling->at(p, v),
                              .viscous = stiction_viscous_power(p, stiction_ln_sum(v))};
    const double rise = p->viscous_exponent * q.viscous;
    q.m = v + fma(phi_z->Z, q.viscous, -c->drop * q.fall.gone);
    q.growth = v + fma(phi_z->Z, rise, -c->drop * q.fall.growth);
    q.torque_growth = rise - c->F_SC * q.fall.growth;
    return q;
}

/* The torque where m is so flat that rounding would show: Newton's method with 30 digits. NaN where
 * these do not reach as far as numbers do. */
static inline double stiction_refine_power(const stiction_phi_z *phi_z,
                                           const stiction_power_coefficients *c,
                                           const stiction_falling *falling, double x,
                                           double start) {
    const stiction_law_parameters *p = &phi_z->parameters;
    const dd Z = dd_from(phi_z->Z), F_SC = c->F_SC == 0 ? dd_from(0) : stiction_f_sc(p);
    const dd s = dd_sub(dd_from(x), dd_product(phi_z->Z, phi_z->breakaway));
    dd lower = dd_from(0), upper = dd_add(s, dd_mul(Z, F_SC)), v = dd_from(start), y = v;
    for (int k = 0; k < 200; k++) {
        const dd power = dd_mul(dd_from(p->viscous_exponent), stiction_dd_log(v));
        if (!(fabs(power.hi) < 600)) return (double)NAN;
        const dd viscous = dd_mul(dd_from(p->viscous), stiction_dd_exp(power));
        const stiction_exact_fall fall = falling->exactly_at(p, v);
        y = dd_add(dd_add(dd_from(p->coulomb_torque), dd_mul(F_SC, fall.left)), viscous);
        const dd lost = dd_sub(viscous, dd_mul(F_SC, fall.gone));
        const dd residual = dd_add(dd_sub(v, s), dd_mul(Z, lost));
        const stiction_power_point q = stiction_power_at(phi_z, c, falling, v.hi);
        *(residual.hi > 0 ? &upper : &lower) = v;
        dd next = dd_sub(v, dd_mul(v, dd_div(residual, dd_from(q.growth))));
        if (!(next.hi >= lower.hi && next.hi <= upper.hi)) {
            const dd sum = dd_add(lower, upper);
            next = (dd){sum.hi / 2, sum.lo / 2};
        }
        const double step = dd_round(dd_sub(next, v)) / v.hi;
        /* the remainder is linear */
        if (!(fabs(step) > 0x1p-62 * stiction_least(q.growth / v.hi, 1))) {
            y = dd_add(y, dd_from(q.torque_growth * step));
            break;
        }
        v = next;
    }
    return dd_round(y);
}

/* |Phi_Z(x)| on the sliding branch, s = |x| - Z F_S > 0. */
static inline double stiction_slide_power(const stiction_phi_z *phi_z,
                                          const stiction_falling *falling, double x, double s) {
    const stiction_law_parameters *p = &phi_z->parameters;
    const double most = x * phi_z->inverse_Z; /* more, by rounding, would give energy */
    stiction_power_coefficients c;
    memcpy(&c, phi_z->coefficients, sizeof c);

    /* v <= s + drop, rounding apart; and one of v and gain v^p is at least s/2 where the law does
     * not fall */
    double upper = stiction_least((s + c.drop) * (1 + 0x1p-50), DBL_MAX);
    const dd ln_share =
        stiction_ln_sum(stiction_least(stiction_most(s / 2 / c.gain, DBL_MIN), DBL_MAX));
    double lower = stiction_least(s / 2, stiction_power_of(ln_share, 1 / p->viscous_exponent));
    /* so slow that it counts as rest: all of x is torque */
    if (!(lower >= 2 * DBL_MIN)) {
        lower = 2 * DBL_MIN;
        if (stiction_power_at(phi_z, &c, falling, lower).m >= s) return most;
    }

    double v = lower, step = 0; /* as a part of v */
    stiction_power_point q = {0};
    for (int k = 0; k < 200; k++) {
        q = stiction_power_at(phi_z, &c, falling, v);
        const double residual = q.m - s;
        *(residual > 0 ? &upper : &lower) = v;
        step = -residual / q.growth;
        if (fabs(step) <= 0x1p-28 * stiction_least(q.growth / v, 1)) break;
        double next = fma(v, step, v);
        /* far away m is a power of v more than a line */
        if (q.m > 0 && !(fabs(residual) <= 0.5 * stiction_least(q.m, s))) {
            const double ratio = stiction_ln_sum(stiction_least(s / q.m, DBL_MAX)).hi;
            const double change = ratio * (q.m / q.growth);
            next = v * stiction_exp(stiction_least(stiction_most(change, -700), 700)).value;
        }
        if (!(next > lower && next < upper)) next = sqrt(lower) * sqrt(upper);
        if (!(next > lower && next < upper)) {
            step = 0;
            break;
        }
        v = next;
    }
    const double y =
        fma(q.torque_growth, step, fma(c.F_SC, q.fall.left, p->coulomb_torque) + q.viscous);
    /* how many roundings come through to y from the terms of m - s, were all of them at their worst
     */
    const double terms = 0.5 * s + v + 2.5 * phi_z->Z * q.viscous + 4.5 * c.drop * q.fall.gone;
    if (fabs(q.torque_growth) * terms < 30 * q.growth * y) return stiction_least(y, most);
    const double refined = stiction_refine_power(phi_z, &c, falling, x, v);
    return stiction_least(isfinite(refined) ? refined : y, most);
}

#endif
