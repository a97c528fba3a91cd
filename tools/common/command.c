/* SPDX-License-Identifier: MIT
 * What all verbs share: errors, printing, configurations and memory.
 */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "document/fail.h"
#include "document/memory_stream.h"
#include "document/names.h"
#include "document/number.h"
#include "document/shown.h"
#include "verb.h"

/* ---- errors as values ---- */

bool fail(stiction_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)stiction_fail_list(error, STICTION_INVALID_ARGUMENT, (stiction_place){0}, format,
                             arguments);
    va_end(arguments);
    return false;
}

int fail_usage(stiction_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)stiction_fail_list(error, STICTION_INVALID_ARGUMENT, (stiction_place){0}, format,
                             arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

bool fail_at(stiction_error *error, const char *path, size_t line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)stiction_fail_list(error, STICTION_INVALID_CONFIG,
                             (stiction_place){.path = path, .line = (int)line}, format, arguments);
    va_end(arguments);
    return false;
}

bool fail_errno(stiction_error *error, const char *path) {
    return fail(error, "%s: %s", path, strerror(errno));
}

bool fail_first(stiction_error *error, const stiction_errors *errors, stiction_status status) {
    const size_t count = stiction_errors_count(errors);
    if (count == 0) return fail(error, "%s", stiction_status_name(status));
    *error = *stiction_errors_at(errors, 0);
    const size_t length = strlen(error->message);
    if (count > 1)
        (void)snprintf(error->message + length, sizeof error->message - length,
                       " (and %zu more error%s)", count - 1, count > 2 ? "s" : "");
    return false;
}

/* ---- printing ---- */

static char *format_list(const char *format, va_list arguments);

/* One line, in which control characters of the arguments are escaped. */
static void print_escaped(FILE *out, const char *start, const char *format, va_list arguments) {
    AUTO_FREE char *text = format_list(format, arguments);
    (void)stiction_show_to(out, start);
    (void)stiction_show_to(out, text);
    (void)fputc('\n', out);
}

void show_line(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_escaped(stdout, "", format, arguments);
    va_end(arguments);
}

void write_line(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_escaped(out, "", format, arguments);
    va_end(arguments);
}

void print_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_escaped(stderr, "", format, arguments);
    va_end(arguments);
}

bool print_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_escaped(stderr, "stiction: ", format, arguments);
    va_end(arguments);
    return false;
}

bool report_error(const stiction_error *error) {
    char line[sizeof error->path + sizeof error->message + 64];
    (void)stiction_error_format(error, line, sizeof line);
    print_note(error->path[0] ? "%s" : "stiction: %s", line);
    return false;
}

bool report_errors(const stiction_errors *errors) {
    for (size_t k = 0; k < stiction_errors_count(errors); k++)
        (void)report_error(stiction_errors_at(errors, k));
    return false;
}

int flush_output(void) {
    static int first;
    errno = 0;
    const bool fails_now = fflush(stdout) != 0;
    if (!first && fails_now) first = errno ? errno : EIO;
    if (!first && ferror(stdout)) first = EIO; /* it failed before and works again */
    return first;
}

void print_log(void *user, stiction_log_level level, const char *message) {
    (void)user;
    if (level != STICTION_LOG_INFO)
        print_note("%s: %s", level == STICTION_LOG_ERROR ? "error" : "warning", message);
}

void print_messages(void *user, stiction_log_level level, const char *message) {
    if (level == STICTION_LOG_INFO)
        print_note("%s", message);
    else
        print_log(user, level, message);
}

stiction_config *load_config(const char *path) {
    stiction_config *config = NULL;
    stiction_errors *errors = stiction_errors_create();
    const stiction_status status = stiction_config_load(path, &config, errors);
    (void)report_errors(errors);
    if (status != STICTION_OK && stiction_errors_count(errors) == 0)
        print_error("%s: %s", path, stiction_status_name(status));
    stiction_errors_destroy(errors);
    return config;
}

/* The names and patterns of a configuration; the caller frees the array. */
static const char **patterns_of(const stiction_config *config, size_t *count) {
    *count = stiction_config_joint_count(config);
    const char **patterns = allocate(*count, sizeof *patterns);
    for (size_t k = 0; k < *count; k++) patterns[k] = stiction_config_joint_at(config, k, NULL);
    return patterns;
}

bool find_joint(const stiction_config *config, const char *path, const char *name,
                stiction_joint_def *def, stiction_error *error) {
    if (stiction_config_find_joint(config, name, def)) return true;
    size_t count;
    AUTO_FREE const char **patterns = patterns_of(config, &count);
    char hint[NAME_HINT_SIZE];
    if (count == 0)
        (void)fail(error, "%s: it has no joints", path);
    else
        (void)fail(error, "%s: nothing matches joint '%s'%s", path, name,
                   stiction_name_hint(name, patterns, count, hint));
    return false;
}

const char *law_hint(const char *name, char buffer[NAME_HINT_SIZE]) {
    const size_t count = stiction_law_info_count();
    AUTO_FREE const char **names = allocate(count, sizeof *names);
    stiction_law_info law;
    for (size_t k = 0; stiction_law_info_at(k, &law); k++) names[k] = law.name;
    return stiction_name_hint(name, names, count, buffer);
}

/* ---- numbers ---- */

bool read_number(const char *text, double *value) {
    return stiction_number_read_loosely(text, value);
}

/* ---- time ---- */

double monotonic_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- memory ---- */

void *must_have(void *memory) {
    if (memory) return memory;
    fputs("stiction: out of memory\n", stderr);
    exit(EXIT_DATA);
}

void need_memory(void) {
    if (errno == ENOMEM) (void)must_have(NULL);
}

void *allocate(size_t count, size_t size) {
    return must_have(calloc(count ? count : 1, size));
}

void *reallocate(void *memory, size_t count, size_t size) {
    if (count > (size_t)-1 / size) must_have(NULL);
    return must_have(realloc(memory, count ? count * size : 1));
}

char *copy_text(const char *text) {
    return must_have(strdup(text));
}

char *shown_text(const char *text) {
    return must_have(stiction_shown_copy(text));
}

static char *format_list(const char *format, va_list arguments) {
    char *text = NULL;
    size_t size;
    FILE *stream = must_have(stiction_memory_stream(&text, &size));
    (void)vfprintf(stream, format, arguments);
    return must_have(fclose(stream) == 0 ? text : NULL);
}

char *format_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    return text;
}

void append_text(char **text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    AUTO_FREE char *more = format_list(format, arguments);
    va_end(arguments);
    const size_t length = *text ? strlen(*text) : 0, size = strlen(more) + 1;
    *text = reallocate(*text, length + size, 1);
    memcpy(*text + length, more, size);
}
