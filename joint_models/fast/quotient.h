/* SPDX-License-Identifier: MIT
 * A quotient from multiplications: the bits of a/b without the processor's divider, which is slower
 * and busy with the square root. quotient.md has the proof.
 * Only integers, products and fma, so that loops of it become vectors of any width.
 */
#ifndef STICTION_JOINT_MODELS_FAST_QUOTIENT_H
#define STICTION_JOINT_MODELS_FAST_QUOTIENT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Where the proof holds, numerators in magnitude, or 0, and positive denominators: nothing on the
 * way leaves the normal numbers. */
#define STICTION_QUOTIENT_LEAST 0x1p-400
#define STICTION_QUOTIENT_MOST  0x1p400

/* About 1/b, off by less than 4.4e-11 of it. */
static inline double quotient_guess(double b) {
    /* the exponent negated and a line for the mantissa: off by at most 0.0506 of it */
    uint64_t bits;
    memcpy(&bits, &b, sizeof bits);
    bits = 0x7fde623000000000 - bits;
    double y;
    memcpy(&y, &bits, sizeof y);

    /* 1/b = y/(1 - e) = y (1 + e) (1 + e^2) (1 + e^4) ... */
    const double e = fma(-b, y, 1), e2 = e * e, e4 = e2 * e2;
    y = fma(y, e, y);
    y = fma(y, e2, y);
    return fma(y, e4, y);
}

/* 1/b from the guess: before it is rounded to a number it is too large by 2^-88 to 2^-85 of it.
 * Without that bias it would be rounded to the wrong side where b is just below a power of two. */
static inline double quotient_inverse(double b, double guess) {
    const double e = fma(-b, guess, 1), bias = 0x1p-86;
    return fma(guess, fma(e, e, e) + bias, guess);
}

static inline double stiction_quotient(double a, double b) {
    const double guess = quotient_guess(b), inverse = quotient_inverse(b, guess);
    /* within one unit in the last place, and the remainder of a is exact */
    const double near_by = a * guess, q = fma(fma(-b, near_by, a), guess, near_by);
    return fma(fma(-b, q, a), inverse, q); /* Markstein */
}

#endif
