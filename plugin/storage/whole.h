/* SPDX-License-Identifier: MIT
 * A file that is written beside its place (as .NAME.part) and moved there when it is whole: readers
 * never see a part of it, and after a full disk the old file is there. A link in its place is
 * replaced, never written through; a terminal, pipe or device is written to as it is.
 */
#ifndef STICTION_STORAGE_WHOLE_H
#define STICTION_STORAGE_WHOLE_H

#include <stdbool.h>
#include <stdio.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

typedef struct storage_file {
    FILE *out;         /* to write to */
    char *path, *part; /* no part: a device */
} storage_file;

/* False: errno says why, EWOULDBLOCK if another process writes the same file at this moment;
 * there is nothing to end then. */
bool storage_file_begin(storage_file *file, const char *path);
/* False: errno says why, and what was in the place stays. */
bool storage_file_end(storage_file *file);
/* Instead of the end: removes what was written, and the old file stays. */
void storage_file_drop(storage_file *file);
/* All of it. A `print` that fails without an error of the stream ran out of memory. False: errno
 * says why. */
bool storage_file_write(const char *path, bool print(FILE *out, const void *context),
                        const void *context);

STICTION_END_C

#endif
