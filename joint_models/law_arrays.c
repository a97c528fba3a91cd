/* SPDX-License-Identifier: MIT
 * Laws and Lambert's W over arrays: what Python and the like call once for many numbers.
 * The functions of law.h and lambert_w.h, one number after the other, to the bit.
 * May not compute anything itself.
 */
#include "stiction/models/lambert_w.h"
#include "stiction/models/law.h"

void stiction_phi_array(const stiction_law *law, const stiction_law_parameters *parameters,
                        size_t count, const double *v, double *phi) {
    for (size_t k = 0; k < count; k++) phi[k] = stiction_phi(law, parameters, v[k]);
}

void stiction_phi_slope_array(const stiction_law *law, const stiction_law_parameters *parameters,
                              size_t count, const double *v, double *slope) {
    for (size_t k = 0; k < count; k++) slope[k] = stiction_phi_slope(law, parameters, v[k]);
}

void stiction_phi_work_array(const stiction_law *law, const stiction_law_parameters *parameters,
                             size_t count, const double *a, const double *b, double *work) {
    for (size_t k = 0; k < count; k++) work[k] = stiction_phi_work(law, parameters, a[k], b[k]);
}

void stiction_phi_z_array(const stiction_phi_z *phi_z, size_t count, const double *x, double *y) {
    for (size_t k = 0; k < count; k++) y[k] = stiction_phi_z_at(phi_z, x[k]);
}

void stiction_phi_z_sticks_array(const stiction_phi_z *phi_z, size_t count, const double *x,
                                 unsigned char *sticks) {
    for (size_t k = 0; k < count; k++) sticks[k] = stiction_phi_z_sticks(phi_z, x[k]);
}

void stiction_phi_z_slope_array(const stiction_phi_z *phi_z, size_t count, const double *x,
                                double *slope) {
    for (size_t k = 0; k < count; k++) slope[k] = stiction_phi_z_slope(phi_z, x[k]);
}

void stiction_lambert_w0_array(size_t count, const double *z, double *w) {
    for (size_t k = 0; k < count; k++) w[k] = stiction_lambert_w0(z[k]);
}

void stiction_lambert_wm1_array(size_t count, const double *z, double *w) {
    for (size_t k = 0; k < count; k++) w[k] = stiction_lambert_wm1(z[k]);
}
