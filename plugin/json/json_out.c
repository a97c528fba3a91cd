/* SPDX-License-Identifier: MIT
 * JSON as we write it. jansson prints keys and values; the lines are ours.
 */
#include "json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/shown.h"
#include "storage/whole.h"

json_t *json_out_number(double value) {
    static const double exact = 9007199254740992; /* 2^53: integers below have no gaps */
    if (!isfinite(value)) return json_null();
    const bool whole =
        value == floor(value) && fabs(value) < exact && !(value == 0 && signbit(value));
    return whole ? json_integer((json_int_t)value) : json_real(value);
}

json_t *json_out_text(const char *text) {
    json_t *value = json_string(text ? text : "");
    if (value) return value;
    char *clean = stiction_shown_copy(text ? text : "");
    value = clean ? json_string(clean) : NULL;
    free(clean);
    return value;
}

bool json_out_set(json_t *object, const char *key, json_t *value) {
    /* jansson takes the value even if it fails: hold it for the second try */
    json_incref(value);
    bool fine = json_object_set_new(object, key, value) == 0;
    if (!fine && value) {
        char *clean = stiction_shown_copy(key);
        fine = clean && json_object_set(object, clean, value) == 0;
        free(clean);
    }
    json_decref(value);
    return fine;
}

/* ---- printing ---- */

static bool is_container(const json_t *value) {
    return json_is_object(value) || json_is_array(value);
}

static size_t size_of(const json_t *value) {
    return json_is_object(value) ? json_object_size(value) : json_array_size(value);
}

static bool holds_containers(json_t *value) {
    const char *key;
    size_t index;
    json_t *entry;
    json_object_foreach(value, key, entry) if (is_container(entry) && size_of(entry)) return true;
    json_array_foreach(value, index, entry) if (is_container(entry) && size_of(entry)) return true;
    return false;
}

static bool print(json_t *value, FILE *out, int depth);

static bool print_entry(const char *key, json_t *entry, FILE *out, int depth, bool last) {
    fprintf(out, "%*s", 2 * depth, "");
    bool fine = true;
    if (key) {
        json_t *text = json_string(key);
        fine = text && json_dumpf(text, out, JSON_ENCODE_ANY) == 0;
        json_decref(text);
        fputs(": ", out);
    }
    fine = print(entry, out, depth) && fine;
    return fputs(last ? "\n" : ",\n", out) != EOF && fine;
}

static bool print(json_t *value, FILE *out, int depth) {
    if (!is_container(value) || !holds_containers(value))
        return json_dumpf(value, out, JSON_ENCODE_ANY) == 0;
    const char *key;
    size_t index, printed = 0;
    const size_t count = size_of(value);
    json_t *entry;
    bool fine = true;
    fputs(json_is_object(value) ? "{\n" : "[\n", out);
    json_object_foreach(value, key, entry) fine =
        print_entry(key, entry, out, depth + 1, ++printed == count) && fine;
    json_array_foreach(value, index, entry) fine =
        print_entry(NULL, entry, out, depth + 1, ++printed == count) && fine;
    fprintf(out, "%*s%c", 2 * depth, "", json_is_object(value) ? '}' : ']');
    return fine;
}

bool json_out_print(const json_t *value, FILE *out) {
    /* jansson's iterators are not const, but change nothing */
    const bool fine = print((json_t *)value, out, 0);
    return fputc('\n', out) != EOF && fine && !ferror(out);
}

static bool print_to(FILE *out, const void *value) {
    return json_out_print(value, out);
}

bool json_out_write(const json_t *value, const char *path) {
    return storage_file_write(path, print_to, value);
}
