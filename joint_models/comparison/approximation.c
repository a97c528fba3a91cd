/* SPDX-License-Identifier: MIT
 * Approximations of Phi_Z for laws that have no exact one.
 * Kikuuwe et al. 2006, (46), (57), (59).
 * Continuous for every x, but off by about Z |Phi Phi'|: never used where an exact one exists.
 */
#include <math.h>

#include "joint_models/comparison/approximation.h"

double stiction_approximation_46(const stiction_law *law, const stiction_law_parameters *parameters,
                                 double Z, double x) {
    const double phi = stiction_phi(law, parameters, x);
    return fabs(x / Z) > fabs(phi) ? phi : x / Z; /* (46) */
}

/* Puts Phi(x) into y and says whether it stands: |x|/Z > |Phi(x)|. Else y is x/Z. */
static bool outside(const stiction_vector_law *law, double Z, size_t n, const double *x, double *y,
                    double *length, double *force) {
    *length = stiction_norm(n, x);
    if (*length > 0) {
        law->phi(law->context, n, x, y);
        *force = stiction_norm(n, y);
        if (*length / Z > *force) return true;
    }
    for (size_t k = 0; k < n; k++) y[k] = x[k] / Z;
    return false;
}

void stiction_map_57(const void *vector_law, double Z, size_t n, const double *x, double *y) {
    double length, force;
    (void)outside(vector_law, Z, n, x, y, &length, &force); /* (57) */
}

void stiction_map_59(const void *vector_law, double Z, size_t n, const double *x, double *y) {
    double length, force;
    if (!outside(vector_law, Z, n, x, y, &length, &force)) return;
    const double ratio = force / length;
    for (size_t k = 0; k < n; k++) y[k] += Z * ratio * (x[k] * ratio - y[k]); /* (59) */
}
