/*
 * Words of --plot: KEY=VALUE with commas between. A comma may be in a value, too (log=x,y, or a
 * function in a condition): only one before another key ends it.
 */
#include "sweep/picture_spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

static const char *const keys[] = {"x",     "y",  "z",      "by",  "wrap", "where",
                                   "title", "of", "better", "log", "range"};
enum { key_count = sizeof keys / sizeof keys[0] };

/* The key at the start of a text, behind which a = stands that is no ==; key_count: none. */
static size_t key_at(const char *text) {
    for (size_t k = 0; k < key_count; k++) {
        const size_t length = strlen(keys[k]);
        if (strncmp(text, keys[k], length) == 0 && text[length] == '=' && text[length + 1] != '=')
            return k;
    }
    return key_count;
}

/* The end of a value: the comma before the next key. */
static const char *value_end(const char *value) {
    for (const char *c = value; *c; c++)
        if (*c == ',' && key_at(c + 1) < key_count) return c;
    return value + strlen(value);
}

/* One of some words; false after a sentence. */
static bool read_word(const char *key, const char *value, const char *const *words, size_t count,
                      size_t *found) {
    char hint[NAME_HINT_SIZE];
    for (*found = 0; *found < count; (*found)++)
        if (strcmp(value, words[*found]) == 0) return true;
    return complain("--plot: %s=%s: no such word%s", key, value,
                    stiction_name_hint(value, words, count, hint));
}

static bool read_log(picture_spec *s, const char *value) {
    static const char *const axes[] = {"x", "y", "z"};
    bool *const logs[] = {&s->log_x, &s->log_y, &s->log_z};
    char *copy = copy_text(value), *rest = copy, *word;
    bool fine = true;
    size_t axis;
    while (fine && (word = strsep(&rest, ",")))
        if ((fine = read_word("log", word, axes, 3, &axis))) *logs[axis] = true;
    free(copy);
    return fine;
}

/* LOW:HIGH, of which one may be left away. */
static bool read_range(picture_spec *s, const char *value) {
    const char *colon = strchr(value, ':');
    char *low = colon ? format_text("%.*s", (int)(colon - value), value) : NULL;
    const bool fine = colon && (!*low || (read_number(low, &s->low) && isfinite(s->low))) &&
                      (!colon[1] || (read_number(colon + 1, &s->high) && isfinite(s->high))) &&
                      !(s->low >= s->high);
    free(low);
    return fine || complain("--plot: range=%s: must be LOW:HIGH, LOW below HIGH", value);
}

static bool read_value(picture_spec *s, size_t key, const char *word, const char *value) {
    static const char *const ofs[] = {"worst", "mean", "best"};
    static const char *const betters[] = {"lower", "higher"};
    char **const texts[] = {&s->x, &s->y, &s->z, &s->by, &s->wrap, &s->where, &s->title};
    size_t choice;
    if (!*value) return complain("--plot: %s= has no value", word);
    if (key < sizeof texts / sizeof texts[0]) {
        if (*texts[key]) return complain("--plot: %s is given twice", word);
        *texts[key] = copy_text(value);
        return true;
    }
    if (strcmp(word, "log") == 0) return read_log(s, value);
    if (strcmp(word, "range") == 0) return read_range(s, value);
    const bool is_of = strcmp(word, "of") == 0;
    if (!read_word(word, value, is_of ? ofs : betters, is_of ? 3 : 2, &choice)) return false;
    if (is_of)
        s->of = (picture_of)choice;
    else
        s->higher_is_better = choice == 1;
    return true;
}

static bool tell_key(const char *text) {
    char hint[NAME_HINT_SIZE];
    char *key = format_text("%.*s", (int)strcspn(text, "=,"), text);
    (void)complain("--plot: '%s' is no key of it%s", key,
                   stiction_name_hint(key, keys, key_count, hint));
    free(key);
    return false;
}

/* A comma that was meant to begin another key: ",col=..." */
static bool has_other_key(const char *value, const char *end) {
    for (const char *c = value; c < end; c++) {
        if (*c != ',') continue;
        const char *word = c + 1;
        const size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz_");
        if (length && word[length] == '=' && word[length + 1] != '=') return !tell_key(word);
    }
    return false;
}

bool picture_spec_read(picture_spec *s, const char *text) {
    *s = (picture_spec){.of = PICTURE_WORST, .low = (double)NAN, .high = (double)NAN};
    while (*text) {
        const size_t key = key_at(text);
        if (key == key_count) return tell_key(text);
        const char *value = text + strlen(keys[key]) + 1, *end = value_end(value);
        if (has_other_key(value, end)) return false;
        char *copy = format_text("%.*s", (int)(end - value), value);
        const bool fine = read_value(s, key, keys[key], copy);
        free(copy);
        if (!fine) return false;
        text = *end ? end + 1 : end;
    }
    if (!s->x || !s->y)
        return complain("--plot needs x= and y=, as in x=controller.kp,y=controller.kv,"
                        "z=JOINT.rms_error");
    return !(s->z && s->by) || complain("--plot: by= is of lines; a heat map (z=) has none");
}

void picture_spec_free(picture_spec *s) {
    free(s->x);
    free(s->y);
    free(s->z);
    free(s->by);
    free(s->wrap);
    free(s->where);
    free(s->title);
}
