/* SPDX-License-Identifier: MIT
 * R(p) = W0((p^2 - 1)/e)/(p^2 - 1): Lambert's W0 in its natural variable p = sqrt(1 + e z).
 * Corless et al. 1996, (4.22): W is analytic in p about the branch point, so R is on [0, 1].
 * On the step path: one division, no branch.
 */
#ifndef STICTION_JOINT_MODELS_LAMBERT_RATIO_H
#define STICTION_JOINT_MODELS_LAMBERT_RATIO_H

#include "exponential.h"

/* A polynomial of degree 6. What is even and odd in p needs only p^2, which is known before p, its
 * root: by the time that the root is there, one operation is left. */
static inline double stiction_polynomial_6(const double *c, double p, double p2) {
    const double even = fma(fma(fma(c[6], p2, c[4]), p2, c[2]), p2, c[0]);
    const double odd = fma(fma(c[5], p2, c[3]), p2, c[1]);
    return fma(odd, p, even);
}

/* p2 = p^2 */
static inline double stiction_lambert_ratio(double p, double p2) {
    return stiction_polynomial_6(lambert_ratio_numerator, p, p2) /
           stiction_polynomial_6(lambert_ratio_denominator, p, p2);
}

#endif
