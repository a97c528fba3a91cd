/* SPDX-License-Identifier: MIT
 * The two real branches of Lambert's W: w e^w = z. Corless et al. 1996.
 * The error is below 0.7 ulp everywhere, including near the branch point -1/e. Because of rounding,
 * the result is monotonic only within one ulp. The double nearest to -1/e is just below it and is
 * treated as -1/e.
 */
#ifndef STICTION_MODELS_LAMBERT_W_H
#define STICTION_MODELS_LAMBERT_W_H

#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* W0(z) >= -1 for z >= -1/e; NaN below. W0(inf) = inf. */
STICTION_API double stiction_lambert_w0(double z);

/* W-1(z) <= -1 for -1/e <= z < 0; -inf at z = -0 and z = 0; NaN elsewhere. */
STICTION_API double stiction_lambert_wm1(double z);

/* The same for arrays of `count` numbers; input and result may be the same array. */
STICTION_API void stiction_lambert_w0_array(size_t count, const double *z, double *w);
STICTION_API void stiction_lambert_wm1_array(size_t count, const double *z, double *w);

STICTION_END_C

#endif
