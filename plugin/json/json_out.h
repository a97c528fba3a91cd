/* SPDX-License-Identifier: MIT
 * Writes JSON from a jansson tree, independent of the locale, with all digits and the keys in the
 * order in which they were set. All JSON is written here, except that of report pages, whose
 * numbers are rounded to what a plot can show.
 */
#ifndef STICTION_JSON_JSON_OUT_H
#define STICTION_JSON_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* Null if it is not finite; an integer if it has no fraction. NULL: no memory. */
json_t *json_out_number(double value);

/* Bytes that are not UTF-8 are written as in messages, \\xff. NULL counts as "". NULL: no memory.
 */
json_t *json_out_text(const char *text);

/* Takes the value, a NULL too, which makes it false; so does a lack of memory. */
bool json_out_set(json_t *object, const char *key, json_t *value);

/* Ends with a newline. A list or object without nested ones is written on one line, so that a row
 * of a table is one line. False if it could not be written. */
bool json_out_print(const json_t *value, FILE *out);

/* The same into a file, atomically and synced. False: see errno. */
bool json_out_write(const json_t *value, const char *path);

STICTION_END_C

#endif
