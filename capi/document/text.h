/* Texts that somebody else frees. */
#ifndef STICTION_CAPI_DOCUMENT_TEXT_H
#define STICTION_CAPI_DOCUMENT_TEXT_H

#include <stdlib.h>
#include <string.h>

/* A copy of the caller's, or NULL where there is no memory. */
static inline char *stiction_text_copy(const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = (char *)malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

#endif
