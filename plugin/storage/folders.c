/* SPDX-License-Identifier: MIT
 * Making and removing folders.
 */
#include "folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/fail.h"
#include "walk.h"

/* False: errno says why. */
static bool make_all(char *part, char **first) {
    bool made = true;
    for (char *slash = part; made && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) *slash = '\0';
        /* before the folder: without memory for its name it must not be made */
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

void storage_remove_folder(const char *path) {
    storage_walk *walk = storage_walk_begin(path);
    for (const walk_entry *entry; walk && (entry = storage_walk_next(walk)) != NULL;)
        if (entry->kind != WALK_FOLDER)
            (void)remove(entry->path);
        else if (access(entry->path, W_OK) != 0)
            (void)chmod(entry->path, S_IRWXU);
    storage_walk_end(walk);
}
