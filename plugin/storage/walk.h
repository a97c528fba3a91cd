/* SPDX-License-Identifier: MIT
 * All entries of a folder, one after the other: a folder before its entries and once more after
 * them. Links are not followed. fts(3) would do, but crashes where memory ends (glibc 2.36).
 */
#ifndef STICTION_STORAGE_WALK_H
#define STICTION_STORAGE_WALK_H

#include <stdbool.h>
#include <sys/stat.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

typedef enum walk_kind {
    WALK_FOLDER,
    WALK_FOLDER_END,
    WALK_FILE,
    WALK_LINK,
    WALK_OTHER,
    WALK_UNREADABLE /* `why` is the errno */
} walk_kind;

typedef struct walk_entry {
    walk_kind kind;
    int level; /* 0: the folder itself */
    int why;
    const char *path;   /* until the next one */
    struct stat status; /* but for WALK_UNREADABLE */
} walk_entry;

typedef struct storage_walk storage_walk;

/* From a folder, or a file, on. NULL: no memory. */
storage_walk *storage_walk_begin(const char *path);
/* NULL: there are no more, or with errno ENOMEM no memory for the next. What is removed meanwhile
 * is not met any more. */
const walk_entry *storage_walk_next(storage_walk *walk);
void storage_walk_end(storage_walk *walk);

STICTION_END_C

#endif
