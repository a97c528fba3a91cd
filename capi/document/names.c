/* SPDX-License-Identifier: MIT
 * Matching and comparing names. A match takes time of pattern times name at the most, and a pattern
 * is short.
 */
#include "names.h"

#include <stdio.h>
#include <string.h>

bool stiction_name_is_pattern(const char *text) {
    return text && strpbrk(text, "*?[") != NULL;
}

/* Where the set that starts after '[' ends (at its ']'), or NULL. `last` is the last ']' of the
 * pattern, so that a set without one is not searched to the end. */
static const char *set_end(const char *set, const char *last) {
    if (*set == '!') set++;
    /* a ] in the first place belongs to the set */
    return last && set < last ? strchr(set + 1, ']') : NULL;
}

static bool set_contains(const char *set, const char *end, char c) {
    const bool negated = *set == '!';
    if (negated) set++;
    bool found = false;
    for (; set < end; set++) {
        if (set + 2 < end && set[1] == '-') {
            found = found || (set[0] <= c && c <= set[2]);
            set += 2;
        } else {
            found = found || *set == c;
        }
    }
    return found != negated;
}

/* Matches one place of the pattern with one character; moves the pattern on. */
static bool match_one(const char **pattern, const char *last, char c) {
    const char *p = *pattern;
    if (*p == '[') {
        const char *end = set_end(p + 1, last);
        if (end) {
            *pattern = end + 1;
            return set_contains(p + 1, end, c);
        }
    }
    *pattern = p + 1;
    return *p == '?' || *p == c;
}

bool stiction_name_matches(const char *pattern, const char *name) {
    if (!pattern || !name) return false;
    if (strlen(pattern) > NAME_MOST) return strcmp(pattern, name) == 0;
    const char *last = strrchr(pattern, ']');
    /* after a failure, go back to the last * and let it take one character more */
    const char *retry_pattern = NULL, *retry_name = NULL;
    while (*name) {
        const char *next = pattern;
        if (*pattern == '*') {
            retry_pattern = ++pattern;
            retry_name = name;
        } else if (*pattern && match_one(&next, last, *name)) {
            pattern = next;
            name++;
        } else if (retry_pattern) {
            pattern = retry_pattern;
            name = ++retry_name;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

/* Levenshtein's distance of the first `most` bytes, in one row; case is no difference. */
enum { most = 128 };

static size_t clipped_length(const char *text) {
    const size_t length = strlen(text);
    return length < most ? length : most;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t distance(const char *a, const char *b) {
    size_t row[most + 1];
    const size_t m = clipped_length(a), n = clipped_length(b);
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const size_t replace = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            size_t best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            row[j] = replace < best ? replace : best;
        }
    }
    return row[n];
}

/* A slip of the hand: a third of the longer name, or a part of one that was left out. */
static bool is_near(const char *text, const char *name, size_t d) {
    const size_t m = clipped_length(text), n = clipped_length(name), longer = m > n ? m : n;
    if (d <= 1 || 3 * d <= longer + 1) return m > 0;
    return (m >= 2 && strncmp(text, name, m) == 0) || (n >= 2 && strncmp(text, name, n) == 0) ||
           (m >= 3 && strstr(name, text)) || (n >= 3 && strstr(text, name));
}

const char *stiction_nearest_name(const char *text, const char *const *list, size_t count) {
    const char *nearest = NULL;
    size_t least = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t d = distance(text, list[k]);
        if ((!nearest || d < least) && is_near(text, list[k], d)) {
            nearest = list[k];
            least = d;
        }
    }
    return nearest;
}

/* "; there are 'A', 'B' and 'C'", or nothing where that would be long. */
static const char *list_all(const char *const *list, size_t count, char buffer[NAME_HINT_SIZE]) {
    enum { longest = 200 };
    int length = snprintf(buffer, NAME_HINT_SIZE, "; there %s", count == 1 ? "is only" : "are");
    for (size_t k = 0; k < count && length <= longest; k++)
        length += snprintf(buffer + length, NAME_HINT_SIZE - (size_t)length, "%s '%.80s'",
                           k == 0          ? ""
                           : k + 1 < count ? ","
                                           : " and",
                           list[k]);
    if (!count || length > longest) buffer[0] = '\0';
    return buffer;
}

const char *stiction_name_hint(const char *text, const char *const *list, size_t count,
                               char buffer[NAME_HINT_SIZE]) {
    const char *nearest = stiction_nearest_name(text, list, count);
    if (!nearest) return list_all(list, count, buffer);
    (void)snprintf(buffer, NAME_HINT_SIZE, "; the nearest is '%.200s'", nearest);
    return buffer;
}
