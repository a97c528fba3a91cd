/* SPDX-License-Identifier: MIT
 * Our own cosine, so that every compiler, instruction set and C library gives the same bits.
 * Cody and Waite's reduction by quarters of a turn, then the series of sine or cosine on +-pi/4.
 * On the step path: no branch, no table.
 */
#ifndef STICTION_JOINT_MODELS_COSINE_H
#define STICTION_JOINT_MODELS_COSINE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Beyond it neighbouring numbers are so far apart that no angle is meant. */
static const double stiction_cosine_range = 0x1p48;

/* cos x, error below 1.2e-16 next to the rounding of x itself, |result| <= 1; |x| is clamped. */
static inline double stiction_cosine(double x) {
    const double two_over_pi = 0x1.45f306dc9c883p-1;
    const double quarter_hi = 0x1.921fb54442d18p+0, quarter_mid = 0x1.1a62633145c07p-54,
                 quarter_lo = -0x1.f1976b7ed8fbcp-110;
    const double range = stiction_cosine_range;
    x = x > range ? range : x < -range ? -range : x;

    /* x = n pi/2 + r + rest; adding 1.5 2^52 rounds to an integer and leaves it in the low bits */
    const double shift = 0x1.8p52, shifted = fma(x, two_over_pi, shift), n = shifted - shift;
    const double near = fma(-n, quarter_hi, x);
    const double r = fma(-n, quarter_mid, near);
    const double rest = fma(-n, quarter_mid, near - r) - n * quarter_lo;

    uint64_t quarter;
    memcpy(&quarter, &shifted, sizeof quarter);
    const double r2 = r * r;
    const double cosine_tail =
        fma(fma(fma(fma(fma(fma(-1.0 / 87178291200, r2, 1.0 / 479001600), r2, -1.0 / 3628800), r2,
                        1.0 / 40320),
                    r2, -1.0 / 720),
                r2, 1.0 / 24),
            r2 * r2, -r * rest);
    const double cosine = 1 + fma(-0.5, r2, cosine_tail);
    const double sine_tail =
        fma(fma(fma(fma(fma(fma(1.0 / 6227020800, r2, -1.0 / 39916800), r2, 1.0 / 362880), r2,
                        -1.0 / 5040),
                    r2, 1.0 / 120),
                r2, -1.0 / 6),
            r2 * r, rest);
    const double sine = r + sine_tail;
    /* cos, -sin, -cos, sin */
    const double magnitude = quarter & 1 ? sine : cosine;
    return (quarter + 1) & 2 ? -magnitude : magnitude;
}

#endif
