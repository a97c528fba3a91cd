/* SPDX-License-Identifier: MIT
 * A file that is written beside its place and moved there when it is whole.
 */
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"

static void release(storage_file *file) {
    free(file->path);
    free(file->part);
    *file = (storage_file){.out = NULL};
}

/* Opens the temporary file, locked, so that only one process writes it; what a killed process
 * left is overwritten. -1: errno says why. */
static int open_part(const char *part) {
    enum { most_tries = 100 }; /* each time another process has moved its file in between */
    for (int k = 0; k < most_tries; k++) {
        const int file = open(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0) return -1;
        const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0;
        const bool same = locked && storage_is_at(file, part);
        if (same && ftruncate(file, 0) == 0) return file;
        const int why = errno;
        if (same) (void)unlink(part); /* while it is locked */
        (void)close(file);
        errno = why;
        if (!locked || same) return -1;
    }
    errno = EWOULDBLOCK;
    return -1;
}

/* A terminal, a pipe, /dev/null: these are never replaced. */
static bool is_device(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool storage_file_begin(storage_file *file, const char *path) {
    const bool direct = is_device(path);
    *file =
        (storage_file){.path = strdup(path), .part = direct ? NULL : storage_beside(path, "part")};
    int part = -1;
    if (file->path && direct)
        part = open(path, O_WRONLY | O_CLOEXEC);
    else if (file->path && file->part)
        part = open_part(file->part);
    if (part >= 0) file->out = fdopen(part, "w");
    if (file->out) return true;
    if (part >= 0) {
        if (file->part) (void)unlink(file->part);
        (void)close(part);
    }
    release(file);
    return false;
}

/* Finds out why writing failed: the stream only knows that it did, so writing is tried once
 * more. */
static bool is_written(FILE *out) {
    if (!ferror(out)) return fflush(out) == 0;
    clearerr(out);
    errno = EIO;
    (void)(fputc('\n', out) == EOF || fflush(out) == 0);
    return false;
}

bool storage_file_end(storage_file *file) {
    bool fine = is_written(file->out);
    if (file->part) fine = fine && rename(file->part, file->path) == 0;
    const int why = errno;
    if (!fine && file->part) (void)unlink(file->part); /* while it is locked */
    (void)fclose(file->out);
    errno = why;
    release(file);
    return fine;
}

void storage_file_drop(storage_file *file) {
    if (file->part) (void)unlink(file->part);
    (void)fclose(file->out);
    release(file);
}

bool storage_file_write(const char *path, bool print(FILE *out, const void *context),
                        const void *context) {
    storage_file file;
    if (!storage_file_begin(&file, path)) return false;
    errno = ENOMEM; /* jansson may not set errno */
    if (print(file.out, context) || ferror(file.out)) return storage_file_end(&file);
    const int why = errno;
    storage_file_drop(&file);
    errno = why;
    return false;
}
