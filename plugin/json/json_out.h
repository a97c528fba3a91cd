/*
 * JSON as we write it: a tree of jansson's, whatever the locale and the texts, with all digits and
 * the keys in the order in which they were set. No other file prints JSON by hand, but for the
 * pages, whose numbers are rounded to what a plot can show.
 */
#ifndef STICTION_JSON_JSON_OUT_H
#define STICTION_JSON_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Null where it is not finite; without a fraction where it has none. NULL: no memory. */
json_t *json_out_number(double value);

/* What is no UTF-8 is shown as in messages, \\xff. A NULL is an empty text. NULL: no memory. */
json_t *json_out_text(const char *text);

/* Takes the value, a NULL too, which makes it false; so does a lack of memory. */
bool json_out_set(json_t *object, const char *key, json_t *value);

/* With a line end behind it. A list or map that holds no other stands on one line, so that a row of
 * a table does. False: it could not be written. */
bool json_out_print(const json_t *value, FILE *out);

/* The same into a file, whole and synced or not at all. False: errno says why. */
bool json_out_write(const json_t *value, const char *path);

#endif
