/*
 * Reading and comparing words. Bytes, without regard to the locale of the host.
 */
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/names.h"

words_locale words_enter(void) {
    const locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (words_locale){own, own ? uselocale(own) : (locale_t)0};
}

void words_leave(words_locale locale) {
    if (!locale.own) return;
    (void)uselocale(locale.previous);
    freelocale(locale.own);
}

bool words_number(const char *text, double *value) {
    /* no hexadecimal, no "inf", no spaces: what strtod takes beyond decimals */
    if (!*text || text[strspn(text, "+-.0123456789eE")]) return false;
    char *end;
    *value = strtod(text, &end);
    return !*end && isfinite(*value);
}

const char *words_nearer(const char *word, const char *name, const char *other) {
    const char *const both[] = {other, name};
    return other ? stiction_nearest_name(word, both, 2) : name;
}

bool words_choose(const char *list, const char *word, size_t *index) {
    static const char between[] = " | ";
    for (size_t k = 0; *list; k++) {
        const char *end = strstr(list, between);
        const size_t length = end ? (size_t)(end - list) : strlen(list);
        if (strlen(word) == length && strncmp(list, word, length) == 0) {
            *index = k;
            return true;
        }
        list += end ? length + strlen(between) : length;
    }
    return false;
}

char *words_copy(const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}
