/* SPDX-License-Identifier: MIT
 * SQL expressions over named values: `where:`, `--keep-series`, the goal of a search and `where=`
 * of a plot. SQLite evaluates them; values come from a callback, as text.
 *
 * Beyond SQL, names may contain dots without quotes (controller.kp, RWRR.rms_error), && || ! mean
 * AND OR NOT, "2 deg" is an angle in radians, and a word after = == != <> that is no name is a
 * text: law = coulomb. Other names need double quotes: "joints.*.viscous". No tables and no
 * subqueries.
 */
#ifndef STICTION_TOOLS_SWEEP_SELECT_H
#define STICTION_TOOLS_SWEEP_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

typedef struct sweep_select sweep_select;

/* NULL with *error; error->column counts from 1 in `sql`, 0: not known. */
sweep_select *sweep_select_read(const char *sql, stiction_error *error);
void sweep_select_free(sweep_select *s); /* NULL is fine */

/* The names in it, each once. */
size_t sweep_select_name_count(const sweep_select *s);
const char *sweep_select_name(const sweep_select *s, size_t k);
/* Where it first occurs in the SQL, from 1. */
size_t sweep_select_name_column(const sweep_select *s, size_t k);
/* It occurs only after = and the like: a text, unless it has a value. */
bool sweep_select_may_be_text(const sweep_select *s, size_t k);

/* The value of a name, valid until the evaluation returns. A text that is a number compares as a
 * number, "" is null. NULL: there is no such name, which is an error unless it may be a text. */
typedef const char *sweep_select_value(void *user, const char *name);

/* False with *error. A null result does not hold. */
bool sweep_select_holds(const sweep_select *s, sweep_select_value *value, void *user, bool *holds,
                        stiction_error *error);
/* NaN: the result is null. A result that is a text is an error. */
bool sweep_select_number(const sweep_select *s, sweep_select_value *value, void *user,
                         double *number, stiction_error *error);

#endif
