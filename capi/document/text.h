/* SPDX-License-Identifier: MIT */
/* Small helpers for texts and bytes. */
#ifndef STICTION_CAPI_DOCUMENT_TEXT_H
#define STICTION_CAPI_DOCUMENT_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A copy of the caller's, or NULL where there is no memory. */
static inline char *stiction_text_copy(const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = (char *)malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static inline bool stiction_text_ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), n = strlen(ending);
    return length >= n && strcmp(text + length - n, ending) == 0;
}

/* FNV-1a: notices damage, not forgery. */
static inline uint64_t stiction_checksum(const void *bytes, size_t size) {
    const unsigned char *byte = (const unsigned char *)bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < size; k++) hash = (hash ^ byte[k]) * 0x100000001b3u;
    return hash;
}

#endif
