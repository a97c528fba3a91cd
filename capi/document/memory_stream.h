/*
 * A stream into memory. open_memstream of the C library loses what it has no memory for, and
 * neither ferror nor fclose tells: half a text would be taken for the whole.
 */
#ifndef STICTION_CAPI_DOCUMENT_MEMORY_STREAM_H
#define STICTION_CAPI_DOCUMENT_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/*
 * Behind fclose *text is what was written and a 0 behind it, to be freed, and *size its length.
 * Where memory ended fclose fails and *text is NULL. NULL: there is none for a stream.
 */
FILE *stiction_memory_stream(char **text, size_t *size);

#endif
