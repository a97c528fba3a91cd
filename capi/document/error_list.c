/*
 * A list of errors: in file order, each mistake once, up to a limit.
 */
#include "error_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/utf8.h"
#include "fail.h"

typedef struct listed {
    stiction_error error;
    size_t who; /* the length of "joint 'X': " before the sentence */
} listed;

struct stiction_errors {
    listed *entries[ERRORS_LIMIT];
    size_t count;
    size_t first;           /* of this pass */
    size_t more;            /* beyond the limit, or that there was no memory for */
    stiction_error last;    /* says how many */
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
    char place[32] = "";
    if (error->line > 0) (void)snprintf(place, sizeof place, "%d:%d: ", error->line, error->column);
    const char *between = !error->path[0] ? "" : error->line > 0 ? ":" : ": ";
    const int length =
        snprintf(buffer, size, "%s%s%s%s", error->path, between, place, error->message);
    return length > 0 ? (size_t)length : 0;
}

void errors_begin(stiction_errors *errors) {
    errors->first = errors->count;
    errors->beyond = STICTION_OK;
}

stiction_status errors_status(const stiction_errors *errors) {
    if (errors->first < errors->count) return errors->entries[errors->first]->error.status;
    return errors->beyond;
}

bool errors_full(const stiction_errors *errors) {
    return errors->count == ERRORS_LIMIT;
}

/* Of one pass: all of one file. */
static bool stands_before(const stiction_error *a, const stiction_error *b) {
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

static void count_one_more(stiction_errors *errors, stiction_status status) {
    errors->more++;
    if (errors->beyond == STICTION_OK) errors->beyond = status;
    (void)fail(&errors->last, errors->beyond, "and %zu more", errors->more);
}

/* Whether an error at this place would come behind a list that is full. */
static bool lies_beyond(const stiction_errors *errors, error_place at) {
    if (!errors_full(errors)) return false;
    if (errors->first == errors->count) return true;
    const stiction_error *last = &errors->entries[errors->count - 1]->error;
    return at.line != last->line ? at.line > last->line : at.column > last->column;
}

/* Where an entry belongs; false where it is there already. */
static bool find_place(const stiction_errors *errors, const listed *entry, size_t *place) {
    size_t k = errors->count;
    while (k > errors->first && stands_before(&entry->error, &errors->entries[k - 1]->error)) k--;
    *place = k;
    for (; k > errors->first; k--) {
        const listed *other = errors->entries[k - 1];
        if (stands_before(&other->error, &entry->error)) break;
        if (strcmp(other->error.message + other->who, entry->error.message + entry->who) == 0)
            return false;
    }
    return true;
}

static void insert(stiction_errors *errors, listed *entry) {
    size_t place;
    if (!find_place(errors, entry, &place)) {
        free(entry);
        return;
    }
    if (errors_full(errors)) {
        /* what is listed is what stands first in the file */
        count_one_more(errors, entry->error.status);
        if (place == errors->count) {
            free(entry);
            return;
        }
        free(errors->entries[--errors->count]);
    }
    memmove(errors->entries + place + 1, errors->entries + place,
            (errors->count - place) * sizeof errors->entries[0]);
    errors->entries[place] = entry;
    errors->count++;
}

void errors_add(stiction_errors *errors, error_place at, const char *who, stiction_status status,
                const char *format, ...) {
    listed *entry = lies_beyond(errors, at) ? NULL : calloc(1, sizeof *entry);
    if (!entry) {
        count_one_more(errors, status);
        return;
    }
    stiction_error *error = &entry->error;
    *error = (stiction_error){.status = status, .line = at.line, .column = at.column};
    (void)snprintf(error->path, sizeof error->path, "%s", at.path ? at.path : "");
    (void)snprintf(error->message, sizeof error->message, "%s", who);
    entry->who = strlen(error->message);

    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error->message + entry->who, sizeof error->message - entry->who, format,
                    arguments);
    va_end(arguments);
    utf8_clean(error->message);
    insert(errors, entry);
}

void errors_add_error(stiction_errors *errors, const stiction_error *error) {
    errors_add(errors, (error_place){error->path, error->line, error->column}, "", error->status,
               "%s", error->message);
}
