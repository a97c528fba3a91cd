/* SPDX-License-Identifier: MIT
 * A page that overlays finished runs, joint by joint.
 */
#ifndef STICTION_TOOLS_REPORT_OVERLAY_H
#define STICTION_TOOLS_REPORT_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

/* As many as there are colours. */
enum { OVERLAY_MOST_RUNS = 7 };

/* Writes a page over the runs in these folders, which it names as given here. */
bool overlay_write(const char *const *folders, size_t count, const char *path,
                   stiction_error *error);

#endif
