/* SPDX-License-Identifier: MIT */
/* Memory that is freed all at once, in blocks that grow with the need. */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    arena_block *previous;
    alignas(max_align_t) unsigned char bytes[];
};

struct arena_owned {
    arena_owned *previous;
    void (*finish)(void *);
    void *memory;
};

enum { first_block = 4096, largest_block = 1 << 20 };

static int add_block(arena *a, size_t needed) {
    size_t size = a->size ? 2 * a->size : first_block;
    if (size > largest_block) size = largest_block;
    if (size < needed) size = needed;
    arena_block *block = calloc(1, sizeof *block + size);
    if (!block) return 0;
    block->previous = a->last;
    a->last = block;
    a->used = 0;
    a->size = size;
    return 1;
}

void *stiction_arena_take(arena *a, size_t size) {
    const size_t step = alignof(max_align_t);
    if (size > SIZE_MAX / 2) return NULL;
    size = size ? (size + step - 1) / step * step : step;
    if (a->size - a->used < size && !add_block(a, size)) return NULL;
    void *memory = a->last->bytes + a->used;
    a->used += size;
    return memory;
}

void *stiction_arena_own(arena *a, size_t size, void (*finish)(void *)) {
    arena_owned *owned = stiction_arena_take(a, sizeof *owned);
    void *memory = owned ? stiction_arena_take(a, size) : NULL;
    if (!memory) return NULL;
    *owned = (arena_owned){a->owned, finish, memory};
    a->owned = owned;
    return memory;
}

char *stiction_arena_text(arena *a, const void *text, size_t length) {
    char *copy = stiction_arena_take(a, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

void stiction_arena_free(arena *a) {
    arena whole = *a; /* which may lie in its own memory */
    *a = (arena){0};
    for (const arena_owned *o = whole.owned; o; o = o->previous) o->finish(o->memory);
    while (whole.last) {
        arena_block *block = whole.last;
        whole.last = block->previous;
        free(block);
    }
}
