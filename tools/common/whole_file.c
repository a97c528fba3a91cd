/*
 * A file that is written beside its place and moved there when it is whole.
 */
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static bool tell(const char *path) {
    return complain("%s: %s", path,
                    errno == EWOULDBLOCK ? "another process writes it at this moment"
                    : errno == EEXIST    ? "a file of the name that it has while it is written "
                                           "(.NAME.part) is beside it; move that away"
                                         : strerror(errno));
}

bool whole_file_begin(whole_file *file, const char *path) {
    return storage_file_begin(file, path) || tell(path);
}

bool whole_file_end(whole_file *file) {
    char *path = copy_text(file->path);
    const bool fine = storage_file_end(file) || tell(path);
    free(path);
    return fine;
}
