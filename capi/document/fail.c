/* SPDX-License-Identifier: MIT
 * Filling an error, and the names of the statuses.
 */
#include "fail.h"

#include <stdio.h>
#include <string.h>

#include "shown.h"

const char *stiction_status_name(stiction_status status) {
    switch (status) {
    case STICTION_OK:
        return "ok";
    case STICTION_INVALID_ARGUMENT:
        return "invalid argument";
    case STICTION_INVALID_CONFIG:
        return "invalid configuration";
    case STICTION_ILLEGAL_TIMESTEP:
        return "illegal time step";
    case STICTION_INVALID_BUFFER:
        return "invalid buffer";
    case STICTION_SINGULAR:
        return "singular matrix";
    case STICTION_OUT_OF_MEMORY:
        return "out of memory";
    }
    return "unknown status";
}

stiction_status stiction_fail_list(stiction_error *error, stiction_status status, stiction_place at,
                                   const char *format, va_list arguments) {
    if (error) {
        char path[sizeof error->path]; /* which may be that of the error before */
        (void)stiction_show(at.path ? at.path : "", path, sizeof path);
        *error = (stiction_error){.status = status, .line = at.line, .column = at.column};
        memcpy(error->path, path, sizeof path);
        (void)vsnprintf(error->message, sizeof error->message, format, arguments);
        stiction_show_in_place(error->message, sizeof error->message);
    }
    return status;
}

stiction_status stiction_fail_at(stiction_error *error, stiction_status status, stiction_place at,
                                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)stiction_fail_list(error, status, at, format, arguments);
    va_end(arguments);
    return status;
}

stiction_status stiction_fail(stiction_error *error, stiction_status status, const char *format,
                              ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)stiction_fail_list(error, status, (stiction_place){0}, format, arguments);
    va_end(arguments);
    return status;
}

stiction_status stiction_succeed(stiction_error *error) {
    /* only what is read of it, since a step may call this a thousand times a second */
    if (error) {
        error->status = STICTION_OK;
        error->line = error->column = 0;
        error->path[0] = error->message[0] = '\0';
    }
    return STICTION_OK;
}
