/* SPDX-License-Identifier: MIT
 * Calls that write, counted and made to fail at will. A library to preload, or part of a test
 * program, where calls that look fail, too, and nothing is synced. Streams write inside the C
 * library, where they cannot be intercepted: those that are opened for writing, and stdout where
 * it is preloaded, are replaced by streams of our own.
 */
#define _GNU_SOURCE /* RTLD_NEXT, fopencookie */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim.h"

static faults_page *page;
static long memory_at, write_at;
static bool counts_memory, counts_writes, fails_on, traces;
static int write_error = ENOSPC;

/* ---- what fails ---- */

#ifdef FAULTS_PRELOADED
static const bool is_preloaded = true;
static bool is_in_pattern(long after) {
    (void)after;
    return false;
}
#else
static const bool is_preloaded = false;
static unsigned failing;
static bool is_in_pattern(long after) {
    return after < 32 && failing >> after & 1U;
}
#endif

/* Under tools/coverage.py a process writes its counts at its end, and does not bear any failure.
 * Only what is registered while the program runs comes before that. */
static bool spares_end;

static void end(void) {
    counts_writes = counts_memory = false;
}

static void spare_end(void) {
    if (spares_end && atexit(end) != 0) abort();
    spares_end = false;
}

static bool hits(atomic_long *counter, long at, const char *call, const char *path) {
    spare_end();
    const long n = atomic_fetch_add(counter, 1) + 1;
    if (!at || n < at || (n > at && !fails_on && !is_in_pattern(n - at))) return false;
    if (atomic_fetch_add(&page->injected, 1) == 0) {
        void *calls[32];
        if (traces) backtrace_symbols_fd(calls, backtrace(calls, 32), STDERR_FILENO);
        (void)snprintf(page->call, sizeof page->call, "%s", call);
        (void)snprintf(page->path, sizeof page->path, "%.500s", path);
    }
    return true;
}

bool faults_fails_memory(void) {
    return counts_memory && hits(&page->allocations, memory_at, "an allocation", "");
}

static bool fails(const char *call, const char *path) {
    if (!counts_writes || !hits(&page->writes, write_at, call, path)) return false;
    errno = write_error;
    return true;
}

/* ---- paths ---- */

static void path_of_file(int file, char path[PATH_MAX]) {
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
}

/* From the root, without . and doubled slashes; links stay. */
static void path_from_root(int folder, const char *path, char whole[PATH_MAX]) {
    char before[PATH_MAX] = "", joined[2 * PATH_MAX];
    if (path[0] != '/' && folder == AT_FDCWD && !getcwd(before, sizeof before)) before[0] = '\0';
    if (path[0] != '/' && folder != AT_FDCWD) path_of_file(folder, before);
    (void)snprintf(joined, sizeof joined, "%s/%s", before, path);
    size_t n = 0;
    for (const char *part = joined; *part;) {
        const size_t length = strcspn(part, "/");
        if (length && !(length == 1 && part[0] == '.') && n + length + 1 < PATH_MAX) {
            whole[n++] = '/';
            memcpy(whole + n, part, length);
            n += length;
        }
        part += length + (part[length] == '/');
    }
    whole[n] = '\0';
}

/* A file whose contents stay: not a pipe, a terminal, a device or a file in memory (memfd_create,
 * which no disk has, and whose close cannot fail). stdout is one of ours, too. */
static bool is_watched(int file) {
    struct stat status;
    char path[PATH_MAX];
    if (fstat(file, &status) != 0) return false;
    if (file == STDOUT_FILENO || S_ISDIR(status.st_mode)) return true;
    if (!S_ISREG(status.st_mode)) return false;
    path_of_file(file, path);
    return strncmp(path, "/memfd:", 7) != 0;
}

static bool is_written(int file) {
    const int flags = fcntl(file, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && is_watched(file);
}

/* ---- opening ---- */

static int open_any(int folder, const char *path, int flags, mode_t mode) {
    REAL(openat);
    if (!counts_writes || (flags & O_ACCMODE) == O_RDONLY) {
        const bool looks = !is_preloaded && counts_writes;
        if (!(flags & O_CREAT) && !looks) return real(folder, path, flags, mode);
        if (!counts_writes) return real(folder, path, flags, mode);
    }
    char whole[PATH_MAX];
    path_from_root(folder, path, whole);
    const bool device = strncmp(whole, "/dev/", 5) == 0 && strncmp(whole, "/dev/shm/", 9) != 0;
    if (device || strncmp(whole, "/proc/", 6) == 0) return real(folder, path, flags, mode);
    return fails("open", whole) ? -1 : real(folder, path, flags, mode);
}

static mode_t mode_after(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

/* FOLDER: the folder of the path, which openat is given as its first parameter. */
#define OPEN(name, folder, ...)                                                                    \
    SHOWN int name(__VA_ARGS__ const char *path, int flags, ...) {                                 \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        const mode_t mode = mode_after(flags, arguments);                                          \
        va_end(arguments);                                                                         \
        return open_any(folder, path, flags, mode);                                                \
    }
#define IN_FOLDER int folder,
OPEN(open, AT_FDCWD, )
OPEN(open64, AT_FDCWD, )
OPEN(openat, folder, IN_FOLDER)
OPEN(openat64, folder, IN_FOLDER)

int __open_2(const char *path, int flags);
SHOWN int __open_2(const char *path, int flags) {
    return open_any(AT_FDCWD, path, flags, 0);
}

SHOWN int creat(const char *path, mode_t mode) {
    return open_any(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

static int make_temporary(char *pattern, int flags) {
    REAL(mkostemp);
    return fails("open", pattern) ? -1 : real(pattern, flags);
}

SHOWN int mkstemp(char *pattern) {
    return make_temporary(pattern, 0);
}

SHOWN int mkostemp(char *pattern, int flags) {
    return make_temporary(pattern, flags);
}

SHOWN char *mkdtemp(char *pattern) {
    REAL(mkdtemp);
    return fails("mkdir", pattern) ? NULL : real(pattern);
}

/* ---- writing ---- */

/* A disk that is full takes the first half. */
static ssize_t write_any(int file, const void *data, size_t size, off_t offset) {
    REAL(write);
    static __typeof__(&pwrite) real_at;
    if (!real_at) shim_find(&real_at, "pwrite");
    const bool watched = counts_writes && is_watched(file);
    char path[PATH_MAX] = "";
    if (watched) path_of_file(file, path);
    const bool failed = watched && fails("write", path);
    if (failed) size /= 2;
    const ssize_t written = offset < 0 ? real(file, data, size) : real_at(file, data, size, offset);
    if (failed) errno = write_error;
    return failed ? -1 : written;
}

SHOWN ssize_t write(int file, const void *data, size_t size) {
    return write_any(file, data, size, -1);
}

SHOWN ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
    return write_any(file, data, size, offset);
}

SHOWN ssize_t pwrite64(int file, const void *data, size_t size, off_t offset) {
    return write_any(file, data, size, offset);
}

/* As one that was cut short after its first part. */
SHOWN ssize_t writev(int file, const struct iovec *parts, int count) {
    int k = 0;
    while (k < count && !parts[k].iov_len) k++;
    return k < count ? write_any(file, parts[k].iov_base, parts[k].iov_len, -1) : 0;
}

static int truncate_any(int file, off_t size) {
    REAL(ftruncate);
    char path[PATH_MAX];
    path_of_file(file, path);
    if (counts_writes && is_watched(file) && fails("ftruncate", path)) return -1;
    return real(file, size);
}

SHOWN int ftruncate(int file, off_t size) {
    return truncate_any(file, size);
}

SHOWN int ftruncate64(int file, off_t size) {
    return truncate_any(file, size);
}

static int sync_any(int file, const char *name, int (*real)(int)) {
    char path[PATH_MAX];
    path_of_file(file, path);
    if (counts_writes && is_watched(file) && fails(name, path)) return -1;
    return is_preloaded ? real(file) : 0;
}

SHOWN int fsync(int file) {
    REAL(fsync);
    return sync_any(file, "fsync", real);
}

SHOWN int fdatasync(int file) {
    REAL(fdatasync);
    return sync_any(file, "fdatasync", real);
}

/* Whatever it says, the file is closed. */
SHOWN int close(int file) {
    REAL(close);
    char path[PATH_MAX] = "";
    const bool written = counts_writes && is_written(file);
    if (written) path_of_file(file, path);
    const bool failed = written && fails("close", path);
    const int result = real(file);
    if (failed) errno = EIO;
    return failed ? -1 : result;
}

/* ---- names ---- */

static int rename_any(int folder, const char *from, int other, const char *to, unsigned flags) {
    REAL(renameat2);
    char path[PATH_MAX];
    path_from_root(other, to, path);
    return fails("rename", path) ? -1 : real(folder, from, other, to, flags);
}

SHOWN int rename(const char *from, const char *to) {
    return rename_any(AT_FDCWD, from, AT_FDCWD, to, 0);
}

SHOWN int renameat(int folder, const char *from, int other, const char *to) {
    return rename_any(folder, from, other, to, 0);
}

SHOWN int renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
    return rename_any(folder, from, other, to, flags);
}

static int link_any(int folder, const char *from, int other, const char *to, int flags) {
    REAL(linkat);
    char path[PATH_MAX];
    path_from_root(other, to, path);
    return fails("link", path) ? -1 : real(folder, from, other, to, flags);
}

SHOWN int link(const char *from, const char *to) {
    return link_any(AT_FDCWD, from, AT_FDCWD, to, 0);
}

SHOWN int linkat(int folder, const char *from, int other, const char *to, int flags) {
    return link_any(folder, from, other, to, flags);
}

static int make_folder(int folder, const char *name, mode_t mode) {
    REAL(mkdirat);
    char path[PATH_MAX];
    path_from_root(folder, name, path);
    return fails("mkdir", path) ? -1 : real(folder, name, mode);
}

SHOWN int mkdir(const char *path, mode_t mode) {
    return make_folder(AT_FDCWD, path, mode);
}

SHOWN int mkdirat(int folder, const char *path, mode_t mode) {
    return make_folder(folder, path, mode);
}

static int unlink_any(int folder, const char *name, int flags) {
    REAL(unlinkat);
    char path[PATH_MAX];
    path_from_root(folder, name, path);
    return fails("unlink", path) ? -1 : real(folder, name, flags);
}

SHOWN int unlink(const char *path) {
    return unlink_any(AT_FDCWD, path, 0);
}

SHOWN int unlinkat(int folder, const char *path, int flags) {
    return unlink_any(folder, path, flags);
}

SHOWN int rmdir(const char *path) {
    return unlink_any(AT_FDCWD, path, AT_REMOVEDIR);
}

SHOWN int remove(const char *path) {
    struct stat status;
    const bool folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
    return unlink_any(AT_FDCWD, path, folder ? AT_REMOVEDIR : 0);
}

/* ---- streams ---- */

enum { most_streams = 64 };
static struct {
    FILE *stream;
    int file;
} streams[most_streams];

static int file_of(const FILE *stream) {
    for (int k = 0; k < most_streams; k++)
        if (streams[k].stream && streams[k].stream == stream) return streams[k].file;
    return -1;
}

/* The cookie is the row of the stream. */
static int row_file(void *cookie) {
    return streams[(intptr_t)cookie].file;
}

static ssize_t stream_read(void *cookie, char *buffer, size_t size) {
    return read(row_file(cookie), buffer, size);
}

static ssize_t stream_write(void *cookie, const char *data, size_t size) {
    size_t done = 0;
    while (done < size) {
        const ssize_t written = write_any(row_file(cookie), data + done, size - done, -1);
        if (written <= 0) return 0; /* which is how a cookie says that it failed */
        done += (size_t)written;
    }
    return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *offset, int whence) {
    *offset = lseek(row_file(cookie), *offset, whence);
    return *offset < 0 ? -1 : 0;
}

static int stream_close(void *cookie) {
    const int file = row_file(cookie);
    streams[(intptr_t)cookie].stream = NULL;
    return close(file);
}

static FILE *stream_on(int file, const char *mode) {
    const cookie_io_functions_t calls = {stream_read, stream_write, stream_seek, stream_close};
    intptr_t row = 0;
    while (row < most_streams && streams[row].stream) row++;
    if (row == most_streams) abort();
    streams[row].file = file;
    FILE *stream = fopencookie((void *)row, mode, calls);
    streams[row].stream = stream;
    return stream;
}

static int flags_of(const char *mode) {
    const int access = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    const int how = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
    return access | how | (strchr(mode, 'e') ? O_CLOEXEC : 0) | (strchr(mode, 'x') ? O_EXCL : 0);
}

static FILE *open_stream(const char *path, const char *mode) {
    REAL(fopen);
    if (!counts_writes || (mode[0] == 'r' && !strchr(mode, '+'))) return real(path, mode);
    const int file = open_any(AT_FDCWD, path, flags_of(mode), 0666);
    return file < 0 ? NULL : stream_on(file, mode);
}

SHOWN FILE *fopen(const char *path, const char *mode) {
    return open_stream(path, mode);
}

SHOWN FILE *fopen64(const char *path, const char *mode) {
    return open_stream(path, mode);
}

SHOWN FILE *fdopen(int file, const char *mode) {
    REAL(fdopen);
    if (!counts_writes || (mode[0] == 'r' && !strchr(mode, '+'))) return real(file, mode);
    return stream_on(file, mode);
}

SHOWN int fileno(FILE *stream) {
    REAL(fileno);
    const int file = file_of(stream);
    return file >= 0 ? file : real(stream);
}

#ifndef FAULTS_PRELOADED
/* ---- of one process that says itself what fails ---- */

void faults_arm_files(long n, unsigned which, int why) {
    static faults_page own;
    page = &own;
    atomic_store(&own.writes, 0);
    atomic_store(&own.injected, 0);
    own.call[0] = own.path[0] = '\0';
    write_at = n;
    failing = which;
    write_error = why;
    counts_writes = true;
}

void faults_disarm_files(void) {
    counts_writes = false;
}

const faults_page *faults_files(void) {
    return page;
}

SHOWN int flock(int file, int how) {
    REAL(flock);
    return how != LOCK_UN && fails("flock", "") ? -1 : real(file, how);
}

SHOWN int lstat(const char *path, struct stat *status) {
    REAL(lstat);
    return fails("lstat", path) ? -1 : real(path, status);
}

SHOWN int symlink(const char *text, const char *path) {
    REAL(symlink);
    return fails("symlink", path) ? -1 : real(text, path);
}

SHOWN DIR *opendir(const char *path) {
    REAL(opendir);
    return fails("opendir", path) ? NULL : real(path);
}
#endif

/* ---- the beginning ---- */

static long number_of(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

/* Behind the beginnings of other libraries, before the program's own. */
__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTS_PAGE");
    if (!path) return;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) abort();
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) abort();
    (void)close(file);
    memory_at = number_of("FAULTS_MEMORY");
    write_at = number_of("FAULTS_WRITES");
    fails_on = getenv("FAULTS_ON") != NULL;
    if (getenv("FAULTS_ERRNO")) write_error = (int)number_of("FAULTS_ERRNO");
    if (getenv("FAULTS_WRITES") && is_watched(STDOUT_FILENO)) {
        FILE *own = stream_on(STDOUT_FILENO, "w");
        if (own) stdout = own;
    }
    spares_end = getenv("FAULTS_FEW") != NULL;
    traces = getenv("FAULTS_TRACE") != NULL;
    counts_writes = getenv("FAULTS_WRITES") != NULL;
    counts_memory = getenv("FAULTS_MEMORY") != NULL;
}
