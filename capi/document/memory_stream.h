/* SPDX-License-Identifier: MIT
 * A stream into memory. open_memstream of the C library loses what it has no memory for, and
 * neither ferror nor fclose tells: half a text would be taken for the whole.
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
