/* SPDX-License-Identifier: MIT
 * Lambert's W on its two real branches as polynomials in cells; lambert_cells.c holds them, printed
 * by tools/make_coefficients.py.
 * W = c[0] + c[1] t + ... + c[10] t^10 with t the argument less the cell's center. Centers are such
 * that c[0] is W there to a thousandth of its last place.
 * A binade has eight cells, so that the first three bits of a mantissa choose one; a cell's half
 * width is at most a fourteenth of the distance to the next singularity.
 */
#ifndef STICTION_JOINT_MODELS_LAMBERT_CELLS_H
#define STICTION_JOINT_MODELS_LAMBERT_CELLS_H

enum { STICTION_LAMBERT_DEGREE = 10 };

typedef struct stiction_lambert_cell {
    double center;
    double c[STICTION_LAMBERT_DEGREE + 1];
} stiction_lambert_cell;

/* Of this library alone, so that its code need not look their addresses up. */
#pragma GCC visibility push(hidden)

/* About the branch point, both branches: in sqrt(z + 1/e) for W0, in -sqrt(z + 1/e) for W-1, up to
 * 2^-6. */
extern const stiction_lambert_cell stiction_lambert_branch[1];

/* By z + 1/e from 2^-12 on, in z. Next to z = 0 they are of W0/z - 1 in the place of W0: 1/4 to
 * 9/16, where `quotients` is 1 and not 0. */
extern const stiction_lambert_cell stiction_lambert_w0_shifted[176]; /* to 2^10 */
extern const double stiction_lambert_w0_quotients[176];
extern const stiction_lambert_cell stiction_lambert_wm1_shifted[80]; /* to 2^-2 */
/* By -z from 2^-9 to 2^-3, in z. */
extern const stiction_lambert_cell stiction_lambert_wm1_plain[48];

/* By the exponent of |z| = 2^n sqrt(2) m, in (n - center) ln 2 + ln m, |ln m| <= ln(2)/2. Where
 * exponents have more than four bits, a cell holds several. */
extern const stiction_lambert_cell stiction_lambert_w0_exponents[55];  /* n = 9 .. 1023 */
extern const stiction_lambert_cell stiction_lambert_wm1_exponents[55]; /* -n = 10 .. 1074 */

/* 1/c and ln(c/sqrt(2)) in turns, for c in the middle of 64 parts of the mantissas from 1 to 2; and
 * (ln(1 + r) - r)/r^2 for what is left. */
extern const double stiction_lambert_logarithms[128], stiction_lambert_log1p[5];

#pragma GCC visibility pop

#endif
