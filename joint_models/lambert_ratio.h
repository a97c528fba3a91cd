/*
 * R(p) = W0((p^2 - 1)/e)/(p^2 - 1): Lambert's W0 in its natural variable p = sqrt(1 + e z).
 * Corless et al. 1996, (4.22): W is analytic in p about the branch point, so R is on [0, 1].
 * On the step path: one division, no branch.
 */
#ifndef STICTION_JOINT_MODELS_LAMBERT_RATIO_H
#define STICTION_JOINT_MODELS_LAMBERT_RATIO_H

#include "exponential.h"

static inline double stiction_lambert_ratio(double p) {
    return stiction_polynomial(lambert_ratio_numerator, 6, p) /
           stiction_polynomial(lambert_ratio_denominator, 6, p);
}

#endif
