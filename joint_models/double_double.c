/*
 * The exponential and the logarithm with about 30 digits.
 * Textbook argument reduction and Taylor series; Newton's method for the logarithm.
 * Not for the step path of the closed forms.
 */
#include "double_double.h"

#include "exponential.h"

/* ln 2 as the sum of two doubles. */
static const dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/* The reduced argument is halved this often before the Taylor series. */
enum { halvings = 9, terms = 10 };

/* e^r - 1 for |r| <= ln(2)/2. */
static dd expm1_reduced(dd r) {
    const double scale = 1.0 / (1 << halvings);
    r = (dd){r.hi * scale, r.lo * scale};

    /* Taylor by Horner: 1 + r/2 (1 + r/3 (1 + ...)) */
    dd sum = dd_from(1);
    for (int k = terms; k >= 2; k--) sum = dd_add(dd_from(1), dd_div(dd_mul(r, sum), dd_from(k)));
    dd e = dd_mul(r, sum);

    /* e^(2r) - 1 = (e^r - 1)^2 + 2 (e^r - 1) keeps the relative precision */
    for (int k = 0; k < halvings; k++) e = dd_add(dd_mul(e, e), (dd){2 * e.hi, 2 * e.lo});
    return e;
}

static dd scale_by(dd a, int n) {
    return (dd){ldexp(a.hi, n), ldexp(a.lo, n)};
}

static dd exp_minus(dd a, double one) {
    const double n = floor(a.hi / ln2.hi + 0.5);
    const dd r = dd_sub(a, dd_mul(ln2, dd_from(n)));
    const dd e = expm1_reduced(r);
    const dd power = dd_from(ldexp(1, (int)n));
    return dd_add(scale_by(e, (int)n), dd_sub(power, dd_from(one)));
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
