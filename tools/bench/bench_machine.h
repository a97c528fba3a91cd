/* SPDX-License-Identifier: MIT
 * What a figure of the bench was measured on: the processor, its caches, and the instruction set
 * that the library has chosen for it.
 */
#ifndef STICTION_TOOLS_BENCH_BENCH_MACHINE_H
#define STICTION_TOOLS_BENCH_BENCH_MACHINE_H

#include <stddef.h>

/* Bytes of the caches for data that one core sees, by the system; where it does not say, a guess
 * that is rarely larger than the real size. */
typedef struct bench_caches {
    size_t first, second, last;
} bench_caches;

bench_caches bench_find_caches(void);

#endif
