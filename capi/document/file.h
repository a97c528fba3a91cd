/*
 * The whole of a file: what is read is bounded, and no device is waited for.
 */
#ifndef STICTION_CAPI_DOCUMENT_FILE_H
#define STICTION_CAPI_DOCUMENT_FILE_H

#include <stddef.h>

#include "arena.h"

enum { FILE_PROBLEM = 128 };

/* Its bytes and a 0 behind them; NULL: the problem says why ("No such file or directory"). */
char *stiction_file_read(arena *memory, const char *path, size_t most, size_t *size,
                         char problem[FILE_PROBLEM]);

#endif
