/* SPDX-License-Identifier: MIT
 * One column of the series over time, of several runs in one picture for documents.
 */
#ifndef STICTION_TOOLS_REPORT_COLUMN_PICTURE_H
#define STICTION_TOOLS_REPORT_COLUMN_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

/* Writes a path that ends in .svg or .png. The label of a run is the part of its path that differs
 * from the others. */
bool column_picture_write(const char *const *folders, size_t count, const char *column,
                          const char *path, stiction_error *error);

#endif
