/* A number for bytes, FNV-1a of 64 bits: against accidents, not against people. */
#ifndef STICTION_TOOLS_SWEEP_FINGERPRINT_H
#define STICTION_TOOLS_SWEEP_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

#define FINGERPRINT_OF_NOTHING UINT64_C(14695981039346656037)

static inline uint64_t fingerprint(uint64_t before, const void *bytes, size_t size) {
    for (const unsigned char *b = bytes; size > 0; b++, size--)
        before = (before ^ *b) * UINT64_C(1099511628211);
    return before;
}

#endif
