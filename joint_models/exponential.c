/* SPDX-License-Identifier: MIT
 * Logarithm and power for the laws that have no closed form.
 * The series of atanh: ln m = 2 atanh((m - 1)/(m + 1)).
 * Same bits everywhere; off the step path of the closed forms.
 */
#include "exponential.h"

double stiction_ln(double x) {
    /* x = m 2^n with m in [sqrt(1/2), sqrt(2)) */
    int n;
    double m = frexp(x, &n);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        n--;
    }

    /* s <= 0.172, so s^22 is below the rounding */
    const double s = (m - 1) / (m + 1), s2 = s * s;
    double sum = 0;
    for (int k = 21; k >= 3; k -= 2) sum = fma(sum, s2, 1.0 / k);
    const double log_m = fma(2 * s, s2 * sum, 2 * s);
    const double ln2_hi = 0x1.62e42fefa39efp-1, ln2_lo = 0x1.abc9e3b39803fp-56;
    return fma(n, ln2_hi, fma(n, ln2_lo, log_m));
}

double stiction_power(double x, double a) {
    if (a == 2) return x * x;
    const double exponent = a * stiction_ln(x);
    return stiction_exp(fmin(fmax(exponent, -stiction_exp_range), stiction_exp_range)).value;
}
