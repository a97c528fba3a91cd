/*
 * JSON that is read: a regular file within a limit, and a sentence that quotes nothing of it.
 */
#ifndef STICTION_JSON_JSON_IN_H
#define STICTION_JSON_JSON_IN_H

#include <jansson.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* A file of at most FILE_MOST_SUMMARY bytes in which no key is given twice; the caller's. NULL:
 * *error, which may be NULL, says why, and errno where it could not be opened. */
json_t *json_in_read(const char *path, stiction_error *error);
/* The same of a text; `path` stands in the error. */
json_t *json_in_parse(const char *text, size_t size, const char *path, stiction_error *error);

STICTION_END_C

#endif
