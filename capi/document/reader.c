/*
 * What the readers of robot files share: memory, files, numbers, warnings and errors.
 */
#include "reader.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A robot file is text made by people or exporters; more is a mistake. */
static const long largest_file = 64L << 20;

struct memory_block {
    memory_block *next;
    void (*finish)(void *);
    max_align_t data[];
};

static _Noreturn void leave(reader *r, stiction_status status, place at, const char *message) {
    if (r->error) {
        stiction_error *e = r->error;
        memset(e, 0, sizeof *e);
        e->status = status;
        e->line = at.line;
        e->column = at.column;
        (void)snprintf(e->path, sizeof e->path, "%s", at.path ? at.path : "");
        (void)snprintf(e->message, sizeof e->message, "%s", message);
    }
    longjmp(r->out, 1);
}

void *reader_own(reader *r, size_t size, void (*finish)(void *)) {
    memory_block *block = size < SIZE_MAX - sizeof *block ? calloc(1, sizeof *block + size) : NULL;
    if (!block) leave(r, STICTION_OUT_OF_MEMORY, (place){0}, "out of memory");
    block->finish = finish;
    block->next = r->memory;
    r->memory = block;
    return block->data;
}

void *reader_alloc(reader *r, size_t size) {
    return reader_own(r, size, NULL);
}

void reader_release(memory_block *memory) {
    while (memory) {
        memory_block *next = memory->next;
        if (memory->finish) memory->finish(memory->data);
        free(memory);
        memory = next;
    }
}

void *reader_grow(reader *r, void *items, size_t count, size_t item_size) {
    /* the array is full when its count is 0 or a power of two from 8 on */
    const bool full = count == 0 || (count >= 8 && (count & (count - 1)) == 0);
    if (!full) return items;
    void *grown = reader_alloc(r, (count ? 2 * count : 8) * item_size);
    if (count) memcpy(grown, items, count * item_size);
    return grown;
}

char *reader_format(reader *r, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = reader_alloc(r, (size_t)length + 1);
    (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

static void close_file(void *file) {
    if (*(FILE **)file) (void)fclose(*(FILE **)file);
}

char *reader_file(reader *r, place at, const char *path, size_t *size) {
    FILE **file = reader_own(r, sizeof *file, close_file);
    struct stat status;
    *file = fopen(path, "rb");
    if (!*file || fstat(fileno(*file), &status) != 0)
        reader_refuse(r, at, "cannot read '%s': %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode)) reader_refuse(r, at, "'%s' is not a file", path);
    if (status.st_size > largest_file)
        reader_refuse(r, at, "'%s' has %lld bytes, more than the %ld that are read", path,
                      (long long)status.st_size, largest_file);
    char *text = reader_alloc(r, (size_t)status.st_size + 1);
    *size = fread(text, 1, (size_t)status.st_size, *file);
    if (ferror(*file)) reader_refuse(r, at, "cannot read '%s': %s", path, strerror(errno));
    (void)fclose(*file);
    *file = NULL;
    return text;
}

static void finish_stream(void *memory) {
    text_stream *stream = memory;
    if (stream->file) (void)fclose(stream->file);
    free(stream->text);
}

text_stream *reader_stream(reader *r) {
    text_stream *stream = reader_own(r, sizeof *stream, finish_stream);
    stream->file = open_memstream(&stream->text, &stream->size);
    if (!stream->file) leave(r, STICTION_OUT_OF_MEMORY, (place){0}, "out of memory");
    return stream;
}

const char *reader_stream_text(reader *r, text_stream *stream) {
    const bool written = fclose(stream->file) == 0;
    stream->file = NULL;
    if (!written) leave(r, STICTION_OUT_OF_MEMORY, (place){0}, "out of memory");
    return stream->text;
}

const char *reader_beside(reader *r, const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || !slash) return name;
    return reader_format(r, "%.*s/%s", (int)(slash - path), path, name);
}

double reader_number(reader *r, place at, const char *what, const char *text) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end) reader_refuse(r, at, "%s must be a number, not '%.100s'", what, text);
    if (!isfinite(value)) reader_refuse(r, at, "%s %.100s is not finite", what, text);
    return value;
}

/* A function of its own, since setjmp spoils locals. */
static void *try_call(reader *r, void *call(reader *r, const void *context), const void *context) {
    return setjmp(r->out) == 0 ? call(r, context) : NULL;
}

void *reader_run(reader *r, void *call(reader *r, const void *context), const void *context) {
    if (r->error) memset(r->error, 0, sizeof *r->error);
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t callers = uselocale(c_locale);
    void *made = try_call(r, call, context);
    (void)uselocale(callers);
    if (c_locale) freelocale(c_locale);
    if (!made) {
        reader_release(r->memory);
        r->memory = NULL;
    }
    return made;
}

_Noreturn void reader_refuse(reader *r, place at, const char *format, ...) {
    char message[sizeof r->error->message];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    leave(r, STICTION_INVALID_CONFIG, at, message);
}

void reader_warn(reader *r, place at, const char *format, ...) {
    if (!r->log) return;
    char message[1200], line[1800];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (at.line > 0)
        (void)snprintf(line, sizeof line, "%.500s:%d: %s", at.path, at.line, message);
    else
        (void)snprintf(line, sizeof line, "%.500s: %s", at.path, message);
    r->log(r->log_user, STICTION_LOG_WARNING, line);
}
