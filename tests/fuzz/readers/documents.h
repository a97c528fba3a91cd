/* SPDX-License-Identifier: MIT */
/* Readers of documents that end at the first error (document/reader.h). */
#ifndef STICTION_FUZZ_DOCUMENTS_H
#define STICTION_FUZZ_DOCUMENTS_H

#include "../fuzz.h"
#include "document/reader.h"

typedef void *fuzz_call(reader *r, const void *path);

/* Reads a file of these bytes: it must be read, or refused at a place in a file. */
static inline void fuzz_document(const char *name, const uint8_t *data, size_t size,
                                 fuzz_call *call) {
    stiction_error error;
    const char *path = fuzz_file(name, data, size);
    reader r = {.log = fuzz_hear, .error = &error, .untrusted = path};
    if (!stiction_reader_run(&r, call, path)) {
        must_be_told(&error);
        must(error.path[0] != '\0');
    }
    stiction_arena_free(&r.memory);
}

#endif
