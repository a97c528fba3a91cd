/* SPDX-License-Identifier: MIT */
/* Making and removing folders. */
#ifndef STICTION_STORAGE_FOLDERS_H
#define STICTION_STORAGE_FOLDERS_H

#include <stdbool.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* Makes a folder and its parents. `first` (may be NULL) gets the first of them that did not exist,
 * or NULL; the caller frees it. */
bool storage_make_folders(const char *path, char **first, stiction_error *error);

/* Removes a folder and all in it, whatever the modes of its folders; it need not exist. */
void storage_remove_folder(const char *path);

STICTION_END_C

#endif
