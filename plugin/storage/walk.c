/* SPDX-License-Identifier: MIT
 * A walk over a folder: a stack of open ones, and one path that grows and shrinks with it.
 */
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct open_folder {
    DIR *folder;
    size_t length; /* of its path */
    struct stat status;
} open_folder;

struct storage_walk {
    char *path;
    size_t capacity;
    open_folder *open;
    size_t depth;
    bool begun;
    bool enters; /* the last entry is a folder, to be opened next */
    walk_entry entry;
};

storage_walk *storage_walk_begin(const char *path) {
    storage_walk *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->capacity = strlen(path) + 1;
    w->path = strdup(path);
    if (w->path) return w;
    free(w);
    return NULL;
}

void storage_walk_end(storage_walk *w) {
    if (!w) return;
    while (w->depth) (void)closedir(w->open[--w->depth].folder);
    free(w->open);
    free(w->path);
    free(w);
}

static const walk_entry *give_entry(storage_walk *w, walk_kind kind, int level, int why) {
    w->entry.kind = kind;
    w->entry.level = level;
    w->entry.why = why;
    w->entry.path = w->path;
    w->enters = kind == WALK_FOLDER;
    return &w->entry;
}

static walk_kind kind_of(mode_t mode) {
    return S_ISDIR(mode)   ? WALK_FOLDER
           : S_ISREG(mode) ? WALK_FILE
           : S_ISLNK(mode) ? WALK_LINK
                           : WALK_OTHER;
}

/* What the path names. */
static const walk_entry *read_status(storage_walk *w) {
    const int level = (int)w->depth;
    return lstat(w->path, &w->entry.status) == 0
               ? give_entry(w, kind_of(w->entry.status.st_mode), level, 0)
               : give_entry(w, WALK_UNREADABLE, level, errno);
}

/* False with errno. */
static bool enter(storage_walk *w) {
    open_folder *more = realloc(w->open, (w->depth + 1) * sizeof *more);
    if (!more) return false;
    w->open = more;
    DIR *folder = opendir(w->path);
    if (!folder) return false;
    w->open[w->depth++] = (open_folder){folder, strlen(w->path), w->entry.status};
    return true;
}

static bool append(storage_walk *w, size_t length, const char *name) {
    const size_t size = length + strlen(name) + sizeof "/";
    if (size > w->capacity) {
        char *longer = realloc(w->path, 2 * size);
        if (!longer) return false;
        w->path = longer;
        w->capacity = 2 * size;
    }
    w->path[length] = '/';
    (void)strcpy(w->path + length + 1, name);
    return true;
}

static bool is_itself_or_above(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static const walk_entry *leave(storage_walk *w) {
    const open_folder *last = &w->open[--w->depth];
    (void)closedir(last->folder);
    w->path[last->length] = '\0';
    w->entry.status = last->status;
    return give_entry(w, WALK_FOLDER_END, (int)w->depth, 0);
}

const walk_entry *storage_walk_next(storage_walk *w) {
    if (!w->begun) {
        w->begun = true;
        return read_status(w);
    }
    if (w->enters && !enter(w)) {
        if (errno == ENOMEM) return NULL;
        return give_entry(w, WALK_UNREADABLE, (int)w->depth, errno);
    }
    w->enters = false;
    errno = 0;
    if (!w->depth) return NULL;
    const open_folder *last = &w->open[w->depth - 1];
    const struct dirent *next;
    do next = readdir(last->folder);
    while (next && is_itself_or_above(next->d_name));
    if (!next && errno) {
        const int why = errno;
        const walk_entry *end = leave(w);
        return end ? give_entry(w, WALK_UNREADABLE, (int)w->depth, why) : NULL;
    }
    if (!next) return leave(w);
    if (append(w, last->length, next->d_name)) return read_status(w);
    errno = ENOMEM;
    return NULL;
}
