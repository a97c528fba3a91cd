/* SPDX-License-Identifier: MIT
 * Folders of results.
 */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "storage/folders.h"

bool folder_make(const char *path, stiction_error *error) {
    return storage_make_folders(path, NULL, error);
}

DIR *folder_open(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) need_memory();
    return folder;
}

char *folder_first_other(const char *path, bool (*is_known)(const char *name)) {
    DIR *folder = folder_open(path);
    char *found = NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (is_known(name) || (found && strcmp(found, name) < 0)) continue;
        free(found);
        found = copy_text(name);
    }
    if (folder) (void)closedir(folder);
    return found;
}

bool folder_copy_file(const char *from, const char *to, mode_t mode) {
    char bytes[1 << 16];
    const int in = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    bool fine = out >= 0;
    for (ssize_t size = 1; fine && size != 0;) {
        size = read(in, bytes, sizeof bytes);
        fine = size >= 0 || errno == EINTR;
        for (ssize_t done = 0, more; fine && done < size; done += more) {
            more = write(out, bytes + done, (size_t)(size - done));
            if (more < 0 && errno == EINTR) more = 0;
            fine = more >= 0;
        }
    }
    int why = errno;
    if (in >= 0) (void)close(in);
    if (out >= 0 && close(out) != 0 && fine) {
        why = errno;
        fine = false;
    }
    errno = why;
    return fine;
}

bool file_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

char *folder_only_child(const char *path) {
    DIR *folder = folder_open(path);
    char *found = NULL;
    size_t count = 0;
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        struct stat status;
        char *child = format_text("%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && stat(child, &status) == 0 && S_ISDIR(status.st_mode)) {
            count++;
            free(found);
            found = child;
        } else {
            free(child);
        }
    }
    if (folder) (void)closedir(folder);
    if (count == 1) return found;
    free(found);
    return NULL;
}

void folder_remove(const char *path) {
    storage_remove_folder(path);
}

char *path_relative(const char *folder, const char *path) {
    size_t common = 0;
    for (size_t k = 0;; k++) {
        const bool from_ends = !folder[k] || folder[k] == '/', to_ends = !path[k] || path[k] == '/';
        if (from_ends && to_ends) common = k;
        if (folder[k] != path[k] || !folder[k]) break;
    }
    char *relative = copy_text("");
    for (const char *slash = folder + common; (slash = strchr(slash, '/')) != NULL; slash++)
        if (slash[1]) append_text(&relative, "../");
    append_text(&relative, "%s", path + common + (path[common] == '/'));
    return relative;
}

char *path_stem(const char *path) {
    const char *slash = strrchr(path, '/');
    char *stem = copy_text(slash ? slash + 1 : path);
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem) *dot = '\0';
    return stem;
}
