/* SPDX-License-Identifier: MIT */
/* Numbers with 113 bits, and their exponential. */
#ifndef STICTION_TOOLS_BENCH_QUAD_H
#define STICTION_TOOLS_BENCH_QUAD_H

#include <float.h>

#if LDBL_MANT_DIG >= 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

/* e^x: Taylor's series of a small part, squared until it is the whole. */
static inline quad quad_exp(quad x) {
    int squares = 0;
    for (; x > (quad)0.0625 || x < (quad)-0.0625; squares++) x /= 2;
    quad sum = 1;
    for (int k = 20; k >= 1; k--) sum = 1 + sum * x / k;
    for (; squares > 0; squares--) sum *= sum;
    return sum;
}

#endif
