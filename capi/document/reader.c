/* SPDX-License-Identifier: MIT
 * What the readers of robot files share: memory, files, numbers, warnings and errors.
 */
#include "reader.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c_locale.h"
#include "file.h"
#include "memory_stream.h"
#include "number.h"
#include "shown.h"

_Noreturn void stiction_reader_no_memory(reader *r) {
    (void)stiction_fail(r->error, STICTION_OUT_OF_MEMORY, "out of memory");
    longjmp(r->out, 1);
}

_Noreturn void stiction_reader_refuse(reader *r, stiction_place at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)stiction_fail_list(r->error, STICTION_INVALID_CONFIG, at, format, arguments);
    va_end(arguments);
    longjmp(r->out, 1);
}

_Noreturn void stiction_reader_refuse_as(reader *r, const stiction_error *error) {
    if (r->error) *r->error = *error;
    longjmp(r->out, 1);
}

void *stiction_reader_alloc(reader *r, size_t size) {
    void *memory = stiction_arena_take(&r->memory, size);
    if (!memory) stiction_reader_no_memory(r);
    return memory;
}

void *stiction_reader_own(reader *r, size_t size, void (*finish)(void *)) {
    void *memory = stiction_arena_own(&r->memory, size, finish);
    if (!memory) stiction_reader_no_memory(r);
    return memory;
}

static void free_errors(void *errors) {
    stiction_errors_destroy(*(stiction_errors **)errors);
}

stiction_errors *stiction_reader_errors(reader *r) {
    stiction_errors **errors = stiction_reader_own(r, sizeof(stiction_errors *), free_errors);
    *errors = stiction_errors_create();
    if (!*errors) stiction_reader_no_memory(r);
    return *errors;
}

void *stiction_reader_grow(reader *r, void *items, size_t count, size_t item_size) {
    /* the array is full when its count is 0 or a power of two from 8 on */
    const bool full = count == 0 || (count >= 8 && (count & (count - 1)) == 0);
    if (!full) return items;
    void *grown = stiction_reader_alloc(r, (count ? 2 * count : 8) * item_size);
    if (count) memcpy(grown, items, count * item_size);
    return grown;
}

void stiction_reader_permit(reader *r, stiction_place at, const char *path) {
    char message[ACCESS_MESSAGE];
    stiction_file_notes_add(r->notes, path);
    if (!stiction_access_permits(r->untrusted, path, message))
        stiction_reader_refuse(r, at, "%s", message);
}

char *stiction_reader_file(reader *r, stiction_place at, const char *path, size_t *size) {
    file_problem problem;
    const bool is_named = at.path && strcmp(at.path, path) != 0;
    stiction_file_notes_add(r->notes, path);
    if (is_named) stiction_reader_permit(r, at, path);
    char *text = stiction_file_read(&r->memory, path, FILE_MOST_DOCUMENT, size, &problem);
    if (text) {
        r->bytes += *size;
        if (r->bytes > FILE_MOST_DOCUMENTS)
            stiction_reader_refuse(r, at, "with '%s' more than %d MiB are read", path,
                                   (int)(FILE_MOST_DOCUMENTS >> 20));
        return text;
    }
    if (problem.status == STICTION_OUT_OF_MEMORY) stiction_reader_no_memory(r);
    if (is_named) stiction_reader_refuse(r, at, "cannot read '%s': %s", path, problem.text);
    stiction_reader_refuse(r, (stiction_place){path, 0, 0}, "the file cannot be read: %s",
                           problem.text);
}

static void finish_stream(void *memory) {
    text_stream *stream = memory;
    if (stream->file) (void)fclose(stream->file);
    free(stream->text);
}

text_stream *stiction_reader_stream(reader *r) {
    text_stream *stream = stiction_reader_own(r, sizeof *stream, finish_stream);
    stream->file = stiction_memory_stream(&stream->text, &stream->size);
    if (!stream->file) stiction_reader_no_memory(r);
    return stream;
}

const char *stiction_reader_stream_text(reader *r, text_stream *stream) {
    const bool written = fclose(stream->file) == 0;
    stream->file = NULL;
    if (!written) stiction_reader_no_memory(r);
    return stream->text;
}

char *stiction_reader_format(reader *r, const char *format, ...) {
    text_stream *stream = stiction_reader_stream(r);
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(stream->file, format, arguments);
    va_end(arguments);
    (void)stiction_reader_stream_text(r, stream);
    return stream->text;
}

char *stiction_reader_text(reader *r, const char *text) {
    char *copy = stiction_arena_text(&r->memory, text, strlen(text));
    if (!copy) stiction_reader_no_memory(r);
    return copy;
}

const char *stiction_reader_beside(reader *r, const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || !slash) return name;
    return stiction_reader_format(r, "%.*s/%s", (int)(slash - path), path, name);
}

double stiction_reader_number(reader *r, stiction_place at, const char *what, const char *text) {
    static const char space[] = " \t\r\n";
    double value;
    text += strspn(text, space);
    size_t length = strlen(text);
    while (length && strchr(space, text[length - 1])) length--;
    if (text[length]) text = stiction_reader_format(r, "%.*s", (int)length, text);
    switch (stiction_number_read(text, &value)) {
    case NUMBER_OK:
    case NUMBER_LEADING_ZERO:
        return value;
    case NUMBER_NOT_FINITE:
        stiction_reader_refuse(r, at, "%s %.100s is not finite", what, text);
    case NUMBER_TOO_SMALL:
        stiction_reader_refuse(r, at, "%s %.100s is too small for double precision", what, text);
    default:
        stiction_reader_refuse(r, at, "%s must be a number, not '%.100s'", what, text);
    }
}

/* A function of its own, since setjmp spoils locals. */
static void *try_call(reader *r, void *call(reader *r, const void *context), const void *context) {
    return setjmp(r->out) == 0 ? call(r, context) : NULL;
}

void *stiction_reader_run(reader *r, void *call(reader *r, const void *context),
                          const void *context) {
    (void)stiction_succeed(r->error);
    const c_locale locale = c_locale_enter();
    void *made = try_call(r, call, context);
    c_locale_leave(locale);
    if (!made) stiction_arena_free(&r->memory);
    return made;
}

void stiction_reader_warn(reader *r, stiction_place at, const char *format, ...) {
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
    stiction_show_in_place(line, sizeof line);
    r->log(r->log_user, STICTION_LOG_WARNING, line);
}
