/* SPDX-License-Identifier: MIT
 * Arithmetic with about 31 digits: a number as the unevaluated sum of two doubles.
 * Dekker 1971, with fma for the exact product. Used where coefficients are prepared and where a
 * root is ill-conditioned; may not be used on the step path of the closed forms.
 */
#ifndef STICTION_JOINT_MODELS_DOUBLE_DOUBLE_H
#define STICTION_JOINT_MODELS_DOUBLE_DOUBLE_H

#include <math.h>

typedef struct dd {
    double hi, lo;
} dd;

static inline dd dd_from(double a) {
    return (dd){a, 0};
}

static inline double dd_round(dd a) {
    return a.hi + a.lo;
}

/* a + b without error, |a| >= |b|. */
static inline dd dd_quick_sum(double a, double b) {
    const double s = a + b;
    return (dd){s, b - (s - a)};
}

/* a + b without error. */
static inline dd dd_sum(double a, double b) {
    const double s = a + b, bb = s - a;
    return (dd){s, (a - (s - bb)) + (b - bb)};
}

/* a b without error. */
static inline dd dd_product(double a, double b) {
    const double p = a * b;
    return (dd){p, fma(a, b, -p)};
}

static inline dd dd_neg(dd a) {
    return (dd){-a.hi, -a.lo};
}

static inline dd dd_add(dd a, dd b) {
    const dd s = dd_sum(a.hi, b.hi), t = dd_sum(a.lo, b.lo);
    const dd u = dd_quick_sum(s.hi, s.lo + t.hi);
    return dd_quick_sum(u.hi, u.lo + t.lo);
}

static inline dd dd_sub(dd a, dd b) {
    return dd_add(a, dd_neg(b));
}

static inline dd dd_mul(dd a, dd b) {
    const dd p = dd_product(a.hi, b.hi);
    return dd_quick_sum(p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi));
}

static inline dd dd_div(dd a, dd b) {
    const double q1 = a.hi / b.hi;
    const dd r = dd_sub(a, dd_mul(b, dd_from(q1)));
    const double q2 = r.hi / b.hi;
    const dd r2 = dd_sub(r, dd_mul(b, dd_from(q2)));
    const dd q = dd_quick_sum(q1, q2);
    return dd_add(q, dd_from(r2.hi / b.hi));
}

/* e^a for |a| < 700, relative error below 1e-28. */
dd stiction_dd_exp(dd a);

/* e^a - 1 for |a| < 700, relative error below 1e-28. */
dd stiction_dd_expm1(dd a);

/* The natural logarithm of a positive normal number, absolute error below 1e-28. */
dd stiction_dd_log(dd a);

#endif
