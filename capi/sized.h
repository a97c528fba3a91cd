/* SPDX-License-Identifier: MIT
 * Structs that begin with their size: a caller who was compiled with an older header knows fewer
 * fields than we, one with a newer header more. What one side does not know stays at its default.
 */
#ifndef STICTION_CAPI_SIZED_H
#define STICTION_CAPI_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "document/fail.h"

/* Where a field ends: the size of a struct whose last field it was. */
#define SIZED_END(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Reads a caller's struct over our own, which holds the defaults. False: its size is below `least`,
 * the size of the first version, so it did not come from the default function. */
static inline bool sized_read(void *own, size_t own_size, const void *callers, size_t least) {
    size_t size;
    memcpy(&size, callers, sizeof size);
    if (size < least) return false;
    memcpy(own, callers, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return true;
}

/* Reads a caller's struct over *own, or returns an error; `last` is the last field of the first
 * version, and `what` names the struct in the message. */
#define READ_SIZED(type, own, callers, last, what, error)                                          \
    REQUIRE(sized_read(own, sizeof(type), callers, SIZED_END(type, last)), error,                  \
            "the size of the " what " is %zu; start from " #type "_default()", (callers)->size)

#endif
