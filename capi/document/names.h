/*
 * Names and patterns of joints: bytes, without regard to the locale.
 */
#ifndef STICTION_CAPI_DOCUMENT_NAMES_H
#define STICTION_CAPI_DOCUMENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* Whether a text is a pattern: whether it has any of * ? [ in it. */
bool stiction_name_is_pattern(const char *text);

/* Whether a name matches a glob with *, ?, [abc], [a-z], [!abc]; a [ without its ] stands for
 * itself. A name that is no pattern matches itself. */
bool stiction_name_matches(const char *pattern, const char *name);

/* The entry of a list that is nearest to the text by edit distance, the first of several; NULL for
 * an empty list. For sentences that say what may have been meant. */
const char *stiction_nearest_name(const char *text, const char *const *list, size_t count);

STICTION_END_C

#endif
