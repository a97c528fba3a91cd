/* SPDX-License-Identifier: MIT
 * The corpora without libFuzzer, from any compiler: fuzz_replay READER FILE|FOLDER... reads each
 * file once. Whatever was found by fuzzing is seen again by this, everywhere.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "readers.h"

static size_t read_file(const fuzz_reader *r, const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(1 << 20);
    if (!file || !data) {
        perror(path);
        exit(2);
    }
    const size_t size = fread(data, 1, 1 << 20, file);
    (void)fclose(file);
    (void)fprintf(stderr, "%s\n", path);
    /* of its own size, so that a sanitizer sees reads past its end */
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) exit(2);
    memcpy(exact, data, size);
    free(data);
    r->read(exact, size);
    free(exact);
    return 1;
}

static size_t read_all(const fuzz_reader *r, const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) return read_file(r, path);
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        exit(2);
    }
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char below[1000];
        if (entry->d_name[0] == '.') continue;
        (void)snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        count += read_all(r, below);
    }
    (void)closedir(folder);
    return count;
}

int main(int argc, char **argv) {
    const fuzz_reader *r = argc > 1 ? fuzz_find(argv[1]) : NULL;
    if (!r || argc < 3) {
        (void)fprintf(stderr, "usage: fuzz_replay READER FILE|FOLDER...\n");
        return 2;
    }
    if (!freopen("/dev/null", "w", stdout)) return 2; /* what a verb prints */
    if (r->begin) r->begin();
    size_t count = 0;
    for (int k = 2; k < argc; k++) count += read_all(r, argv[k]);
    (void)fprintf(stderr, "%zu inputs\n", count);
    return count > 0 ? 0 : 1; /* a corpus of nothing shows nothing */
}
