/* SPDX-License-Identifier: MIT
 * Worlds that are kept from one simulation to the next: reading a project with its robots and
 * compiling its model takes as long as many steps. One that is taken is as world_load would make it
 * now, to the bit, with the same warnings. For one thread.
 */
#ifndef STICTION_MUJOCO_WORLD_CACHE_H
#define STICTION_MUJOCO_WORLD_CACHE_H

#include "world.h"

STICTION_BEGIN_C

typedef struct world_cache world_cache;

/* NULL: no memory. */
world_cache *world_cache_create(void);
/* When all worlds are back. */
void world_cache_destroy(world_cache *c);

/*
 * As world_load; a world that was made from the same path with the same options is given again,
 * while all files that it was made from are as they were. Its model is as new.
 */
world *world_cache_take(world_cache *c, const char *path, const world_options *options,
                        stiction_error *error);
/* In place of world_destroy. */
void world_cache_return(world_cache *c, world *w);

/* How many were made, and how many were given again. */
void world_cache_count(const world_cache *c, size_t *made, size_t *again);

STICTION_END_C

#endif
