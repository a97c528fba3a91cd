/* SPDX-License-Identifier: MIT */
/* Which files something was made from. */
#define _XOPEN_SOURCE 700 /* the times of a file to the nanosecond */
#include "file_notes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct file_note {
    char *path;
    bool there;
    dev_t device;
    ino_t number;
    off_t size;
    struct timespec written, changed;
};

/* Two changes within this time may have the same time stamp, ns. */
static const long long coarse = 1000000000;

static long long nanoseconds(struct timespec t) {
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void read_status(file_note *n) {
    struct stat status;
    n->there = stat(n->path, &status) == 0;
    if (!n->there) return;
    n->device = status.st_dev;
    n->number = status.st_ino;
    n->size = status.st_size;
    n->written = status.st_mtim;
    n->changed = status.st_ctim;
}

static bool is_same(const file_note *a, const file_note *b) {
    if (a->there != b->there) return false;
    return !a->there || (a->device == b->device && a->number == b->number && a->size == b->size &&
                         nanoseconds(a->written) == nanoseconds(b->written) &&
                         nanoseconds(a->changed) == nanoseconds(b->changed));
}

static bool is_young(const file_note *n) {
    struct timespec now;
    return n->there && (clock_gettime(CLOCK_REALTIME, &now) != 0 ||
                        nanoseconds(now) - nanoseconds(n->changed) < coarse);
}

void stiction_file_notes_add(file_notes *notes, const char *path) {
    if (!notes) return;
    for (size_t k = 0; k < notes->count; k++)
        if (strcmp(notes->list[k].path, path) == 0) return;
    file_note *list = realloc(notes->list, (notes->count + 1) * sizeof *list);
    if (list) notes->list = list;
    file_note one = {.path = list ? strdup(path) : NULL};
    if (!one.path) {
        notes->incomplete = true;
        return;
    }
    read_status(&one);
    notes->incomplete = notes->incomplete || is_young(&one);
    notes->list[notes->count++] = one;
}

bool stiction_file_notes_hold(const file_notes *notes) {
    for (size_t k = 0; k < notes->count; k++) {
        file_note now = {.path = notes->list[k].path};
        read_status(&now);
        if (!is_same(&now, &notes->list[k])) return false;
    }
    return !notes->incomplete;
}

void stiction_file_notes_free(file_notes *notes) {
    for (size_t k = 0; k < notes->count; k++) free(notes->list[k].path);
    free(notes->list);
    *notes = (file_notes){.count = 0};
}
