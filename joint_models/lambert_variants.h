/* SPDX-License-Identifier: MIT
 * The copies of lambert_w.c, one an instruction set: they define names that end in _avx2 and the
 * like, see fast/variant.h.
 */
#ifndef STICTION_JOINT_MODELS_LAMBERT_VARIANTS_H
#define STICTION_JOINT_MODELS_LAMBERT_VARIANTS_H

#include "joint_models/fast/variant.h"

double stiction_w0_in_cells(double z);
double stiction_wm1_in_cells(double z);

/* stiction_lambert_w0 and stiction_lambert_wm1 of one instruction set. */
typedef struct stiction_lambert_pair {
    double (*w0)(double z), (*wm1)(double z);
} stiction_lambert_pair;

/* For the test that all give the same bits; both NULL if there is no such variant or the processor
 * cannot run it. */
stiction_lambert_pair stiction_lambert_variant(stiction_variant variant);

#endif
