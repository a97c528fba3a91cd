/* SPDX-License-Identifier: MIT
 * Counting allocations: malloc and its kin of the whole program, by standing in their way. Under a
 * sanitizer, which stands there already, nothing is counted and ALLOCATIONS_COUNTED is 0.
 */
#ifndef STICTION_TESTS_ALLOCATIONS_H
#define STICTION_TESTS_ALLOCATIONS_H

#include <stddef.h>

#include "sanitized.h"
#include "stiction/models/export.h"

static long allocations;

#ifdef SANITIZED
#define ALLOCATIONS_COUNTED 0
#else
#define ALLOCATIONS_COUNTED 1

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

STICTION_API void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}
STICTION_API void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}
STICTION_API void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}
#endif

#endif
