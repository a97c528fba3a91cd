/* SPDX-License-Identifier: MIT
 * A page over several runs: a row for each run and for each joint, with links.
 */
#ifndef STICTION_TOOLS_REPORT_INDEX_H
#define STICTION_TOOLS_REPORT_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

/* Writes index.html of a folder whose subfolders `names` are runs into a folder, this or another.
 * The row of a run that cannot be read says why. */
bool report_index(const char *out_folder, const char *into, const char *const *names, size_t count,
                  stiction_error *error);

#endif
