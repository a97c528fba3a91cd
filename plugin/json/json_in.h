/* SPDX-License-Identifier: MIT
 * Reads JSON: a regular file within a size limit, with error messages that do not quote it.
 */
#ifndef STICTION_JSON_JSON_IN_H
#define STICTION_JSON_JSON_IN_H

#include <jansson.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* Reads a file of at most FILE_MOST_SUMMARY bytes in which no key is given twice; the caller owns
 * the result. NULL: see *error, which may be NULL, and errno if the file could not be opened. */
json_t *json_in_read(const char *path, stiction_error *error);
/* The same for a string; `path` is for the error. */
json_t *json_in_parse(const char *text, size_t size, const char *path, stiction_error *error);

STICTION_END_C

#endif
