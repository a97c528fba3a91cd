/* SPDX-License-Identifier: MIT */
/* A folder that a test fills and looks into, with folders in it. */
#ifndef STICTION_TESTS_TEMPORARY_FOLDER_H
#define STICTION_TESTS_TEMPORARY_FOLDER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char temporary_root[64];

static inline const char *temporary_folder_make(void) {
    (void)strcpy(temporary_root, "/tmp/stiction_test_XXXXXX");
    if (!mkdtemp(temporary_root)) abort();
    return temporary_root;
}

static inline void temporary_folder_remove(void) {
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", temporary_root);
    if (system(command) != 0) abort();
}

/* One of eight, in turn. */
static inline const char *temporary_path(const char *folder, const char *name) {
    static char paths[8][256];
    static int next;
    char *path = paths[next++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* With the folder that it is in, where that is not there. */
static inline void temporary_write(const char *folder, const char *name, const char *text) {
    const char *path = temporary_path(folder, name);
    char above[256];
    (void)snprintf(above, sizeof above, "%.*s", (int)(strrchr(path, '/') - path), path);
    (void)mkdir(above, 0777);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) == EOF || fclose(file) != 0) abort();
}

/* NULL: it is not there. The caller frees it. */
static inline char *temporary_read(const char *folder, const char *name, size_t *size) {
    FILE *file = fopen(temporary_path(folder, name), "r");
    char *text = calloc(1, 65536);
    if (!text) abort();
    *size = file ? fread(text, 1, 65535, file) : 0;
    if (file && fclose(file) == 0) return text;
    free(text);
    return NULL;
}

/* Whether a file has this text; NULL: whether nothing is there. */
static inline bool temporary_has(const char *folder, const char *name, const char *text) {
    size_t size;
    struct stat status;
    if (!text) return lstat(temporary_path(folder, name), &status) != 0;
    char *there = temporary_read(folder, name, &size);
    const bool same = there && strcmp(there, text) == 0;
    free(there);
    return same;
}

static inline void temporary_unlink(const char *folder, const char *name) {
    if (unlink(temporary_path(folder, name)) != 0) abort();
}

#endif
