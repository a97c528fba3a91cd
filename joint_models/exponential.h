/* SPDX-License-Identifier: MIT
 * Our own exponential and logarithm, so that every compiler, instruction set and C library gives
 * the same bits. Only +, -, *, /, fma and integer operations.
 * On the step path: no branch, no table, no denormal.
 */
#ifndef STICTION_JOINT_MODELS_EXPONENTIAL_H
#define STICTION_JOINT_MODELS_EXPONENTIAL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "approximations.h"

/* Where e^-x leaves the normal numbers; arguments are clamped to it. */
static const double stiction_exp_range = 708;

typedef struct stiction_exp_result {
    double value;     /* e^x, error below 1.4 ulp */
    double minus_one; /* e^x - 1, accurate for small x too: error below 4 ulp */
} stiction_exp_result;

/* Of numbers; fmin and fmax are calls. */
static inline double stiction_least(double a, double b) {
    return a < b ? a : b;
}

static inline double stiction_most(double a, double b) {
    return a > b ? a : b;
}

/* c[0] + c[1] x + ... by Horner's rule with fma. */
static inline double stiction_polynomial(const double *c, int degree, double x) {
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--) sum = fma(sum, x, c[k]);
    return sum;
}

/* x = n + r, |r| <= 1/2. */
typedef struct stiction_exp2_reduced {
    double r;
    double power; /* 2^n */
} stiction_exp2_reduced;

/* Free of error. Where |x| > 1022 the power is anything. */
static inline stiction_exp2_reduced stiction_exp2_reduce(double x) {
    /* adding 1.5 2^52 rounds to an integer and leaves it in the low bits */
    const double shift = 0x1.8p52, shifted = x + shift;

    /* 2^n from the low bits of the shifted sum */
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);

    return (stiction_exp2_reduced){x - (shifted - shift), power};
}

/* (2^r - 1)/r by pairs, after Estrin: a third of the latency of Horner's rule. */
static inline double stiction_exp2_secant(double r) {
    const double *c = exp2_secant, r2 = r * r, r4 = r2 * r2;
    const double c01 = fma(c[1], r, c[0]), c23 = fma(c[3], r, c[2]), c45 = fma(c[5], r, c[4]);
    const double c67 = fma(c[7], r, c[6]), c89 = fma(c[9], r, c[8]);
    const double c03 = fma(c23, r2, c01), c47 = fma(c67, r2, c45), c8a = fma(c[10], r2, c89);
    return fma(fma(c8a, r4, c47), r4, c03);
}

/* 2^x of x reduced: 2^n + 2^n r (2^r - 1)/r, in which 2^n r is free of error. */
static inline stiction_exp_result stiction_exp2_expand(stiction_exp2_reduced x) {
    const double secant = stiction_exp2_secant(x.r), scaled = x.power * x.r;
    return (stiction_exp_result){fma(scaled, secant, x.power), fma(scaled, secant, x.power - 1)};
}

/* e^x for |x| <= stiction_exp_range. */
static inline stiction_exp_result stiction_exp(double x) {
    const double log2_e = 0x1.71547652b82fep+0, log2_e_rest = 0x1.777d0ffda0d24p-56;
    const double product = x * log2_e;
    stiction_exp2_reduced reduced = stiction_exp2_reduce(product);
    reduced.r += fma(x, log2_e_rest, fma(x, log2_e, -product)); /* what rounding took */
    return stiction_exp2_expand(reduced);
}

/* ln x for a positive normal x, error a few units of 1e-16 of max(|ln x|, 1). */
double stiction_ln(double x);

/* x^a for x > 0 and a >= 1, with ln(x^a) clamped to +-stiction_exp_range. */
double stiction_power(double x, double a);

#endif
