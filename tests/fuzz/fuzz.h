/* SPDX-License-Identifier: MIT
 * What fuzzing a reader means here: any bytes are read, or refused with an error message of one
 * line. A reader is `const fuzz_reader fuzz_NAME` in a file of readers/, one word in readers.h, a
 * folder corpus/NAME with a few small inputs, and dict/NAME.dict.
 */
#ifndef STICTION_FUZZ_H
#define STICTION_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stiction/load.h"

typedef struct fuzz_reader {
    const char *name;
    void (*begin)(void); /* once, before the first input; NULL: nothing to do */
    void (*read)(const uint8_t *data, size_t size);
} fuzz_reader;

/* What is not so is a finding. */
void must(bool condition);

/* An error that a user could be shown: it says something, in one line. */
void must_be_told(const stiction_error *error);

/* Whether it succeeded; else its error must be one that can be shown. */
static inline bool succeeds(bool fine, const stiction_error *error) {
    if (!fine) must_be_told(error);
    return fine;
}

/* A folder of this process, in memory where that can be had; it is gone at the end. */
const char *fuzz_folder(void);
/* A file of these bytes in it; the path stays until the fourth call after this one. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);

/* The part of an input up to the next line "%%", and what follows it: an input of several files
 * is one after the other. */
typedef struct fuzz_part {
    const uint8_t *data;
    size_t size;
} fuzz_part;
fuzz_part fuzz_next_part(fuzz_part *rest);

/* A copy that ends in 0; the caller frees it. */
char *fuzz_text(fuzz_part part);

/* Drops a line of a log, which must say something. */
void fuzz_hear(void *user, stiction_log_level level, const char *message);

#endif
