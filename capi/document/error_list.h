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

/*
 * Adds "who" and the sentence behind it, unless the same sentence stands at the same place: one
 * mistake may be met on several ways, by different names.
 */
void stiction_errors_add(stiction_errors *errors, stiction_place at, const char *who,
                         stiction_status status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same with an error that is there. */
void stiction_errors_add_error(stiction_errors *errors, const stiction_error *error);

/* Whether what comes now is only counted, so that nothing costly need be said about it. */
bool stiction_errors_full(const stiction_errors *errors);

#endif
