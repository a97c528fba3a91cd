/* SPDX-License-Identifier: MIT
 * Making, visiting, removing and syncing folders.
 */
#define _GNU_SOURCE /* asprintf */
#include "folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/auto.h"
#include "document/fail.h"

char *storage_join(const char *folder, const char *name) {
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

char *storage_beside(const char *path, const char *ending) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *made;
    return asprintf(&made, "%.*s.%s.%s", (int)(name - path), path, name, ending) < 0 ? NULL : made;
}

bool storage_is_at(int file, const char *path) {
    struct stat ours, there;
    return fstat(file, &ours) == 0 && lstat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

/* False: errno says why. */
static bool make_all(char *part, char **first) {
    bool made = true;
    for (char *slash = part; made && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) *slash = '\0';
        /* allocated first: without memory for its name the folder must not be made */
        char *name = *first ? NULL : strdup(part);
        if (!*first && !name) return false;
        const bool is_new = mkdir(part, 0777) == 0;
        made = is_new || errno == EEXIST;
        if (is_new && name)
            *first = name;
        else
            free(name);
        if (slash) *slash = '/';
    }
    return made;
}

bool storage_make_folders(const char *path, char **first, stiction_error *error) {
    char *part = strdup(path), *made_first = NULL;
    struct stat status;
    bool made = part && make_all(part, &made_first);
    if (made && stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        made = false;
        errno = ENOTDIR;
    }
    if (!made)
        (void)stiction_fail(error, STICTION_INVALID_ARGUMENT, "cannot make the folder %s: %s", path,
                            strerror(errno));
    free(part);
    if (first)
        *first = made_first;
    else
        free(made_first);
    return made;
}

bool storage_visit(const char *folder, bool visit(void *user, const char *path), void *user) {
    DIR *opened = opendir(folder);
    if (!opened) return false;
    bool fine = true;
    for (const struct dirent *entry; fine;) {
        errno = 0;
        if (!(entry = readdir(opened))) break;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        AUTO_FREE char *path = storage_join(folder, entry->d_name);
        fine = path && visit(user, path);
    }
    const int why = errno;
    (void)closedir(opened);
    errno = why;
    return fine && why == 0;
}

static bool remove_entry(void *user, const char *path) {
    (void)user;
    if (unlink(path) != 0) storage_remove_folder(path);
    return true;
}

void storage_remove_folder(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0 || !S_ISDIR(status.st_mode)) return;
    if (access(path, W_OK) != 0) (void)chmod(path, S_IRWXU);
    (void)storage_visit(path, remove_entry, NULL);
    (void)rmdir(path);
}

/* ---- syncing ---- */

/* Some file systems cannot sync a folder: that is no error. */
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
    AUTO_FREE char *folder = NULL;
    return asprintf(&folder, "%.*s/.", (int)(slash - path), path) >= 0 && storage_sync(folder);
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
