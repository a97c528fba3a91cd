/* SPDX-License-Identifier: MIT
 * Filling an error, with and without a place: return stiction_fail(error, status, "message").
 */
#ifndef STICTION_CAPI_DOCUMENT_FAIL_H
#define STICTION_CAPI_DOCUMENT_FAIL_H

#include <stdarg.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* Somewhere in a file; line and column count from 1. */
typedef struct stiction_place {
    const char *path; /* NULL: not in a file */
    int line, column; /* 0: the file as a whole */
} stiction_place;

/* Fills *error (which may be NULL) with one line of UTF-8 and returns the status. */
stiction_status stiction_fail(stiction_error *error, stiction_status status, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));
stiction_status stiction_fail_at(stiction_error *error, stiction_status status, stiction_place at,
                                 const char *format, ...) __attribute__((format(printf, 4, 5)));
stiction_status stiction_fail_list(stiction_error *error, stiction_status status, stiction_place at,
                                   const char *format, va_list arguments);

/* Clears *error (which may be NULL) and returns STICTION_OK. */
stiction_status stiction_succeed(stiction_error *error);

/* Returns the status of a call that fails from the function that makes it. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const stiction_status try_status = (call);                                                 \
        if (try_status != STICTION_OK) return try_status;                                          \
    } while (0)

/* Returns an error from the function that it is in. */
#define FAIL_IF(condition, error, status, ...)                                                     \
    do {                                                                                           \
        if (condition) return stiction_fail(error, status, __VA_ARGS__);                           \
    } while (0)

/* The same where the caller gave a wrong argument. */
#define REQUIRE(condition, error, ...)                                                             \
    FAIL_IF(!(condition), error, STICTION_INVALID_ARGUMENT, __VA_ARGS__)

STICTION_END_C

#endif
