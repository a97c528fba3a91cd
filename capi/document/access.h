/* SPDX-License-Identifier: MIT
 * --untrusted: a file that somebody else wrote may name only files in its own folder.
 */
#ifndef STICTION_CAPI_DOCUMENT_ACCESS_H
#define STICTION_CAPI_DOCUMENT_ACCESS_H

#include <stdbool.h>

#include "stiction/error.h"

STICTION_BEGIN_C

enum { ACCESS_MESSAGE = 1000 };

/*
 * Whether a file may be read. `project` NULL: every file may, since the project is trusted. Else
 * the real path of the file, without links and "..", must be in the folder of the project or below
 * it; if it is not, `message` reports it. A file that does not exist is permitted: whoever opens it
 * reports that.
 */
bool stiction_access_permits(const char *project, const char *path, char message[ACCESS_MESSAGE]);

STICTION_END_C

#endif
