/* SPDX-License-Identifier: MIT */
/* Folders of results. */
#ifndef STICTION_TOOLS_COMMON_FOLDER_H
#define STICTION_TOOLS_COMMON_FOLDER_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

#include "command.h"

/* Makes a folder and those above it. */
bool folder_make(const char *path, stiction_error *error);

/* To read it; NULL: it is not there or cannot be read. Without memory the command ends. */
DIR *folder_open(const char *path);

/* The first entry of a folder by name, also a hidden one or a link, that is not of a known name;
 * NULL: none, or the folder does not exist. The caller frees it. */
char *folder_first_other(const char *path, bool (*is_known)(const char *name));

/* To a name that does not exist yet. False: see errno. */
bool folder_copy_file(const char *from, const char *to, mode_t mode);

bool file_exists(const char *path);

/* The path of the only folder in a folder; NULL: there is not exactly one. */
char *folder_only_child(const char *path);

/* Removes a folder and all in it; one that is not there is fine. */
void folder_remove(const char *path);

/* The path of a file or folder from a folder on, both as realpath returns them: "/a/b/c" from
 * "/a/d" is "../b/c". The caller frees it. */
char *path_relative(const char *folder, const char *path);

/* "a/b/wrist.cnoid" -> "wrist" */
char *path_stem(const char *path);

#endif
