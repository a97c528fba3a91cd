/*
 * R(p) = W0((p^2 - 1)/e)/(p^2 - 1): Lambert's W0 in its natural variable p = sqrt(1 + e z).
 * Corless et al. 1996, (4.22): W is analytic in p about the branch point, so R is on [0, 1].
 * On the step path: one division, no branch.
 */
#ifndef STICTION_JOINT_MODELS_LAMBERT_RATIO_H
#define STICTION_JOINT_MODELS_LAMBERT_RATIO_H

#include "exponential.h"

/* A polynomial of degree 6 by pairs, after Estrin. */
static inline double stiction_polynomial_6(const double *c, double p, double p2, double p4) {
    const double c01 = fma(c[1], p, c[0]), c23 = fma(c[3], p, c[2]), c45 = fma(c[5], p, c[4]);
    return fma(fma(c[6], p2, c45), p4, fma(c23, p2, c01));
}

/* p2 = p^2 is known before p, which is its root. */
static inline double stiction_lambert_ratio(double p, double p2) {
    const double p4 = p2 * p2;
    return stiction_polynomial_6(lambert_ratio_numerator, p, p2, p4) /
           stiction_polynomial_6(lambert_ratio_denominator, p, p2, p4);
}

#endif
