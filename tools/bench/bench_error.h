/* SPDX-License-Identifier: MIT */
/* How exact the Stribeck law is, measured in 113 bits. */
#ifndef STICTION_TOOLS_BENCH_BENCH_ERROR_H
#define STICTION_TOOLS_BENCH_BENCH_ERROR_H

#include <stddef.h>

/* The largest relative error of Phi_Z on so many legal parameter sets and arguments. */
double bench_largest_error(size_t sets);

#endif
