/* SPDX-License-Identifier: MIT
 * What was written is on the disk, so that it is there after the power was lost. errno says why
 * where it is not.
 */
#ifndef STICTION_STORAGE_SYNC_H
#define STICTION_STORAGE_SYNC_H

#include <stdbool.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* While this is on, in this thread, nothing is synced: what is written is in a scratch folder, and
 * all of it is synced before it takes its place. What it was before. */
bool storage_put_off_sync(bool on);

/* The contents of a file, or which files a folder has. Links are not followed. */
bool storage_sync(const char *path);
/* The same of an open file. */
bool storage_sync_open(int file);
/* The folder that has a file: a rename is there to stay. */
bool storage_sync_above(const char *path);
/* A folder with all files and folders in it. */
bool storage_sync_all(const char *folder);

STICTION_END_C

#endif
