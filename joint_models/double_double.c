/* SPDX-License-Identifier: MIT
 * The exponential and the logarithm with about 30 digits.
 * Textbook argument reduction and Taylor series; Newton's method for the logarithm.
 * Not for the step path of the closed forms.
 */
#include "double_double.h"

#include "exponential.h"

/* ln 2 as the sum of two doubles. */
static const dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/* c + a b, |c| > |a b|. Its parts may overlap by some bits, which the next one does not mind: so
 * none waits for more than a product and a sum of the one before. */
static inline dd sum_of(dd c, dd a, dd b) {
    const double p = a.hi * b.hi, p_rest = fma(a.hi, b.hi, -p) + fma(a.hi, b.lo, a.lo * b.hi);
    const double s = c.hi + p;
    return (dd){s, (p - (s - c.hi)) + (c.lo + p_rest)};
}

/* The reduced argument is halved this often before the Taylor series. */
enum { halvings = 4 };

/* e^r - 1 for |r| <= ln(2)/2. */
static inline dd expm1_reduced(dd r) {
    const double scale = 1.0 / (1 << halvings);
    r = (dd){r.hi * scale, r.lo * scale};

    /* |r| <= 0.0217: r + r^2 (1/2! + r/3! + ...); from 1/7! on half the digits are enough */
    static const dd c[] = {{0x1p-1, 0},
                           {0x1.5555555555555p-3, 0x1.5555555555555p-57},
                           {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                           {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                           {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65}};
    static const double rest[] = {1.0 / 5040,     1.0 / 40320,     1.0 / 362880,    1.0 / 3628800,
                                  1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    dd sum = dd_from(stiction_polynomial(rest, 6, r.hi));
    for (int k = 4; k >= 0; k--) sum = sum_of(c[k], r, sum);
    dd e = sum_of(r, dd_mul(r, r), sum);

    /* e^(2r) - 1 = (e^r - 1)^2 + 2 (e^r - 1) keeps the relative precision */
    for (int k = 0; k < halvings; k++) e = sum_of((dd){2 * e.hi, 2 * e.lo}, e, e);
    return dd_quick_sum(e.hi, e.lo);
}

static dd scale_by(dd a, int n) {
    return (dd){ldexp(a.hi, n), ldexp(a.lo, n)};
}

static inline dd exp_minus(dd a, double one) {
    /* 2^n, |n| <= 1010, and n */
    const stiction_exp2_reduced reduced = stiction_exp2_reduce(a.hi / ln2.hi);
    const double n = a.hi / ln2.hi - reduced.r, power = reduced.power;
    const dd e = expm1_reduced(dd_sub(a, dd_mul(ln2, dd_from(n))));
    return dd_add((dd){e.hi * power, e.lo * power}, dd_sum(power, -one));
}

dd stiction_dd_exp(dd a) {
    return exp_minus(a, 0);
}

dd stiction_dd_expm1(dd a) {
    return exp_minus(a, 1);
}

dd stiction_dd_log(dd a) {
    /* Newton on the exponential, on the mantissa so that e^-log cannot overflow */
    int exponent;
    (void)frexp(a.hi, &exponent);
    const dd m = scale_by(a, -exponent);
    const double approximation = stiction_ln(m.hi);
    const dd step = dd_sub(dd_mul(m, stiction_dd_exp(dd_from(-approximation))), dd_from(1));
    /* log(1 + step) to second order; step is about 1e-16 */
    const dd correction = dd_sub(step, dd_from(step.hi * step.hi / 2));
    return dd_add(dd_add(dd_from(approximation), correction),
                  dd_mul(ln2, dd_from((double)exponent)));
}
