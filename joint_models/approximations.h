/* SPDX-License-Identifier: MIT
 * Coefficients printed by tools/make_coefficients.py, lowest degree first.
 * Do not edit: run the script.
 */
#ifndef STICTION_JOINT_MODELS_APPROXIMATIONS_H
#define STICTION_JOINT_MODELS_APPROXIMATIONS_H

/* R(p) = W0((p^2 - 1)/e)/(p^2 - 1), 0 <= p <= 1, relative error 8.1e-18 before rounding */
static const double lambert_ratio_numerator[] = {
    0x1.0000000000000p+0, 0x1.f7641bdadcb6fp+0,  0x1.510542c3b2324p+0,   0x1.64aa7212986d5p-2,
    0x1.f97111e9f5dbcp-6, 0x1.460893876f35fp-12, -0x1.0ef02bfebc704p-18,
};

/* its denominator */
static const double lambert_ratio_denominator[] = {
    0x1.0000000000000p+0, 0x1.b0b70121683a7p+1, 0x1.1b9067c475e4fp+2, 0x1.69c34fb7a5c70p+1,
    0x1.ccb6163172e21p-1, 0x1.0a17073a1782ep-3, 0x1.9675381405315p-8,
};

/* (2^r - 1)/r, |r| <= 1/2, error 1.2e-17 before rounding */
static const double exp2_secant[] = {
    0x1.62e42fefa39efp-1,  0x1.ebfbdff82c598p-3,  0x1.c6b08d704a0cbp-5,  0x1.3b2ab6fba1dd9p-7,
    0x1.5d87fe78a2cc0p-10, 0x1.43091309701bcp-13, 0x1.ffcbfc7440d1fp-17, 0x1.62bfd476c114ap-20,
    0x1.b524dcba77e1ep-24, 0x1.e60640b357c48p-28, 0x1.ea044461a5bb4p-32,
};

#endif
