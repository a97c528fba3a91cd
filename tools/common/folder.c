/*
 * Folders of results.
 */
#define COMMON_WITHOUT_PRINTING
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "storage/walk.h"

bool folder_make_noting(const char *path, char **first, stiction_error *error) {
    char *part = copy_text(path);
    bool made = true;
    *first = NULL;
    for (char *slash = part; made && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) *slash = '\0';
        char *name = *first ? NULL : copy_text(part); /* before: its lack must not leave a folder */
        const bool is_new = mkdir(part, 0777) == 0;
        made = is_new || errno == EEXIST;
        if (is_new && name)
            *first = name;
        else
            free(name);
        if (slash) *slash = '/';
    }
    free(part);
    struct stat status;
    if (made && stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        made = false;
        errno = ENOTDIR;
    }
    return made || fail(error, "cannot make the folder %s: %s", path, strerror(errno));
}

bool folder_make(const char *path, stiction_error *error) {
    char *first;
    const bool made = folder_make_noting(path, &first, error);
    free(first);
    return made;
}

DIR *folder_open(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) need_memory();
    return folder;
}

char *folder_first_entry(const char *path) {
    return folder_first_other(path, NULL);
}

char *folder_first_other(const char *path, bool (*is_known)(const char *name)) {
    DIR *folder = folder_open(path);
    char *found = NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if ((is_known && is_known(name)) || (found && strcmp(found, name) < 0)) continue;
        free(found);
        found = copy_text(name);
    }
    if (folder) (void)closedir(folder);
    return found;
}

char *folder_first_file(const char *path) {
    storage_walk *walk = must_have(storage_walk_begin(path));
    char *found = NULL;
    for (const walk_entry *entry; !found && (entry = storage_walk_next(walk)) != NULL;)
        if (entry->kind != WALK_FOLDER && entry->kind != WALK_FOLDER_END)
            found = copy_text(entry->level ? entry->path + strlen(path) + 1 : ".");
    if (!found) need_memory();
    storage_walk_end(walk);
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

void folder_open_to_us(const char *path) {
    if (access(path, W_OK) != 0) (void)chmod(path, S_IRWXU);
}

void folder_remove(const char *path) {
    storage_walk *walk = storage_walk_begin(path);
    for (const walk_entry *entry; walk && (entry = storage_walk_next(walk)) != NULL;)
        if (entry->kind == WALK_FOLDER)
            folder_open_to_us(entry->path);
        else
            (void)remove(entry->path);
    storage_walk_end(walk);
}

char *path_stem(const char *path) {
    const char *slash = strrchr(path, '/');
    char *stem = copy_text(slash ? slash + 1 : path);
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem) *dot = '\0';
    return stem;
}
