/* SPDX-License-Identifier: MIT
 * Approximations of Phi_Z where no exact one is known. Kikuuwe et al. 2006, (46), (57), (59).
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_APPROXIMATION_H
#define STICTION_JOINT_MODELS_COMPARISON_APPROXIMATION_H

#include "joint_models/element.h"

STICTION_BEGIN_C

/* Any Phi as a map of n components, for the approximations. Phi(0) may be anything. */
typedef void (*stiction_phi_map)(const void *context, size_t n, const double *x, double *y);

/* K (46) and (57): Phi outside, x/Z inside. `context` is a stiction_vector_law. */
typedef struct stiction_vector_law {
    stiction_phi_map phi;
    const void *context;
} stiction_vector_law;
void stiction_map_57(const void *vector_law, double Z, size_t n, const double *x, double *y);
/* K (59): the same with a correction for laws whose force is not along the velocity. */
void stiction_map_59(const void *vector_law, double Z, size_t n, const double *x, double *y);
/* K (46) of a scalar law. */
double stiction_approximation_46(const stiction_law *law, const stiction_law_parameters *parameters,
                                 double Z, double x);

STICTION_END_C

#endif
