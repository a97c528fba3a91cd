/* SPDX-License-Identifier: MIT */
/* A stream into memory. */
#define _GNU_SOURCE /* fopencookie */
#include "memory_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory_stream {
    char **text;
    size_t *size;
    char *bytes; /* with space for a 0 */
    size_t length, capacity;
    bool failed;
} memory_stream;

static bool make_room(memory_stream *m, size_t more) {
    if (m->capacity - m->length > more) return true;
    if (more > (size_t)-1 / 4 || m->capacity > (size_t)-1 / 4) return false;
    const size_t capacity = 2 * m->capacity + more + 1;
    char *larger = realloc(m->bytes, capacity);
    if (!larger) return false;
    m->bytes = larger;
    m->capacity = capacity;
    return true;
}

/* Returns 0 on failure, as fopencookie expects. */
static ssize_t write_bytes(void *cookie, const char *bytes, size_t size) {
    memory_stream *m = cookie;
    if (m->failed || !make_room(m, size)) {
        m->failed = true;
        return 0;
    }
    memcpy(m->bytes + m->length, bytes, size);
    m->length += size;
    return (ssize_t)size;
}

static int close_stream(void *cookie) {
    memory_stream *m = cookie;
    const bool failed = m->failed;
    if (failed) {
        free(m->bytes);
        m->bytes = NULL;
        m->length = 0;
    } else {
        m->bytes[m->length] = '\0';
    }
    *m->text = m->bytes;
    *m->size = m->length;
    free(m);
    return failed ? EOF : 0;
}

FILE *stiction_memory_stream(char **text, size_t *size) {
    static const cookie_io_functions_t calls = {.write = write_bytes, .close = close_stream};
    *text = NULL;
    *size = 0;
    memory_stream *m = malloc(sizeof *m);
    if (!m) return NULL;
    *m = (memory_stream){.text = text, .size = size, .capacity = 64, .bytes = malloc(64)};
    FILE *stream = m->bytes ? fopencookie(m, "w", calls) : NULL;
    if (stream) return stream;
    free(m->bytes);
    free(m);
    return NULL;
}
