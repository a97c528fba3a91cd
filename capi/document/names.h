/* SPDX-License-Identifier: MIT
 * Names and patterns of joints: bytes, without regard to the locale.
 */
#ifndef STICTION_CAPI_DOCUMENT_NAMES_H
#define STICTION_CAPI_DOCUMENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* The bytes of a name or pattern of a joint, a link or a profile that a file may have. */
enum { NAME_MOST = 1000 };

/* The bytes of all patterns of joints that a file may have: each is compared with each joint, which
 * takes time of its own length times that of the name. */
enum { PATTERNS_MOST = 16384 };

/* Whether a text is a pattern: whether it has any of * ? [ in it. */
bool stiction_name_is_pattern(const char *text);

/* Whether a name matches a glob with *, ?, [abc], [a-z], [!abc]; a [ without its ] matches
 * itself. Other names match themselves; a text longer than NAME_MOST is not a pattern. */
bool stiction_name_matches(const char *pattern, const char *name);

/* The entry of a list that may have been meant: the nearest to the text by edit distance, the first
 * of several, where this is at most a third of the longer one or one is a part of the other. NULL:
 * none is near. */
const char *stiction_nearest_name(const char *text, const char *const *list, size_t count);

/* What to add after a name that a list lacks: "; the nearest is 'X'" where one is near, else all
 * of them where they are few: "; there are 'A' and 'B'", else "". The text is in the buffer. */
enum { NAME_HINT_SIZE = 320 };
const char *stiction_name_hint(const char *text, const char *const *list, size_t count,
                               char buffer[NAME_HINT_SIZE]);

STICTION_END_C

#endif
