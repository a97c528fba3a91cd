/*
 * Conditions over names: `static_torque > coulomb_torque && kp * 2 <= 100`. They are read once and
 * asked for many runs, whose values are texts that somebody else gives: settings or figures.
 *
 *   or, ||   and, &&   not, !     truths
 *   < <= > >= == !=               also in a row: 0 < kp <= 50
 *   + - * /                       numbers
 *   min(a, b, ...) max(a, b, ...) abs(a) sqrt(a)
 *   20, 1.5e-3                    a number
 *   kp, controller.kp, RWRR.rms_error  a name; with other characters in backquotes: `a-b.kp`
 *   'text', "text"                a text; behind == and != a word that no name is, is one, too
 *
 * == and != compare numbers where both sides are numbers, else texts. A value that is null or empty
 * is no number: nothing is above, below or equal to it, but it is == null.
 */
#ifndef STICTION_TOOLS_SWEEP_CONDITION_H
#define STICTION_TOOLS_SWEEP_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct condition condition;

/* Who knows the values: the text of a name, which stays until condition_holds returns; NULL:
 * nothing has this name. */
typedef struct condition_names {
    void *user;
    const char *(*text)(void *user, const char *name);
} condition_names;

/* NULL: *mistake is a sentence that begins with the column, which the caller frees. */
condition *condition_read(const char *text, char **mistake);
/* The same of a number, such as `RWRR.rms_error + 0.01 * RWRR.peak_torque`. */
condition *condition_read_number(const char *text, char **mistake);
void condition_free(condition *c); /* NULL is fine */

/* The names that must have a value, each once; a word that may be a text is none of them. */
size_t condition_name_count(const condition *c);
const char *condition_name(const condition *c, size_t k);
/* Whether `is` holds of a word that may be a text. */
bool condition_has_word(const condition *c, bool (*is)(const char *word));
/* Where a name first stands in the text, from 1. */
size_t condition_name_column(const condition *c, size_t k);

/* False, and *holds false: a name has no value, or a text stands where a number must. */
bool condition_holds(const condition *c, const condition_names *names, bool *holds);
/* Of condition_read_number; a figure that is null makes it NaN. */
bool condition_number(const condition *c, const condition_names *names, double *value);
/* Why one of the two is false, as a sentence; NULL: it is not. The caller frees it. */
char *condition_problem(const condition *c, const condition_names *names);

#endif
