/* SPDX-License-Identifier: MIT
 * Local variables that are released when their scope ends.
 */
#ifndef STICTION_CAPI_DOCUMENT_AUTO_H
#define STICTION_CAPI_DOCUMENT_AUTO_H

#include <stdlib.h>
#include <string.h>

/* Calls a function of the variable's address: AUTO(manifest_free) manifest list = {.count = 0}; */
#define AUTO(release) __attribute__((cleanup(release)))

/* The same with free() for a pointer, which may be NULL. */
#define AUTO_FREE AUTO(free_pointer)
static inline void free_pointer(void *address) {
    void *memory;
    memcpy(&memory, address, sizeof memory);
    free(memory);
}

/* For pointers to a type: OWNS(world, world_destroy) at the top of a file, then
 * OWNED(world) *w = world_load(path, NULL, &error); */
#define OWNS(type, destroy)                                                                        \
    static inline void release_##type(type **pointer) {                                            \
        destroy(*pointer);                                                                         \
    }
#define OWNED(type) AUTO(release_##type) type

#endif
