/* SPDX-License-Identifier: MIT
 * Words of options and files: which was meant, and which it is of a list.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_WORDS_H
#define STICTION_CONTROLLERS_POSTURE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The one of two names that is nearer to a word, or NULL where neither may have been meant; `other`
 * may be NULL. */
const char *words_nearer(const char *word, const char *name, const char *other);

/* The place of a word in a list such as "qp | pd | torque"; false where it is not there. */
bool words_choose(const char *list, const char *word, size_t *index);

#endif
