/*
 * A page that lays finished runs over each other, joint by joint.
 */
#ifndef STICTION_TOOLS_REPORT_OVERLAY_H
#define STICTION_TOOLS_REPORT_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

/* As many as there are colours. */
enum { OVERLAY_MOST_RUNS = 7 };

/* Writes the page `path` over runs in these folders, which it names as they are given here. False
 * after a sentence on stderr. */
bool overlay_write(const char *const *folders, size_t count, const char *path);

#endif
