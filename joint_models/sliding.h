/* SPDX-License-Identifier: MIT
 * Shared by the sliding branches of the laws: g = 1 + Z D, F_SC = F_S - F_C and values derived from
 * them, in double-double arithmetic, so that each coefficient of a law is rounded once. Cisneros et
 * al., section IV, in the form that loses no digits.
 */
#ifndef STICTION_JOINT_MODELS_SLIDING_H
#define STICTION_JOINT_MODELS_SLIDING_H

#include <float.h>

#include "joint_models/double_double.h"
#include "stiction/models/law.h"

/* Z Phi(+0) - x for x >= 0, one rounding, so that its sign is exact: the joint slides where it is
 * negative. */
static inline double stiction_reserve(const stiction_phi_z *phi_z, double x) {
    return fma(phi_z->Z, phi_z->breakaway, -x);
}

/* F_SC = F_S - F_C without error. */
static inline dd stiction_f_sc(const stiction_law_parameters *p) {
    return dd_sum(p->static_torque, -p->coulomb_torque);
}

/* g = 1 + Z D. */
static inline dd stiction_g(const stiction_phi_z *phi_z) {
    return dd_add(dd_from(1), dd_product(phi_z->Z, phi_z->parameters.viscous));
}

/* kappa = Z F_SC/(v_S g), in [0, 1) where Z is legal. */
static inline dd stiction_kappa(const stiction_phi_z *phi_z) {
    const stiction_law_parameters *p = &phi_z->parameters;
    return dd_div(dd_mul(dd_from(phi_z->Z), stiction_f_sc(p)),
                  dd_mul(dd_from(p->stribeck_velocity), stiction_g(phi_z)));
}

/* 1/(v_S g), so that sigma = (|x| - Z F_S)/(v_S g) is this times (|x| - Z F_S). */
static inline dd stiction_sliding_rate(const stiction_phi_z *phi_z) {
    return dd_div(dd_from(1),
                  dd_mul(dd_from(phi_z->parameters.stribeck_velocity), stiction_g(phi_z)));
}

/* F_SC/g. */
static inline dd stiction_amplitude(const stiction_phi_z *phi_z) {
    return dd_div(stiction_f_sc(&phi_z->parameters), stiction_g(phi_z));
}

/* 1 + Z Phi'(+0) = g (1 - kappa). */
static inline double stiction_margin(const stiction_phi_z *phi_z) {
    return dd_round(dd_mul(stiction_g(phi_z), dd_sub(dd_from(1), stiction_kappa(phi_z))));
}

/* The integral of F_C + D v from a to b, both >= 0. */
static inline double stiction_line_work(const stiction_law_parameters *p, double a, double b) {
    /* no farther than where it could overflow: infinity times no way is NaN */
    return (b - a) * fmin(p->coulomb_torque + p->viscous * (a / 2 + b / 2), DBL_MAX);
}

/* The line (F_C + D |x|)/g that every sliding branch tends to. */
typedef struct stiction_line {
    double offset; /* F_C/g */
    double gain;   /* D/g */
} stiction_line;

static inline stiction_line stiction_line_of(const stiction_phi_z *phi_z) {
    const dd g = stiction_g(phi_z);
    return (stiction_line){dd_round(dd_div(dd_from(phi_z->parameters.coulomb_torque), g)),
                           dd_round(dd_div(dd_from(phi_z->parameters.viscous), g))};
}

static inline double stiction_line_at(stiction_line line, double x) {
    return fma(line.gain, fabs(x), line.offset);
}

#endif
