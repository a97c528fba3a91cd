/* SPDX-License-Identifier: MIT
 * Making, visiting and removing folders.
 */
#define _GNU_SOURCE /* asprintf */
#include "folders.h"

#include <dirent.h>
#include <errno.h>
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
