/* SPDX-License-Identifier: MIT
 * A list of errors: in file order, each error once, up to a limit.
 */
#include "error_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct listed {
    stiction_error error;
    const char *key; /* what is wrong; NULL: unlike any other */
} listed;

struct stiction_errors {
    listed *entries[ERRORS_LIMIT];
    size_t count;
    size_t first;           /* of this pass */
    size_t more;            /* beyond the limit, or that there was no memory for */
    bool without_memory;    /* the latter */
    stiction_error last;    /* with their number */
    stiction_status beyond; /* of the first of this pass that is not listed */
};

stiction_errors *stiction_errors_create(void) {
    return calloc(1, sizeof(stiction_errors));
}

void stiction_errors_destroy(stiction_errors *errors) {
    if (!errors) return;
    for (size_t k = 0; k < errors->count; k++) free(errors->entries[k]);
    free(errors);
}

size_t stiction_errors_count(const stiction_errors *errors) {
    return errors ? errors->count + (errors->more > 0) : 0;
}

const stiction_error *stiction_errors_at(const stiction_errors *errors, size_t index) {
    if (index >= stiction_errors_count(errors)) return NULL;
    return index < errors->count ? &errors->entries[index]->error : &errors->last;
}

size_t stiction_error_format(const stiction_error *error, char *buffer, size_t size) {
    if (!buffer) size = 0;
    if (!error) {
        if (size) *buffer = '\0';
        return 0;
    }
    char at[32] = "";
    if (error->line > 0 && error->column > 0)
        (void)snprintf(at, sizeof at, "%d:%d: ", error->line, error->column);
    else if (error->line > 0)
        (void)snprintf(at, sizeof at, "%d: ", error->line); /* the line as a whole */
    const char *between = !error->path[0] ? "" : error->line > 0 ? ":" : ": ";
    const int length = snprintf(buffer, size, "%s%s%s%s", error->path, between, at, error->message);
    return length > 0 ? (size_t)length : 0;
}

void stiction_errors_begin(stiction_errors *errors) {
    errors->first = errors->count;
    errors->beyond = STICTION_OK;
}

stiction_status stiction_errors_status(const stiction_errors *errors) {
    if (errors->first < errors->count) return errors->entries[errors->first]->error.status;
    return errors->beyond;
}

bool stiction_errors_full(const stiction_errors *errors) {
    return errors->count == ERRORS_LIMIT;
}

/* Of one pass: all of one file. */
static bool comes_before(const stiction_error *a, const stiction_error *b) {
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Errors that do not fit in memory are dropped; the out-of-memory error itself is kept. */
static void note_no_memory(stiction_errors *errors) {
    errors->more++;
    errors->without_memory = true;
    if (errors->beyond == STICTION_OK) errors->beyond = STICTION_OUT_OF_MEMORY;
    (void)stiction_fail(&errors->last, STICTION_OUT_OF_MEMORY, "out of memory");
}

static void count_one_more(stiction_errors *errors, stiction_status status) {
    errors->more++;
    if (errors->without_memory) return;
    if (errors->beyond == STICTION_OK) errors->beyond = status;
    (void)stiction_fail(&errors->last, errors->beyond, "and %zu more", errors->more);
}

/* Where an entry belongs; false where it is there already. */
static bool find_place(const stiction_errors *errors, const listed *entry, size_t *index) {
    size_t k = errors->count;
    while (k > errors->first && comes_before(&entry->error, &errors->entries[k - 1]->error)) k--;
    *index = k;
    for (; k > errors->first; k--) {
        const listed *other = errors->entries[k - 1];
        if (comes_before(&other->error, &entry->error)) break;
        if (entry->key && other->key && other->error.status == entry->error.status &&
            strcmp(other->key, entry->key) == 0)
            return false;
    }
    return true;
}

static void insert(stiction_errors *errors, listed *entry) {
    size_t index;
    if (!find_place(errors, entry, &index)) {
        free(entry);
        return;
    }
    memmove(errors->entries + index + 1, errors->entries + index,
            (errors->count - index) * sizeof errors->entries[0]);
    errors->entries[index] = entry;
    errors->count++;
}

static void add(stiction_errors *errors, const char *key, stiction_place at, const char *who,
                stiction_status status, const char *format, va_list arguments) {
    if (stiction_errors_full(errors)) {
        count_one_more(errors, status);
        return;
    }
    listed *entry = calloc(1, sizeof *entry);
    if (!entry) {
        note_no_memory(errors);
        return;
    }
    char text[sizeof entry->error.message];
    (void)vsnprintf(text, sizeof text, format, arguments);
    (void)stiction_fail_at(&entry->error, status, at, "%s%s", who, text);
    entry->key = key;
    insert(errors, entry);
}

void stiction_errors_add(stiction_errors *errors, stiction_place at, const char *who,
                         stiction_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(errors, format, at, who, status, format, arguments);
    va_end(arguments);
}

void stiction_errors_add_about(stiction_errors *errors, const char *key, stiction_place at,
                               const char *who, stiction_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(errors, key, at, who, status, format, arguments);
    va_end(arguments);
}

void stiction_errors_add_error(stiction_errors *errors, const stiction_error *error) {
    stiction_errors_add_about(errors, NULL,
                              (stiction_place){error->path, error->line, error->column}, "",
                              error->status, "%s", error->message);
}

void stiction_errors_add_no_memory(stiction_errors *errors, const char *path) {
    stiction_errors_add(errors, (stiction_place){path, 0, 0}, "", STICTION_OUT_OF_MEMORY,
                        "out of memory");
}
