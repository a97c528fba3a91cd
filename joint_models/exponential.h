/*
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
    double value;     /* e^x, error below 0.6 ulp */
    double minus_one; /* e^x - 1, accurate for small x too */
} stiction_exp_result;

/* c[0] + c[1] x + ... by Horner's rule with fma. */
static inline double stiction_polynomial(const double *c, int degree, double x) {
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--) sum = fma(sum, x, c[k]);
    return sum;
}

/* x = n ln 2 + r, |r| <= ln(2)/2. */
typedef struct stiction_exp_reduced {
    double r;
    double power; /* 2^n */
} stiction_exp_reduced;

static inline stiction_exp_reduced stiction_exp_reduce(double x) {
    const double log2_e = 0x1.71547652b82fep+0;
    const double ln2_hi = 0x1.62e42fefa39efp-1, ln2_lo = 0x1.abc9e3b39803fp-56;

    /* adding 1.5 2^52 rounds to an integer and leaves it in the low bits */
    const double shift = 0x1.8p52;
    const double shifted = fma(x, log2_e, shift);
    const double n = shifted - shift;

    /* 2^n from the low bits of the shifted sum */
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);

    return (stiction_exp_reduced){fma(-n, ln2_lo, fma(-n, ln2_hi, x)), power};
}

/* (e^r - 1 - r)/r^2 by pairs, after Estrin: a third of the latency of Horner's rule. */
static inline double stiction_exp_remainder(double r, double r2) {
    const double *c = exp_remainder, r4 = r2 * r2;
    const double c01 = fma(c[1], r, c[0]), c23 = fma(c[3], r, c[2]), c45 = fma(c[5], r, c[4]);
    const double c67 = fma(c[7], r, c[6]), c89 = fma(c[9], r, c[8]);
    return fma(fma(fma(c89, r2, c67), r2, c45), r4, fma(c23, r2, c01));
}

static inline stiction_exp_result stiction_exp_expand(stiction_exp_reduced x) {
    const double r2 = x.r * x.r;
    const double e = fma(r2, stiction_exp_remainder(x.r, r2), x.r); /* e^r - 1 */
    return (stiction_exp_result){fma(x.power, e, x.power), fma(x.power, e, x.power - 1)};
}

/* e^x for |x| <= stiction_exp_range. */
static inline stiction_exp_result stiction_exp(double x) {
    return stiction_exp_expand(stiction_exp_reduce(x));
}

/* ln x for a positive normal x, error a few units of 1e-16 of max(|ln x|, 1). */
double stiction_log(double x);

/* x^a for x > 0 and a >= 1, with ln(x^a) clamped to +-stiction_exp_range. */
double stiction_power(double x, double a);

#endif
