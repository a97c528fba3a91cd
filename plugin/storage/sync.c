/* SPDX-License-Identifier: MIT
 * Files and folders on the disk: fsync of each.
 */
#include "sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"

/* There are file systems that cannot sync a folder; they cannot do better. */
static bool is_unable(int why) {
    return why == EINVAL || why == ENOTSUP || why == EROFS;
}

static _Thread_local bool is_put_off;

bool storage_put_off_sync(bool on) {
    const bool before = is_put_off;
    is_put_off = on;
    return before;
}

bool storage_sync_open(int file) {
    return is_put_off || fsync(file) == 0 || is_unable(errno);
}

bool storage_sync(const char *path) {
    if (is_put_off) return true;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    const bool fine = storage_sync_open(file);
    const int why = errno;
    (void)close(file);
    errno = why;
    return fine;
}

bool storage_sync_above(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return storage_sync(".");
    /* what is above may be a link, which "/." follows */
    char *folder = strndup(path, (size_t)(slash - path)), *through;
    through = folder ? storage_join(folder, ".") : NULL;
    const bool fine = through && storage_sync(through);
    const int why = errno;
    free(folder);
    free(through);
    errno = why;
    return fine;
}

static bool sync_entry(void *user, const char *path) {
    struct stat status;
    (void)user;
    if (lstat(path, &status) != 0) return false;
    if (S_ISDIR(status.st_mode)) return storage_sync_all(path);
    return !S_ISREG(status.st_mode) || storage_sync(path);
}

bool storage_sync_all(const char *folder) {
    return is_put_off || (storage_visit(folder, sync_entry, NULL) && storage_sync(folder));
}
