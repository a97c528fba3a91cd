/* SPDX-License-Identifier: MIT
 * Element C of one joint: Kikuuwe et al. 2006, (38), in one dimension.
 * Used by the step of any law and by the fast steps in closed form. No calls, no libm except fma.
 */
#ifndef STICTION_JOINT_MODELS_ELEMENT_C_H
#define STICTION_JOINT_MODELS_ELEMENT_C_H

#include <float.h>
#include <math.h>

#include "joint_models/fast/fast.h"

#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "doubles have more digits in registers than in memory (x87): -msse2 -mfpmath=sse"
#endif

/* (38a): v* */
static inline double element_c_input(double ZK, double u, double e) {
    return fma(ZK, e, u);
}

/* Z Phi(+0) - |x|, one rounding, so that its sign is exact: the joint slides where it is negative.
 */
static inline double element_c_reserve(double Z, double breakaway, double x) {
    return fma(Z, breakaway, -fabs(x));
}

static inline bool element_c_sticks(const stiction_element_c *c, double u, double e) {
    return element_c_reserve(c->Z, c->breakaway, element_c_input(c->ZK, u, e)) >= 0;
}

/* (38c) as a change, so that rest stays rest. */
static inline double element_c_deflect(double K, double TZ, double e, double f) {
    return fma(TZ, fma(-K, e, f), e);
}

#endif
