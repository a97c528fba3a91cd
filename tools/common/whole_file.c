/*
 * A file that is written beside its place and moved there when it is whole.
 */
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static void release(whole_file *file) {
    free(file->path);
    free(file->part);
    *file = (whole_file){.out = NULL};
}

bool whole_file_begin(whole_file *file, const char *path) {
    *file = (whole_file){.path = copy_text(path), .part = format_text("%s.part", path)};
    file->out = fopen(file->part, "w");
    if (file->out) return true;
    (void)complain("%s: %s", path, strerror(errno));
    release(file);
    return false;
}

bool whole_file_end(whole_file *file) {
    const bool written = !ferror(file->out);
    const bool fine = fclose(file->out) == 0 && written && rename(file->part, file->path) == 0;
    if (!fine) {
        (void)complain("%s: %s", file->path, strerror(errno));
        (void)remove(file->part);
    }
    release(file);
    return fine;
}
