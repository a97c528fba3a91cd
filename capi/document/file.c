/* SPDX-License-Identifier: MIT */
/* Files: opening, reading, replacing. */
#define _XOPEN_SOURCE 700 /* mkstemp, realpath */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- problems ---- */

static void set_problem(file_problem *problem, const char *text) {
    *problem = (file_problem){.status = STICTION_INVALID_CONFIG};
    (void)snprintf(problem->text, sizeof problem->text, "%s", text);
}

static void set_errno(file_problem *problem) {
    set_problem(problem, strerror(errno));
    if (errno == ENOMEM) problem->status = STICTION_OUT_OF_MEMORY;
}

static void set_no_memory(file_problem *problem) {
    set_problem(problem, "out of memory");
    problem->status = STICTION_OUT_OF_MEMORY;
}

const char *stiction_file_size_text(uint64_t bytes, char text[FILE_SIZE_TEXT]) {
    static const struct {
        uint64_t bytes;
        const char *name;
    } units[] = {
        {UINT64_C(1) << 30, "GiB"}, {UINT64_C(1) << 20, "MiB"}, {UINT64_C(1) << 10, "KiB"}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        if (bytes < units[k].bytes) continue;
        /* upwards: a byte more than 16 MiB is more */
        const uint64_t whole = bytes / units[k].bytes, rest = bytes % units[k].bytes;
        const uint64_t tenths = 10 * whole + (10 * rest + units[k].bytes - 1) / units[k].bytes;
        if (tenths % 10)
            (void)snprintf(text, FILE_SIZE_TEXT, "%llu.%llu %s", (unsigned long long)tenths / 10,
                           (unsigned long long)tenths % 10, units[k].name);
        else
            (void)snprintf(text, FILE_SIZE_TEXT, "%llu %s", (unsigned long long)tenths / 10,
                           units[k].name);
        return text;
    }
    (void)snprintf(text, FILE_SIZE_TEXT, "%llu bytes", (unsigned long long)bytes);
    return text;
}

void stiction_file_set_too_large(uint64_t most, file_problem *problem) {
    char limit[FILE_SIZE_TEXT];
    *problem = (file_problem){.status = STICTION_INVALID_CONFIG};
    (void)snprintf(problem->text, sizeof problem->text,
                   "it is larger than %s, the most that is read",
                   stiction_file_size_text(most, limit));
}

/* ---- opening ---- */

/* What it is instead of a file. */
static const char *kind_of(mode_t mode) {
    return S_ISDIR(mode)    ? strerror(EISDIR)
           : S_ISFIFO(mode) ? "it is not a file but a pipe"
           : S_ISSOCK(mode) ? "it is not a file but a socket"
                            : "it is not a file but a device";
}

static bool is_readable(const struct stat *status, uint64_t most, file_problem *problem) {
    char size[FILE_SIZE_TEXT], limit[FILE_SIZE_TEXT];
    if (!S_ISREG(status->st_mode)) {
        set_problem(problem, kind_of(status->st_mode));
        problem->is_pipe = S_ISFIFO(status->st_mode);
        return false;
    }
    if ((uint64_t)status->st_size <= most) return true;
    *problem = (file_problem){.status = STICTION_INVALID_CONFIG};
    (void)snprintf(problem->text, sizeof problem->text, "it is %s; at most %s are read",
                   stiction_file_size_text((uint64_t)status->st_size, size),
                   stiction_file_size_text(most, limit));
    return false;
}

static _Thread_local stiction_file_watcher *watcher_here;
static _Thread_local void *watcher_user;

void stiction_file_watch(stiction_file_watcher *watcher, void *user) {
    watcher_here = watcher;
    watcher_user = user;
}

/* Asked before it is opened, since that alone makes some devices act, and of what was opened. */
static int open_regular(const char *path, uint64_t most, struct stat *status,
                        file_problem *problem) {
    if (stat(path, status) != 0) {
        set_errno(problem);
        return -1;
    }
    if (!is_readable(status, most, problem)) return -1;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) {
        set_errno(problem);
        return -1;
    }
    const bool is_known = fstat(file, status) == 0;
    if (!is_known) set_errno(problem);
    if (is_known && is_readable(status, most, problem)) {
        if (watcher_here) watcher_here(watcher_user, path);
        return file;
    }
    (void)close(file);
    return -1;
}

int stiction_file_open(const char *path, uint64_t most, file_problem *problem) {
    struct stat status;
    return open_regular(path, most, &status, problem);
}

FILE *stiction_file_stream(const char *path, uint64_t most, file_problem *problem) {
    const int file = stiction_file_open(path, most, problem);
    if (file < 0) return NULL;
    FILE *stream = fdopen(file, "rb");
    if (stream) return stream;
    set_errno(problem);
    (void)close(file);
    return NULL;
}

/* ---- reading ---- */

/* Up to `size` bytes; false with errno. */
static bool read_up_to(int file, char *to, size_t size, size_t *got) {
    *got = 0;
    while (*got < size) {
        const ssize_t more = read(file, to + *got, size - *got);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return false;
        if (more == 0) break;
        *got += (size_t)more;
    }
    return true;
}

/* One byte more than expected is asked for, so that its absence is the end. */
static char *read_all(arena *memory, int file, uint64_t expected, uint64_t most, size_t *size,
                      file_problem *problem) {
    char *text = NULL;
    uint64_t capacity = expected;
    *size = 0;
    for (;;) {
        size_t more;
        char *larger =
            capacity < SIZE_MAX ? stiction_arena_take(memory, (size_t)capacity + 1) : NULL;
        if (!larger) {
            set_no_memory(problem);
            return NULL;
        }
        if (*size) memcpy(larger, text, *size);
        text = larger;
        if (!read_up_to(file, text + *size, (size_t)capacity + 1 - *size, &more)) {
            set_errno(problem);
            return NULL;
        }
        *size += more;
        if (*size <= capacity) {
            text[*size] = '\0';
            return text;
        }
        if (capacity == most) {
            stiction_file_set_too_large(most, problem);
            return NULL;
        }
        capacity = capacity < most / 2 ? 2 * capacity + 4096 : most;
        if (capacity > most) capacity = most;
    }
}

char *stiction_file_read(arena *memory, const char *path, uint64_t most, size_t *size,
                         file_problem *problem) {
    struct stat status;
    const int file = open_regular(path, most, &status, problem);
    if (file < 0) return NULL;
    char *text = read_all(memory, file, (uint64_t)status.st_size, most, size, problem);
    (void)close(file);
    return text;
}

/* ---- replacing ---- */

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

/* A name is on the disk when its folder is. There are file systems that cannot sync a folder; they
 * cannot do better. The path begins at the root. */
static bool sync_above(const char *path) {
    const size_t length = (size_t)(strrchr(path, '/') - path);
    char *above = strndup(path, length ? length : 1);
    const int folder = above ? open(above, O_RDONLY | O_CLOEXEC) : -1;
    const bool fine = folder >= 0 && (fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP);
    const int why = errno;
    if (folder >= 0) (void)close(folder);
    free(above);
    errno = why;
    return fine;
}

/* Beside the file, `part` becomes the name of what is written. */
static bool write_beside(const char *path, char *part, const char *text, size_t size) {
    struct stat status;
    if (stat(path, &status) != 0 || access(path, W_OK) != 0) return false;
    const int file = mkstemp(part);
    if (file < 0) return false;
    bool fine = write_all(file, text, size, status.st_mode & 07777);
    int why = errno;
    if (close(file) != 0 && fine) {
        why = errno;
        fine = false;
    }
    if (fine && rename(part, path) == 0) return sync_above(path);
    if (fine) why = errno;
    (void)unlink(part);
    errno = why;
    return false;
}

bool stiction_file_replace(const char *path, const char *text, size_t size, file_problem *problem) {
    static const char ending[] = ".XXXXXX";
    char *real = realpath(path, NULL), *part = NULL;
    if (real) part = malloc(strlen(real) + sizeof ending);
    if (part) (void)sprintf(part, "%s%s", real, ending);
    const bool fine = part && write_beside(real, part, text, size);
    if (!fine) set_errno(problem);
    free(real);
    free(part);
    return fine;
}
