/* SPDX-License-Identifier: MIT
 * Lambert's W and units in the last place, by MPFR.
 */
#ifndef STICTION_TESTS_EXACT_W_H
#define STICTION_TESTS_EXACT_W_H

#include <math.h>
#include <mpfr.h>

/* 58 digits: a root that is ill-conditioned by 1e15 still has more than twice a double's. */
enum { precision = 192 };

/* |value - exact| in units in the last place of the exact result. */
static inline double ulps(double value, mpfr_t exact) {
    const double rounded = mpfr_get_d(exact, MPFR_RNDN);
    mpfr_t difference;
    mpfr_init2(difference, precision);
    mpfr_d_sub(difference, value, exact, MPFR_RNDN);
    int exponent;
    (void)frexp(rounded, &exponent);
    const double ulp = fmax(ldexp(1, exponent - 53), 0x1p-1074);
    const double result = fabs(mpfr_get_d(difference, MPFR_RNDN)) / ulp;
    mpfr_clear(difference);
    return result;
}

/* W of z on the branch of `start`, by Newton's method on w + ln|w| = ln|z|, quadratic from a start
 * that is right to 1e-16; next to the branch point it takes a few steps more. */
static inline void exact_w(mpfr_t w, double start, double z) {
    mpfr_t log_z, step, slope;
    mpfr_inits2(precision, log_z, step, slope, (mpfr_ptr)0);
    mpfr_set_d(log_z, fabs(z), MPFR_RNDN);
    mpfr_log(log_z, log_z, MPFR_RNDN);
    mpfr_set_d(w, start, MPFR_RNDN);
    for (int k = 0; k < 60; k++) {
        mpfr_abs(step, w, MPFR_RNDN);
        mpfr_log(step, step, MPFR_RNDN);
        mpfr_add(step, step, w, MPFR_RNDN);
        mpfr_sub(step, step, log_z, MPFR_RNDN);
        mpfr_add_ui(slope, w, 1, MPFR_RNDN); /* step / (1 + 1/w) */
        mpfr_div(slope, w, slope, MPFR_RNDN);
        mpfr_mul(step, step, slope, MPFR_RNDN);
        mpfr_sub(w, w, step, MPFR_RNDN);
        /* what is left is the square of the step, times 1e8 next to the branch point */
        if (mpfr_zero_p(step) || mpfr_get_exp(step) < mpfr_get_exp(w) - 60) break;
    }
    mpfr_clears(log_z, step, slope, (mpfr_ptr)0);
}

#endif
