/* SPDX-License-Identifier: MIT
 * The closed form of the Stribeck law with alpha = 1, for its law and its fast step: Cisneros et
 * al., (27), with W0 in its natural variable: psi = (p^2 - 1)/e, p^2 a sum of positive terms. In
 * three stages: -sigma, as an exponent of two, to (r, 2^n), these to (amplitude P, p), these to
 * |y|.
 */
#ifndef STICTION_JOINT_MODELS_LAWS_STRIBECK_H
#define STICTION_JOINT_MODELS_LAWS_STRIBECK_H

#include "joint_models/lambert_ratio.h"
#include "joint_models/sliding.h"

/* g = 1 + Z D, F_SC = F_S - F_C, kappa = Z F_SC/(v_S g) in [0, 1), h1 = kappa e^(1 - kappa) */
typedef struct stribeck_coefficients {
    stiction_line line;
    double amplitude;    /* F_SC/g e^(1 - kappa) */
    double rate;         /* log2 e/(v_S g), so that 2^(rate reserve) = e^-sigma */
    double h1;           /* in [0, 1) */
    double one_minus_h1; /* accurate next to 1 */
} stribeck_coefficients;
_Static_assert(sizeof(stribeck_coefficients) <= STICTION_LAW_COEFFICIENTS * sizeof(double),
               "all of them have room in stiction_phi_z");

/* A struct of nothing but doubles lies as an array of them does. */
static inline const stribeck_coefficients *stribeck_coefficients_of(const double *c) {
    return (const stribeck_coefficients *)(const void *)c;
}

/* The same where the numbers lie `stride` apart. */
static inline stribeck_coefficients stribeck_coefficients_at(const double *c, size_t stride) {
    return (stribeck_coefficients){.line = {c[0], c[stride]},
                                   .amplitude = c[2 * stride],
                                   .rate = c[3 * stride],
                                   .h1 = c[4 * stride],
                                   .one_minus_h1 = c[5 * stride]};
}

/* 1 - (1 - d) e^d = d^2 times the sum of d^k (k + 1)/(k + 2)!, for 0 <= d <= 1. */
static const double stribeck_h1_series[] = {
    1.0 / 2,
    2.0 / 6,
    3.0 / 24,
    4.0 / 120,
    5.0 / 720,
    6.0 / 5040,
    7.0 / 40320,
    8.0 / 362880,
    9.0 / 3628800,
    10.0 / 39916800,
    11.0 / 479001600,
    12.0 / 6227020800,
    13.0 / 87178291200,
    14.0 / 1307674368000,
    15.0 / 20922789888000,
    16.0 / 355687428096000,
    17.0 / 6402373705728000,
    18.0 / 121645100408832000,
};

/* What depends on F_SC, from F_SC/g, 1/v_S and 1/g. */
static inline void stribeck_set_fall(stribeck_coefficients *c, double Z, double amplitude,
                                     double inverse_v_S, double inverse_g) {
    const double log2_e = 0x1.71547652b82fep+0;
    const double kappa = Z * amplitude * inverse_v_S, d = 1 - kappa;
    const double e_d = stiction_exp(d).value;
    c->amplitude = amplitude * e_d;
    c->rate = log2_e * inverse_v_S * inverse_g;
    c->h1 = kappa * e_d;
    c->one_minus_h1 = stiction_polynomial(stribeck_h1_series, 17, d) * (d * d);
}

/* Below it P is constant: not so far out that its product with the amplitude is a subnormal. */
static const double stribeck_least_exponent = -995;

/* The first stage: e^-sigma as a power of two, no lower than 2^least. */
static inline stiction_exp2_reduced stribeck_decay(const stribeck_coefficients *c, double reserve,
                                                   double least) {
    const double exponent = c->rate * reserve;
    return stiction_exp2_reduce(exponent > least ? exponent : least); /* fmax is a call */
}

typedef struct stribeck_term {
    double scale; /* amplitude P, P = e^-sigma */
    double p, p2; /* p and p^2 */
} stribeck_term;

/* The second stage. */
static inline stribeck_term stribeck_term_of(const stribeck_coefficients *c,
                                             stiction_exp2_reduced decay) {
    /* P = power + scaled secant, and p^2 = (1 - h1) + h1 (1 - P) without waiting for P */
    const double secant = stiction_exp2_secant(decay.r), power = decay.power;
    const double scaled = power * decay.r, P = fma(scaled, secant, power);
    const double p2 = fma(-(c->h1 * scaled), secant, fma(c->h1, 1 - power, c->one_minus_h1));
    return (stribeck_term){c->amplitude * P, sqrt(p2), p2};
}

/* The third: |Phi_Z(x)| on the sliding branch, where `ratio` is R(p) of lambert_ratio.h. */
static inline double stribeck_sum(const stribeck_coefficients *c, double x, double scale,
                                  double ratio) {
    return fma(scale, ratio, stiction_line_at(c->line, x));
}

/* All three, from the reserve Z F_S - |x| < 0. */
static inline double stribeck_slide(const stribeck_coefficients *c, double x, double reserve) {
    const stribeck_term t =
        stribeck_term_of(c, stribeck_decay(c, reserve, stribeck_least_exponent));
    return stribeck_sum(c, x, t.scale, stiction_lambert_ratio(t.p, t.p2));
}

#endif
