/* SPDX-License-Identifier: MIT
 * Files and folders on the disk: fsync of each.
 */
#include "sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "walk.h"

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
    if (slash == path) return storage_sync("/");
    char *folder = strndup(path, (size_t)(slash - path));
    /* what is above may be a link, which a trailing slash follows */
    char *through = folder ? malloc(strlen(folder) + sizeof "/.") : NULL;
    if (through) (void)strcat(strcpy(through, folder), "/.");
    const bool fine = through && storage_sync(through);
    free(folder);
    free(through);
    return fine;
}

bool storage_sync_all(const char *folder) {
    if (is_put_off) return true;
    storage_walk *walk = storage_walk_begin(folder);
    bool fine = walk != NULL;
    int why = errno;
    for (const walk_entry *entry; walk && fine; why = errno) {
        errno = 0;
        if (!(entry = storage_walk_next(walk))) {
            fine = errno == 0;
            why = errno;
            break;
        }
        if (entry->kind == WALK_FILE || entry->kind == WALK_FOLDER_END)
            fine = storage_sync(entry->path);
        else if (entry->kind == WALK_UNREADABLE) {
            errno = entry->why;
            fine = false;
        }
    }
    storage_walk_end(walk);
    errno = why;
    return fine;
}
