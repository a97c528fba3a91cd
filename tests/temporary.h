/* SPDX-License-Identifier: MIT */
/* Files that a test writes, in a folder of their own that goes with the program. */
#ifndef STICTION_TESTS_TEMPORARY_H
#define STICTION_TESTS_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char temporary_folder[64];
static char temporary_paths[64][128];
static int temporary_count;

static inline void temporary_remove(void) {
    while (temporary_count > 0) (void)unlink(temporary_paths[--temporary_count]);
    (void)rmdir(temporary_folder);
}

/* Writes `size` bytes and returns the path. */
static inline const char *temporary_bytes(const char *name, const void *bytes, size_t size) {
    if (!temporary_folder[0]) {
        (void)strcpy(temporary_folder, "/tmp/stiction_test_XXXXXX");
        if (!mkdtemp(temporary_folder)) abort();
        (void)atexit(temporary_remove);
    }
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", temporary_folder, name);
    int k = 0;
    while (k < temporary_count && strcmp(temporary_paths[k], path) != 0) k++;
    if (k == 64) abort();
    if (k == temporary_count) temporary_count++;
    (void)strcpy(temporary_paths[k], path);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
    return temporary_paths[k];
}

static inline const char *temporary_file(const char *name, const char *text) {
    return temporary_bytes(name, text, strlen(text));
}

#endif
