/*
 * The two real branches of Lambert's W: w e^w = z. Corless et al. 1996.
 * Within 0.7 ulp everywhere, next to the branch point -1/e included, in a few nanoseconds; from one
 * double to the next the result may go back by an ulp, as two roundings may. The double nearest to
 * -1/e lies just below it; it counts as -1/e.
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

/* The same of `count` numbers; the result may lie where they are. */
STICTION_API void stiction_lambert_w0_array(size_t count, const double *z, double *w);
STICTION_API void stiction_lambert_wm1_array(size_t count, const double *z, double *w);

STICTION_END_C

#endif
