/* SPDX-License-Identifier: MIT
 * Lambert's W on its two real branches, to 0.66 ulp. Corless et al. 1996 has its series.
 * The bits of the argument choose a cell, whose polynomial is the result: no iteration, no
 * division, nothing of a library but fma and, next to the branch point, the root.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lambert_cells.h"
#include "stiction/models/lambert_w.h"

/* ---- which cell ---- */

static inline uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Which eighth of which binade x lies in, counted from 0; beyond all numbers if x < 0 or NaN. */
static inline uint64_t eighth(double x) {
    return bits_of(x) >> 49;
}

/* The same of an integer of four bits or less times a power of two, as a constant. */
static inline uint64_t eighth_of(unsigned from_8_to_15, int exponent) {
    return (uint64_t)(1023 + 3 + exponent) << 3 | (from_8_to_15 & 7);
}

/* The double nearest to -1/e, which lies below it: z less it chooses the cell. */
static const double branch_point = -0x1.78b56362cef38p-2;

/* ---- its polynomial ---- */

/* By pairs, after Estrin. The first coefficient is most of the value, so that the last operation
 * has most of the error. */
static inline double value_in(const stiction_lambert_cell *cell, double t) {
    const double *c = cell->c, t2 = t * t, t4 = t2 * t2;
    const double c12 = fma(c[2], t, c[1]), c34 = fma(c[4], t, c[3]), c56 = fma(c[6], t, c[5]);
    const double c78 = fma(c[8], t, c[7]), c9a = fma(c[10], t, c[9]);
    const double c14 = fma(c34, t2, c12), c58 = fma(c78, t2, c56);
    return fma(fma(fma(c9a, t4, c58), t4, c14), t, c[0]);
}

/* In z: the difference has no error but in cells of W0/z - 1, where it is too small to show. */
static inline double value_at(const stiction_lambert_cell *cell, double z) {
    return value_in(cell, z - cell->center);
}

/* z about the branch point, or below it; direction 1 is W0, -1 is W-1. */
static double value_near_branch(double z, double direction) {
    const double inverse_e_rest = -0x1.ca8a4270fadf5p-57; /* 1/e + branch_point */
    if (!(z >= branch_point)) return (double)NAN;
    /* z + 1/e: the first sum has no error; negative at -1/e rounded */
    const double above = (z - branch_point) + inverse_e_rest;
    return value_in(stiction_lambert_branch, direction * sqrt(above > 0 ? above : 0));
}

/* x = 2^exponent sqrt(2) e^log, |log| <= ln(2)/2. */
typedef struct magnitude {
    double exponent, log;
} magnitude;

/* Of a normal x > 0. The error of the logarithm, 2^-54, is small beside a W of 5 and more. */
static inline magnitude magnitude_of(double x) {
    const uint64_t bits = bits_of(x), one = bits_of(1), mantissa = (UINT64_C(1) << 52) - 1;
    const double *part = &stiction_lambert_logarithms[(bits >> 46 & 63) * 2];
    const double r = fma(double_of((bits & mantissa) | one), part[0], -1), r2 = r * r;
    const double *c = stiction_lambert_log1p;
    const double rest = fma(fma(c[4], r2, fma(c[3], r, c[2])), r2, fma(c[1], r, c[0]));
    return (magnitude){(double)((int)(bits >> 52) - 1023), part[1] + fma(rest, r2, r)};
}

static inline double value_of_magnitude(const stiction_lambert_cell *cell, magnitude m) {
    const double ln2 = 0x1.62e42fefa39efp-1;
    return value_in(cell, fma(m.exponent - cell->center, ln2, m.log));
}

/* ---- the two branches ---- */

double stiction_lambert_w0(double z) {
    const uint64_t k = eighth(z - branch_point) - eighth_of(8, -15);
    if (k < sizeof stiction_lambert_w0_shifted / sizeof *stiction_lambert_w0_shifted) {
        const double value = value_at(&stiction_lambert_w0_shifted[k], z);
        /* z + z (W0/z - 1) or 0 + 1 W0, without a branch: arguments about zero come in no order */
        const double quotient = stiction_lambert_w0_quotients[k], offset = quotient * z;
        return fma((1 - quotient) + offset, value, offset);
    }
    if (!(z > 1)) return value_near_branch(z, 1);
    if (z > DBL_MAX) return z;
    const magnitude m = magnitude_of(z);
    const uint64_t n = eighth(m.exponent) - eighth_of(9, 0);
    return value_of_magnitude(&stiction_lambert_w0_exponents[n], m);
}

double stiction_lambert_wm1(double z) {
    const uint64_t k = eighth(z - branch_point) - eighth_of(8, -15);
    if (k < sizeof stiction_lambert_wm1_shifted / sizeof *stiction_lambert_wm1_shifted)
        return value_at(&stiction_lambert_wm1_shifted[k], z);
    const uint64_t j = eighth(-z) - eighth_of(8, -12);
    if (j < sizeof stiction_lambert_wm1_plain / sizeof *stiction_lambert_wm1_plain)
        return value_at(&stiction_lambert_wm1_plain[j], z);
    if (z == 0) return -(double)INFINITY;
    if (!(z > -0.25 && z < 0)) return z > 0 ? (double)NAN : value_near_branch(z, -1);
    const bool subnormal = z > -DBL_MIN;
    magnitude m = magnitude_of(subnormal ? z * -0x1p54 : -z);
    if (subnormal) m.exponent -= 54;
    const uint64_t n = eighth(-m.exponent) - eighth_of(10, 0);
    return value_of_magnitude(&stiction_lambert_wm1_exponents[n], m);
}
