/* SPDX-License-Identifier: MIT
 * A few threads that wait for work and do it together with the caller.
 */
#ifndef STICTION_CAPI_POOL_H
#define STICTION_CAPI_POOL_H

#include <stddef.h>

typedef struct pool pool;

/* One part of the work. */
typedef void (*pool_work)(void *context, size_t part);

/* `threads` in all, the caller's among them. NULL: they cannot be had. */
pool *stiction_pool_create(size_t threads);
void stiction_pool_destroy(pool *p);

/* Does parts 0 to before `parts`; returns when all are done. One caller at a time. */
void stiction_pool_run(pool *p, pool_work work, void *context, size_t parts);

#endif
