/* SPDX-License-Identifier: MIT */
/* Making, visiting and removing folders. Links are not followed. */
#ifndef STICTION_STORAGE_FOLDERS_H
#define STICTION_STORAGE_FOLDERS_H

#include <stdbool.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* "FOLDER/NAME", which the caller frees; NULL: no memory. */
char *storage_join(const char *folder, const char *name);

/* "a/b" -> "a/.b.ENDING", which the caller frees; NULL: no memory. */
char *storage_beside(const char *path, const char *ending);
/* Whether an open file is still the one at a path. */
bool storage_is_at(int file, const char *path);

/* Makes a folder and its parents. `first` (may be NULL) gets the first of them that did not exist,
 * or NULL; the caller frees it. */
bool storage_make_folders(const char *path, char **first, stiction_error *error);

/* Calls `visit` with the path of every entry of a folder, but not of the folders in it, until one
 * call returns false. False: one did, or the folder could not be read (errno says why). */
bool storage_visit(const char *folder, bool visit(void *user, const char *path), void *user);

/* Removes a folder and all in it, whatever the modes of its folders; it need not exist. */
void storage_remove_folder(const char *path);

STICTION_END_C

#endif
