/* SPDX-License-Identifier: MIT */
#include "documents.h"

void fuzz_document(const char *name, const uint8_t *data, size_t size, fuzz_call *call) {
    stiction_error error;
    const char *path = fuzz_file(name, data, size);
    reader r = {.log = fuzz_hear, .error = &error, .untrusted = path};
    if (!stiction_reader_run(&r, call, path)) {
        must_be_told(&error);
        must(error.path[0] != '\0');
    }
    stiction_arena_free(&r.memory);
}
