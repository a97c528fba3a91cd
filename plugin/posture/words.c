/*
 * Reading and comparing words. Bytes, without regard to the locale of the host.
 */
#include "words.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

bool words_is_pattern(const char *text) {
    return strpbrk(text, "*?[") != NULL;
}

bool words_match(const char *pattern, const char *name) {
    return strcmp(pattern, name) == 0 || fnmatch(pattern, name, FNM_NOESCAPE) == 0;
}

size_t words_distance(const char *a, const char *b) {
    enum { most = 64 };
    size_t row[most + 1]; /* Levenshtein's, of the first letters */
    const size_t m = strnlen(a, most), n = strnlen(b, most);
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            const size_t inserted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < inserted ? replaced : inserted;
        }
    }
    return row[n];
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
