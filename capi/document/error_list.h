/* SPDX-License-Identifier: MIT
 * How the loader and the checks add to a list of errors.
 */
#ifndef STICTION_CAPI_DOCUMENT_ERROR_LIST_H
#define STICTION_CAPI_DOCUMENT_ERROR_LIST_H

#include <stdbool.h>

#include "fail.h"
#include "stiction/load.h"

/* Errors beyond this many are only counted. */
enum { ERRORS_LIMIT = 1000 };

/* Starts a pass: its errors follow those of earlier passes, in file order. */
void stiction_errors_begin(stiction_errors *errors);

/* The status of the first error of the pass; OK if there is none. */
stiction_status stiction_errors_status(const stiction_errors *errors);

/* Adds an error whose message is `who`, such as "joint 'X': ", and the formatted text. */
void stiction_errors_add(stiction_errors *errors, stiction_place at, const char *who,
                         stiction_status status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/*
 * The same with the key of what is wrong, such as a parameter: one error may be found several
 * times, under different names (joints that share a profile), and errors of one pass with the same
 * key, place and status are listed once. NULL: it is always listed. stiction_errors_add takes the
 * format as the key. The key must stay valid until the end of the pass.
 */
void stiction_errors_add_about(stiction_errors *errors, const char *key, stiction_place at,
                               const char *who, stiction_status status, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Adds an error that exists, unlike any other. */
void stiction_errors_add_error(stiction_errors *errors, const stiction_error *error);
void stiction_errors_add_no_memory(stiction_errors *errors, const char *path);

/* Whether further errors are only counted, so that no expensive message need be composed. */
bool stiction_errors_full(const stiction_errors *errors);

#endif
