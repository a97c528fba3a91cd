/*
 * The whole of a file: what is read is bounded, and no device is waited for; what is replaced is
 * whole before or after.
 */
#ifndef STICTION_CAPI_DOCUMENT_FILE_H
#define STICTION_CAPI_DOCUMENT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"

enum { FILE_PROBLEM = 128 };

/* Its bytes and a 0 behind them; NULL: the problem says why ("No such file or directory"). */
char *stiction_file_read(arena *memory, const char *path, size_t most, size_t *size,
                         char problem[FILE_PROBLEM]);

/*
 * Puts a text in the place of a file that is there, whose mode and links stay: written beside it,
 * synced, renamed, so that whatever happens one of the two is there whole. False: the problem says
 * why, and the file is as it was.
 */
bool stiction_file_replace(const char *path, const char *text, size_t size,
                           char problem[FILE_PROBLEM]);

#endif
