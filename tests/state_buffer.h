/* SPDX-License-Identifier: MIT */
/* The buffer of a saved state as others may forge it: where its numbers lie, and a checksum that is
 * right again after a change. For tests and for fuzzing. */
#ifndef STICTION_TESTS_STATE_BUFFER_H
#define STICTION_TESTS_STATE_BUFFER_H

#include <stdint.h>
#include <string.h>

#include "stiction/stiction.h"

enum {
    state_buffer_version = 8,
    state_buffer_bytes = 16,
    state_buffer_count = 24,
    state_buffer_checksum = 32,
    state_buffer_timestep = 40,
    state_buffer_header = 48,
    state_buffer_law = 0, /* within a joint */
    state_buffer_def = 32,
    state_buffer_memory = 32 + sizeof(stiction_joint_def),
    state_buffer_plain = 8, /* of these, what joints have that are no drives */
    state_buffer_numbers = 18,
    state_buffer_joint = state_buffer_memory + (state_buffer_numbers + 1) * sizeof(double)
};

/* Where the number `n` of the memory of a joint lies. */
static inline size_t state_buffer_number(size_t joint, size_t n) {
    return state_buffer_header + joint * state_buffer_joint + state_buffer_memory +
           n * sizeof(double);
}

/* FNV-1a over all behind the checksum. */
static inline void state_buffer_sign(unsigned char *buffer, size_t size) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = state_buffer_timestep; k < size; k++)
        hash = (hash ^ buffer[k]) * 0x100000001b3u;
    if (size >= state_buffer_timestep) memcpy(buffer + state_buffer_checksum, &hash, sizeof hash);
}

static inline void state_buffer_put(unsigned char *buffer, size_t size, size_t place,
                                    double value) {
    memcpy(buffer + place, &value, sizeof value);
    state_buffer_sign(buffer, size);
}

#endif
