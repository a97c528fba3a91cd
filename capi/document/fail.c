/*
 * Filling an error, and the names of the statuses.
 */
#include "fail.h"

#include <stdio.h>
#include <string.h>

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

stiction_status fail(stiction_error *error, stiction_status status, const char *format, ...) {
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

stiction_status succeed(stiction_error *error) {
    /* what there is to read of it, not all its room: a step may come here a thousand times a second
     */
    if (error) {
        error->status = STICTION_OK;
        error->line = error->column = 0;
        error->path[0] = error->message[0] = '\0';
    }
    return STICTION_OK;
}
