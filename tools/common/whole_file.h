/* A file that is whole (storage/whole.h), for a command that complains. */
#ifndef STICTION_TOOLS_COMMON_WHOLE_FILE_H
#define STICTION_TOOLS_COMMON_WHOLE_FILE_H

#include "storage/whole.h"

typedef storage_file whole_file;

/* False after a sentence on stderr: there is nothing to end then. */
bool whole_file_begin(whole_file *file, const char *path);
/* False after a sentence on stderr, where anything could not be written. */
bool whole_file_end(whole_file *file);

#endif
