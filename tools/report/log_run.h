/* SPDX-License-Identifier: MIT
 * A log of another simulator or of a robot as a run: its columns, found by their names, become the
 * summary.json and joints.csv that reports are made of.
 */
#ifndef STICTION_TOOLS_REPORT_LOG_RUN_H
#define STICTION_TOOLS_REPORT_LOG_RUN_H

#include <stdbool.h>

#include "common/options.h"
#include "stiction/stiction.h"

typedef struct log_options {
    const char *config; /* friction of the joints (YAML), computed along the log where it has no
                           column of it; NULL: none */
    const char *time;   /* the column of time, s; NULL: time or t */
    text_list columns;  /* "KIND=PATTERN", {joint} in it: which columns are what */
    text_list joints;   /* only these; none: all that are found */
    bool degrees;       /* angles of the log are in degrees */
} log_options;

/* Writes joints.csv and summary.json into an existing folder. `friction`, which may be NULL, is
 * the configuration of options->config; it must outlive the call. */
bool log_run_write(const char *path, const log_options *options, const stiction_config *friction,
                   const char *folder, stiction_error *error);

#endif
