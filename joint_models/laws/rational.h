/* SPDX-License-Identifier: MIT
 * The closed form of the rational law, for its law and its fast step: Cisneros et al., (44) without
 * cancellation.
 */
#ifndef STICTION_JOINT_MODELS_LAWS_RATIONAL_H
#define STICTION_JOINT_MODELS_LAWS_RATIONAL_H

#include "joint_models/sliding.h"

/* g = 1 + Z D, F_SC = F_S - F_C */
typedef struct rational_coefficients {
    stiction_line line;
    double amplitude;       /* F_SC/g */
    double rate;            /* 1/(v_S g), so that sigma = -rate reserve */
    double kappa;           /* Z F_SC/(v_S g), in [0, 1) */
    double one_minus_kappa; /* accurate next to 1 */
} rational_coefficients;
_Static_assert(sizeof(rational_coefficients) <= STICTION_LAW_COEFFICIENTS * sizeof(double),
               "all of them have room in stiction_phi_z");

/* A struct of nothing but doubles lies as an array of them does. */
static inline const rational_coefficients *rational_coefficients_of(const double *c) {
    return (const rational_coefficients *)(const void *)c;
}

/* The same where the numbers lie `stride` apart. */
static inline rational_coefficients rational_coefficients_at(const double *c, size_t stride) {
    return (rational_coefficients){.line = {c[0], c[stride]},
                                   .amplitude = c[2 * stride],
                                   .rate = c[3 * stride],
                                   .kappa = c[4 * stride],
                                   .one_minus_kappa = c[5 * stride]};
}

/* What depends on F_SC, from F_SC/g, 1/v_S and 1/g. */
static inline void rational_set_fall(rational_coefficients *c, double Z, double amplitude,
                                     double inverse_v_S, double inverse_g) {
    c->amplitude = amplitude;
    c->rate = inverse_v_S * inverse_g;
    c->kappa = Z * amplitude * inverse_v_S;
    /* an error of 1e-16 here is one of half as much in the divisor, which is above 1 */
    c->one_minus_kappa = 1 - c->kappa;
}

/* The stable root of the quadratic (43) in sigma = s/(v_S g): what divides 2 amplitude. */
static inline double rational_divisor(const rational_coefficients *c, double reserve) {
    const double sigma = -(c->rate * reserve), kappa = c->kappa, a = c->one_minus_kappa + sigma;
    return 1 + kappa + sigma + sqrt(fma(a, a, 4 * kappa * sigma));
}

/* What it divides. */
static inline double rational_amplitude(const rational_coefficients *c) {
    return 2 * c->amplitude;
}

/* |Phi_Z(x)| on the sliding branch, from the quotient of the two. */
static inline double rational_sum(const rational_coefficients *c, double x, double quotient) {
    return stiction_line_at(c->line, x) + quotient;
}

/* The same from the reserve Z F_S - |x| < 0. */
static inline double rational_slide(const rational_coefficients *c, double x, double reserve) {
    return rational_sum(c, x, rational_amplitude(c) / rational_divisor(c, reserve));
}

#endif
