/*
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

/* (e^r - 1 - r)/r^2, |r| <= ln(2)/2, error 1.0e-16 before rounding */
static const double exp_remainder[] = {
    0x1.0000000000001p-1,  0x1.5555555555558p-3,  0x1.5555555553d67p-5,  0x1.111111110f808p-7,
    0x1.6c16c1788a268p-10, 0x1.a01a01b009f14p-13, 0x1.a019b913df5b0p-16, 0x1.71ddf6ba528f9p-19,
    0x1.28917d4eec848p-22, 0x1.af631eb5eabd9p-26,
};

#endif
