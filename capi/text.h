/* Matching and comparing names. */
#ifndef STICTION_CAPI_TEXT_H
#define STICTION_CAPI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text has any of * ? [ in it. */
bool text_is_pattern(const char *text);

/* Whether a name matches a glob with *, ?, [abc], [a-z], [!abc]. Bytes, without regard to the
 * locale; a [ without its ] stands for itself. Takes time of pattern times name at the most. */
bool text_matches(const char *pattern, const char *name);

/* The entry of a list that is nearest to the text by edit distance, or NULL for an empty list. */
const char *text_nearest(const char *text, const char *const *list, size_t count);

/* A copy of the caller's, or NULL where there is no memory. */
char *text_copy(const char *text);

#endif
