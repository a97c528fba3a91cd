/* SPDX-License-Identifier: MIT
 * Memory that is freed all at once: what a file is read into.
 */
#ifndef STICTION_CAPI_DOCUMENT_ARENA_H
#define STICTION_CAPI_DOCUMENT_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;
typedef struct arena_owned arena_owned;

/* Start from all zeros. It may be copied; one of the copies is freed. */
typedef struct arena {
    arena_block *last;
    size_t used, size; /* of the last block */
    arena_owned *owned;
} arena;

/* Zeroed memory for any type, or NULL. */
void *stiction_arena_take(arena *a, size_t size);
/* The same, for which `finish` is called before it is freed, the last taken first. */
void *stiction_arena_own(arena *a, size_t size, void (*finish)(void *));
/* A copy of `length` bytes with a terminating 0, or NULL. */
char *stiction_arena_text(arena *a, const void *text, size_t length);
void stiction_arena_free(arena *a);

#endif
