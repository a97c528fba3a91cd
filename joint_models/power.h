/* SPDX-License-Identifier: MIT
 * Powers of any exponent without loss of digits: the logarithm as a sum of two numbers.
 * The series of atanh: ln m = 2 atanh((m - 1)/(m + 1)).
 * Same bits everywhere; off the step path of the closed forms.
 */
#ifndef STICTION_JOINT_MODELS_POWER_H
#define STICTION_JOINT_MODELS_POWER_H

#include "joint_models/double_double.h"
#include "joint_models/exponential.h"

/* ln x for a positive normal x, error below 2e-18 of max(|ln x|, 1). */
static inline dd stiction_ln_sum(double x) {
    /* x = m 2^n with m in [sqrt(1/2), sqrt(2)] */
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    double n = (double)((int)(bits >> 52) - 1023), m;
    bits = (bits & 0xfffffffffffff) | (uint64_t)1023 << 52;
    memcpy(&m, &bits, sizeof m);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m /= 2;
        n++;
    }

    /* s <= 0.172, so s^24 is far below the rounding; by pairs, which do not wait for each other */
    const dd d = dd_sum(1, m);
    const double s = (m - 1) / d.hi, s2 = s * s, s4 = s2 * s2;
    const double s_rest = (fma(-s, d.hi, m - 1) - s * d.lo) / d.hi;
    static const double c[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
                               1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};
    double sum = c[10];
    for (int k = 8; k >= 0; k -= 2) sum = fma(sum, s4, fma(c[k + 1], s2, c[k]));

    /* n ln 2 of 32 bits is free of error */
    const double ln2_high = 0x1.62e42feep-1, ln2_rest = 0x1.a39ef35793c76p-33;
    const dd head = dd_sum(n * ln2_high, 2 * s);
    return dd_quick_sum(head.hi, head.lo + fma(n, ln2_rest, fma(2 * s, s2 * sum, 2 * s_rest)));
}

/* x^a of ln x, error below 2 ulp, with ln(x^a) clamped to +-stiction_exp_range. */
static inline double stiction_power_of(dd ln, double a) {
    const double e = a * ln.hi, rest = fma(a, ln.hi, -e) + a * ln.lo;
    if (!(e < stiction_exp_range)) return stiction_exp(stiction_exp_range).value;
    if (!(e > -stiction_exp_range)) return stiction_exp(-stiction_exp_range).value;
    const double power = stiction_exp(e).value;
    return fma(power, rest, power);
}

/* ln(1 + x), x > -1, accurate for a small x too. */
static inline double stiction_ln_of_one_plus(double x) {
    const double z = x / (2 + x), z2 = z * z;
    if (fabs(z) > 0.1) return stiction_ln(1 + x);
    double sum = 0;
    for (int k = 15; k >= 1; k -= 2) sum = sum * z2 + 1.0 / k;
    return 2 * z * sum;
}

#endif
