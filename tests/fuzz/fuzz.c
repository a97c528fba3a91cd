/* SPDX-License-Identifier: MIT
 * The choice of a reader, and files for it. libFuzzer calls the two functions at the end (replay.c
 * does, too, where there is no libFuzzer): the program's name says which reader, fuzz_NAME.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "readers.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void must(bool condition) {
    if (!condition) abort();
}

void must_be_told(const stiction_error *error) {
    char text[sizeof(stiction_error)];
    must(error->status != STICTION_OK && *error->message);
    must(!strpbrk(error->message, "\n\r"));
    must(stiction_error_format(error, text, sizeof text) < sizeof text);
}

void fuzz_hear(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level;
    must(*message != '\0');
}

/* ---- files ---- */

static char folder[40];

static void remove_folder(void) {
    char command[80];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (folder[0]) (void)!system(command);
}

const char *fuzz_folder(void) {
    if (folder[0]) return folder;
    /* in memory: what is written is synced, which on a disk would be all that is fuzzed */
    (void)strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/stiction_fuzz_XXXXXX"
                                                       : "/tmp/stiction_fuzz_XXXXXX");
    must(mkdtemp(folder) && atexit(remove_folder) == 0);
    return folder;
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size) {
    static char paths[4][120];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", fuzz_folder(), name);
    FILE *file = fopen(path, "wb");
    must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    return path;
}

/* ---- parts ---- */

fuzz_part fuzz_next_part(fuzz_part *rest) {
    static const char line[] = "%%\n";
    const size_t length = sizeof line - 1;
    for (size_t k = 0; k + length <= rest->size; k++) {
        if ((k > 0 && rest->data[k - 1] != '\n') || memcmp(rest->data + k, line, length) != 0)
            continue;
        const fuzz_part part = {rest->data, k};
        *rest = (fuzz_part){rest->data + k + length, rest->size - k - length};
        return part;
    }
    const fuzz_part part = *rest;
    *rest = (fuzz_part){rest->data + rest->size, 0};
    return part;
}

char *fuzz_text(fuzz_part part) {
    char *text = malloc(part.size + 1);
    must(text != NULL);
    if (part.size) memcpy(text, part.data, part.size);
    text[part.size] = '\0';
    return text;
}

/* ---- the choice ---- */

#define FUZZ_ROW(name) &fuzz_##name,
static const fuzz_reader *const readers[] = {FUZZ_READERS(FUZZ_ROW)};
#undef FUZZ_ROW

static const fuzz_reader *chosen;

const fuzz_reader *fuzz_find(const char *name) {
    for (size_t k = 0; k < sizeof readers / sizeof readers[0]; k++)
        if (strcmp(readers[k]->name, name) == 0) return readers[k];
    return NULL;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    const char *slash = strrchr((*argv)[0], '/'), *name = slash ? slash + 1 : (*argv)[0];
    static const char prefix[] = "fuzz_";
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
    chosen = fuzz_find(name);
    if (!chosen) {
        fprintf(stderr, "there is no reader '%s'; call this program fuzz_READER, of\n", name);
        for (size_t k = 0; k < sizeof readers / sizeof readers[0]; k++)
            fprintf(stderr, " %s", readers[k]->name);
        fputc('\n', stderr);
        exit(2);
    }
    if (chosen->begin) chosen->begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chosen->read(data, size);
    return 0;
}
