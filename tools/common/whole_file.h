/* SPDX-License-Identifier: MIT */
/* A file that is written as a whole (storage/whole.h), with errors for the user. */
#ifndef STICTION_TOOLS_COMMON_WHOLE_FILE_H
#define STICTION_TOOLS_COMMON_WHOLE_FILE_H

#include "command.h"
#include "storage/whole.h"

typedef storage_file whole_file;

/* Whether a file that the user names may be written: it does not exist, or `force` allows replacing
 * it. A file of results (storage/manifest.h) is never replaced; a terminal, a pipe and "-" may
 * always be written. */
bool whole_file_may_take(const char *path, bool force, stiction_error *error);
/* Whether two paths name the same file, which need not exist. False if one is NULL. */
bool whole_file_is_same(const char *path, const char *other);

/* False: there is nothing to end then. */
bool whole_file_begin(whole_file *file, const char *path, stiction_error *error);
/* False where anything could not be written. */
bool whole_file_end(whole_file *file, stiction_error *error);
/* A text into a file that may be written, or onto stdout (NULL). */
bool whole_file_write(const char *path, bool force, const char *text, stiction_error *error);

#endif
