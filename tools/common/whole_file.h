/*
 * A file that is written beside its place and moved there when it is whole: whoever reads it never
 * sees half of it, and a full disk leaves what was there.
 */
#ifndef STICTION_TOOLS_COMMON_WHOLE_FILE_H
#define STICTION_TOOLS_COMMON_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct whole_file {
    FILE *out; /* to write to */
    char *path, *part;
} whole_file;

/* False after a sentence on stderr: there is nothing to end then. */
bool whole_file_begin(whole_file *file, const char *path);
/* False after a sentence on stderr, where anything could not be written. */
bool whole_file_end(whole_file *file);

#endif
