/* SPDX-License-Identifier: MIT */
/* Small helpers for texts. */
#ifndef STICTION_CAPI_DOCUMENT_TEXT_H
#define STICTION_CAPI_DOCUMENT_TEXT_H

#include <stdbool.h>
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

#endif
