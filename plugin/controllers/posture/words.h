/*
 * Words of options and files: numbers without regard to the locale, and the name that was meant.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_WORDS_H
#define STICTION_CONTROLLERS_POSTURE_WORDS_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

/* The "C" locale for the calling thread, so that numbers in texts and messages have a point. */
typedef struct words_locale {
    locale_t own, previous;
} words_locale;

words_locale words_enter(void);
void words_leave(words_locale locale);

/* A decimal number that is finite, and nothing behind it; in the "C" locale. */
bool words_number(const char *text, double *value);

/* The one of two names that is nearer to a word; `other` may be NULL. */
const char *words_nearer(const char *word, const char *name, const char *other);

/* The place of a word in a list such as "qp | pd | torque"; false where it is not there. */
bool words_choose(const char *list, const char *word, size_t *index);

/* A copy of the caller's, or NULL where there is no memory. */
char *words_copy(const char *text);

#endif
