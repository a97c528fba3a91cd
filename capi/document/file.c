/* The whole of a file. */
#define _XOPEN_SOURCE 700 /* mkstemp, realpath */
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why it cannot be read as a whole; NULL: it can. Pipes have no size. */
static const char *examine(FILE *file, struct stat *status) {
    if (fstat(fileno(file), status) != 0) return strerror(errno);
    if (S_ISDIR(status->st_mode)) return strerror(EISDIR);
    return S_ISREG(status->st_mode) || S_ISFIFO(status->st_mode) ? NULL : "it is not a file";
}

static char *read_all(arena *memory, FILE *file, size_t expected, size_t most, size_t *size,
                      char problem[FILE_PROBLEM]) {
    char *text = NULL;
    size_t capacity = expected < most ? expected : most;
    *size = 0;
    for (;;) {
        char *larger = stiction_arena_take(memory, capacity + 1);
        if (!larger) {
            (void)snprintf(problem, FILE_PROBLEM, "out of memory");
            return NULL;
        }
        if (*size) memcpy(larger, text, *size);
        text = larger;
        *size += fread(text + *size, 1, capacity + 1 - *size, file);
        if (ferror(file)) {
            (void)snprintf(problem, FILE_PROBLEM, "%s", strerror(errno));
            return NULL;
        }
        if (*size <= capacity) {
            text[*size] = '\0';
            return text;
        }
        if (capacity == most) {
            (void)snprintf(problem, FILE_PROBLEM, "it is larger than %zu MiB", most >> 20);
            return NULL;
        }
        capacity = capacity < most / 2 ? 2 * capacity + 4096 : most;
    }
}

char *stiction_file_read(arena *memory, const char *path, size_t most, size_t *size,
                         char problem[FILE_PROBLEM]) {
    struct stat status;
    FILE *file = fopen(path, "rbe");
    const char *refusal = file ? examine(file, &status) : strerror(errno);
    char *text = NULL;
    if (refusal)
        (void)snprintf(problem, FILE_PROBLEM, "%s", refusal);
    else
        text = read_all(memory, file, (size_t)status.st_size, most, size, problem);
    if (file) (void)fclose(file);
    return text;
}

/* All of it, with the mode of the file that it replaces, and on the disk. */
static bool write_all(int file, const char *text, size_t size, mode_t mode) {
    while (size) {
        const ssize_t written = write(file, text, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text += written;
        size -= (size_t)written;
    }
    return fchmod(file, mode) == 0 && fsync(file) == 0;
}

/* Beside the file, `part` becomes the name of what is written. */
static bool write_beside(const char *path, char *part, const char *text, size_t size) {
    struct stat status;
    if (stat(path, &status) != 0 || access(path, W_OK) != 0) return false;
    const int file = mkstemp(part);
    if (file < 0) return false;
    bool fine = write_all(file, text, size, status.st_mode & 07777);
    const int why = errno;
    fine = close(file) == 0 && fine;
    if (fine && rename(part, path) == 0) return true;
    if (!fine) errno = why;
    (void)unlink(part);
    return false;
}

bool stiction_file_replace(const char *path, const char *text, size_t size,
                           char problem[FILE_PROBLEM]) {
    static const char ending[] = ".XXXXXX";
    char *real = realpath(path, NULL), *part = NULL;
    if (real) part = malloc(strlen(real) + sizeof ending);
    if (part) (void)sprintf(part, "%s%s", real, ending);
    const bool fine = part && write_beside(real, part, text, size);
    if (!fine) (void)snprintf(problem, FILE_PROBLEM, "%s", strerror(errno));
    free(real);
    free(part);
    return fine;
}
