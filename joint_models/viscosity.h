/* SPDX-License-Identifier: MIT
 * The viscosity of all laws: D v, or D (v/1 rad/s)^p with another exponent than 1. Where p is 1, or
 * D is 0, the laws have their closed forms; else viscous_slide.h.
 * Same bits everywhere: own exponential and logarithm, no libm but fma.
 */
#ifndef STICTION_JOINT_MODELS_VISCOSITY_H
#define STICTION_JOINT_MODELS_VISCOSITY_H

#include "joint_models/power.h"
#include "joint_models/sliding.h"

/* Fast motion to a high power must not overflow: the torque of no machine is so large, and with it
 * the bristle bears what STICTION_SPRING_LIMIT lets it. */
static const double stiction_viscous_limit = 0x1p390;

static inline bool stiction_viscosity_is_linear(const stiction_law_parameters *p) {
    return p->viscous_exponent == 1 || p->viscous_exponent == 0 || !(p->viscous > 0);
}

/* D v^p at v > 0, whose logarithm is known. */
static inline double stiction_viscous_power(const stiction_law_parameters *p, dd ln_v) {
    return stiction_least(p->viscous * stiction_power_of(ln_v, p->viscous_exponent),
                          stiction_viscous_limit);
}

/* The viscous torque at v >= 0. */
static inline double stiction_viscous_torque(const stiction_law_parameters *p, double v) {
    if (stiction_viscosity_is_linear(p)) return p->viscous * v;
    if (v < DBL_MIN) return 0;
    return v > DBL_MAX ? v : stiction_viscous_power(p, stiction_ln_sum(v));
}

/* Phi from its dry part and v. */
static inline double stiction_add_viscous(const stiction_law_parameters *p, double v, double dry) {
    if (!(p->viscous > 0)) return dry;
    return stiction_viscosity_is_linear(p) ? fma(p->viscous, v, dry)
                                           : dry + stiction_viscous_torque(p, v);
}

/* Its slope: at rest 0 where p > 1; where p < 1 no bound would be right there, and it is the
 * largest number. */
static inline double stiction_viscous_slope(const stiction_law_parameters *p, double v) {
    if (stiction_viscosity_is_linear(p)) return p->viscous;
    const double e = p->viscous_exponent;
    if (v < DBL_MIN) return e < 1 ? DBL_MAX : 0;
    if (v > DBL_MAX) return e < 1 ? 0 : DBL_MAX;
    return fmin(e * (stiction_viscous_torque(p, v) / v), DBL_MAX);
}

/* The integral of D v^p, p not 1, from a to b, both >= 0. */
static inline double stiction_power_work(const stiction_law_parameters *p, double a, double b) {
    const double high = fmax(a, b), low = fmin(a, b), n = p->viscous_exponent + 1;
    /* D high^n/n (1 - (low/high)^n), in which the difference keeps its digits */
    double part = 1;
    if (low > 0x1p-60 * high && high <= DBL_MAX) {
        const double ln = stiction_ln_of_one_plus(-((high - low) / high));
        part = -stiction_exp(fmax(n * ln, -stiction_exp_range)).minus_one;
    }
    return copysign(stiction_viscous_torque(p, high) / n * part * high, b - a);
}

/* The integral of F_C and the viscous torque from a to b, both >= 0. */
static inline double stiction_smooth_work(const stiction_law_parameters *p, double a, double b) {
    return stiction_viscosity_is_linear(p)
               ? stiction_line_work(p, a, b)
               : (b - a) * p->coulomb_torque + stiction_power_work(p, a, b);
}

#endif
