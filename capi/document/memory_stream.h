/* SPDX-License-Identifier: MIT
 * A stream into memory. The C library's open_memstream drops what does not fit in memory without
 * reporting it by ferror or fclose, so that a truncated text would be taken for the whole.
 */
#ifndef STICTION_CAPI_DOCUMENT_MEMORY_STREAM_H
#define STICTION_CAPI_DOCUMENT_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/*
 * After fclose, *text is what was written with a terminating 0, to be freed, and *size its length.
 * When memory runs out, fclose fails and *text is NULL. Returns NULL if it cannot be made.
 */
FILE *stiction_memory_stream(char **text, size_t *size);

#endif
