/* SPDX-License-Identifier: MIT */
/* Comparing words: bytes, without regard to the locale of the host. */
#include "words.h"

#include <string.h>

#include "document/names.h"

const char *words_nearer(const char *word, const char *name, const char *other) {
    const char *const both[] = {other ? other : name, name};
    return stiction_nearest_name(word, both, 2);
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
