/*
 * Memory that is freed all at once: what a file is read into.
 */
#ifndef STICTION_CAPI_DOCUMENT_ARENA_H
#define STICTION_CAPI_DOCUMENT_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

/* Start from all zeros. */
typedef struct arena {
    arena_block *last;
    size_t used, size; /* of the last block */
} arena;

/* Zeroed memory for any type, or NULL. */
void *arena_take(arena *a, size_t size);
/* A copy of `length` bytes with a 0 behind them, or NULL. */
char *arena_text(arena *a, const void *text, size_t length);
void arena_free(arena *a);

#endif
