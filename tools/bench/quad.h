/* SPDX-License-Identifier: MIT */
/* Numbers with 113 bits. */
#ifndef STICTION_TOOLS_BENCH_QUAD_H
#define STICTION_TOOLS_BENCH_QUAD_H

#include <float.h>

#if LDBL_MANT_DIG >= 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

#endif
