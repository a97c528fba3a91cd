/* How the library's own files report: return fail(error, status, "sentence"). */
#ifndef STICTION_CAPI_DOCUMENT_FAIL_H
#define STICTION_CAPI_DOCUMENT_FAIL_H

#include <stdarg.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* Fills *error (which may be NULL) and returns the status. */
stiction_status fail(stiction_error *error, stiction_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Clears *error (which may be NULL) and returns STICTION_OK. */
stiction_status succeed(stiction_error *error);

STICTION_END_C

#endif
