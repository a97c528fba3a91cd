/*
 * Folders of results.
 */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"

bool folder_make(const char *path) {
    char *part = copy_text(path);
    bool made = true;
    for (char *slash = part; made && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) *slash = '\0';
        made = mkdir(part, 0777) == 0 || errno == EEXIST;
        if (slash) *slash = '/';
    }
    free(part);
    struct stat status;
    if (made && stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        made = false;
        errno = ENOTDIR;
    }
    return made || complain("cannot make the folder %s: %s", path, strerror(errno));
}

bool file_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

char *folder_only_child(const char *path) {
    DIR *folder = opendir(path);
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
    char *const roots[] = {copy_text(path), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (const FTSENT *entry; walk && (entry = fts_read(walk)) != NULL;)
        if (entry->fts_info != FTS_D) (void)remove(entry->fts_accpath);
    if (walk) (void)fts_close(walk);
    free(roots[0]);
}

char *path_stem(const char *path) {
    const char *slash = strrchr(path, '/');
    char *stem = copy_text(slash ? slash + 1 : path);
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem) *dot = '\0';
    return stem;
}
