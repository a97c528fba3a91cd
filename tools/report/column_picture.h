/*
 * One column of joints.csv over time, of several runs in one picture for documents.
 */
#ifndef STICTION_TOOLS_REPORT_COLUMN_PICTURE_H
#define STICTION_TOOLS_REPORT_COLUMN_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes FILE.svg or FILE.png. A run is called by what tells its folder from the others. False
 * after a sentence on stderr. */
bool column_picture_write(const char *const *folders, size_t count, const char *column,
                          const char *path);

#endif
