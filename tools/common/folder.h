/* Folders of results. */
#ifndef STICTION_TOOLS_COMMON_FOLDER_H
#define STICTION_TOOLS_COMMON_FOLDER_H

#include <stdbool.h>

/* Makes a folder and those above it. False after a sentence on stderr. */
bool folder_make(const char *path);

bool file_exists(const char *path);

/* The path of the one folder in a folder; NULL: there is none or more than one. */
char *folder_only_child(const char *path);

/* Removes a folder and all in it; one that is not there is fine. */
void folder_remove(const char *path);

/* "a/b/wrist.cnoid" -> "wrist" */
char *path_stem(const char *path);

#endif
