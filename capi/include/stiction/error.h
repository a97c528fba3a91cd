/* SPDX-License-Identifier: MIT
 * Errors are values: a status, a location and a message with the offending value and its bound. The
 * library prints nothing; other information goes to a log callback.
 */
#ifndef STICTION_ERROR_H
#define STICTION_ERROR_H

#include "stiction/models/export.h"

STICTION_BEGIN_C

typedef enum stiction_status {
    STICTION_OK = 0,
    STICTION_INVALID_ARGUMENT, /* NULL, a negative time step, an index out of range */
    STICTION_INVALID_CONFIG,   /* a parameter out of its domain, a joint that nothing matches */
    STICTION_ILLEGAL_TIMESTEP, /* Phi_Z does not exist at this time step, see (14) */
    STICTION_INVALID_BUFFER,   /* a saved state of another version, size or model */
    STICTION_SINGULAR,         /* a matrix that is not positive definite */
    STICTION_OUT_OF_MEMORY
} stiction_status;

/* What went wrong. The caller owns this struct; its size does not change. */
typedef struct stiction_error {
    stiction_status status;
    int line, column;   /* from 1; 0: not in a file */
    char path[512];     /* empty: not in a file */
    char message[1024]; /* without the location */
} stiction_error;

typedef enum stiction_log_level {
    STICTION_LOG_INFO,
    STICTION_LOG_WARNING,
    STICTION_LOG_ERROR
} stiction_log_level;

/* Called from the thread that called the library; may be NULL. The message is one line. */
typedef void (*stiction_log)(void *user, stiction_log_level level, const char *message);

/* "invalid configuration" and the like. */
STICTION_API const char *stiction_status_name(stiction_status status);

STICTION_END_C

#endif
