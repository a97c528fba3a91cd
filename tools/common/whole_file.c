/* SPDX-License-Identifier: MIT
 * A file that is written beside its place and moved there when it is whole.
 */
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "storage/manifest.h"

/* ---- names ---- */

/* Such as /dev/stdout, which is a link. */
static bool is_device(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* Whether the list of a folder has the name, or is it. */
static bool is_listed_in(const char *folder, const char *name) {
    AUTO(manifest_free) manifest list;
    return manifest_read(&list, folder) == MANIFEST_FINE &&
           (strcmp(name, MANIFEST_NAME) == 0 || manifest_has(&list, name));
}

/* In its folder or in one above it, such as a frame of a video. */
static bool is_listed(const char *path) {
    bool listed = !strchr(path, '/') && is_listed_in(".", path);
    for (const char *slash = strrchr(path, '/'); slash && slash > path && !listed;) {
        AUTO_FREE char *folder = format_text("%.*s", (int)(slash - path), path);
        listed = is_listed_in(folder, slash + 1);
        const char *above = strrchr(folder, '/');
        slash = above ? path + (above - folder) : NULL;
    }
    return listed;
}

bool whole_file_may_take(const char *path, bool force, stiction_error *error) {
    struct stat status;
    if (strcmp(path, "-") == 0 || lstat(path, &status) != 0) return true;
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) return true;
    if (is_listed(path))
        return fail(error,
                    "%s belongs to the results beside it (" MANIFEST_NAME "); give another name",
                    path);
    return force || (S_ISLNK(status.st_mode) && is_device(path)) ||
           fail(error, "%s already exists; --force replaces it", path);
}

bool whole_file_is_same(const char *path, const char *other) {
    if (!path || !other) return false;
    char *paths[2] = {copy_text(path), copy_text(other)};
    const char *names[2];
    struct stat folders[2];
    bool found = true;
    for (size_t k = 0; k < 2; k++) {
        char *slash = strrchr(paths[k], '/');
        names[k] = slash ? slash + 1 : paths[k];
        if (slash) *slash = '\0';
        found = stat(slash == paths[k] ? "/" : slash ? paths[k] : ".", &folders[k]) == 0 && found;
    }
    const bool same = strcmp(names[0], names[1]) == 0 && found &&
                      folders[0].st_dev == folders[1].st_dev &&
                      folders[0].st_ino == folders[1].st_ino;
    free(paths[0]);
    free(paths[1]);
    return same;
}

/* ---- writing ---- */

static bool fail_to_write(const char *path, stiction_error *error) {
    return fail(error, "%s: %s", path,
                errno == EWOULDBLOCK ? "another process writes it at this moment"
                                     : strerror(errno));
}

bool whole_file_begin(whole_file *file, const char *path, stiction_error *error) {
    return storage_file_begin(file, path) || fail_to_write(path, error);
}

bool whole_file_end(whole_file *file, stiction_error *error) {
    AUTO_FREE char *path = copy_text(file->path);
    return storage_file_end(file) || fail_to_write(path, error);
}

bool whole_file_write(const char *path, bool force, const char *text, stiction_error *error) {
    whole_file file;
    if (!path) return fputs(text, stdout) >= 0;
    if (!whole_file_may_take(path, force, error) || !whole_file_begin(&file, path, error))
        return false;
    fputs(text, file.out);
    return whole_file_end(&file, error);
}
