/* SPDX-License-Identifier: MIT
 * A log of joints: a CSV file, a row at a time, or an npz file with one array per column. Which
 * column is what follows from its name. All verbs that read logs read them here.
 */
#ifndef STICTION_TOOLS_LOGS_JOINT_LOG_H
#define STICTION_TOOLS_LOGS_JOINT_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "common/command.h"
#include "document/csv.h"
#include "results/npz.h"

/* What a column may be. */
typedef enum log_kind {
    LOG_TIME,
    LOG_POSITION,
    LOG_VELOCITY,
    LOG_TORQUE,
    LOG_FRICTION,
    LOG_TARGET,
    LOG_TEMPERATURE,
    LOG_EXTERNAL,
    LOG_KIND_COUNT
} log_kind;

#define LOG_NO_COLUMN ((size_t)-1)

/* A log that is open, at one of its rows. All members may be read. */
typedef struct joint_log {
    const char *path; /* the caller's */
    csv file;         /* of a CSV file: its row, as it is written */
    npz_file arrays;  /* of an npz file */
    bool is_npz;
    double **values;
    char **names; /* of the columns */
    size_t columns;
    size_t line;  /* of the row, from 1; of an npz file the number of the row */
    size_t times; /* that were read */
    double time;  /* the last of them */
} joint_log;

/* Opens a log and reads the names of its columns; "-" is stdin. False with an error; close it
 * either way. `most` is the largest size of a CSV file in bytes. */
bool joint_log_open(joint_log *log, const char *path, uint64_t most, stiction_error *error);
void joint_log_close(joint_log *log);

/* The next row; every row has as many cells as the header. Never CSV_OTHER. */
csv_verdict joint_log_next(joint_log *log, stiction_error *error);
/* A number of the row, NaN where the cell is empty or nan. `joint` may be NULL; it and `what` are
 * for the error message. */
bool joint_log_number(const joint_log *log, size_t column, const char *what, const char *joint,
                      double *value, stiction_error *error);
/* The time of the row: finite, and not before that of the row before. */
bool joint_log_time(joint_log *log, size_t column, bool may_repeat, double *time,
                    stiction_error *error);

/* An error in the row. Returns false. */
__attribute__((format(printf, 3, 4))) bool
joint_log_fail(const joint_log *log, stiction_error *error, const char *format, ...);

/* ---- which column is what ---- */

/* "position", "torque", ... */
const char *log_kind_name(log_kind kind);
/* The kind of that name, also "command" for torque, "friction_torque" and "external_torque".
 * LOG_KIND_COUNT: none. */
log_kind log_kind_of(const char *name, size_t length);

/* A pattern is the name of a column in which {joint}, or JOINT, stands for the joint. */
bool log_pattern_has_joint(const char *pattern);

/* The first column of a name. */
size_t joint_log_column(const joint_log *log, const char *name);
/* The first column that a pattern names for a joint. */
size_t joint_log_matching(const joint_log *log, const char *pattern, const char *joint);
/* The column of a joint by the usual names: those of joints.csv, ROS joint states, and where
 * `alone`, those of a log of a single joint, such as q. */
size_t joint_log_usual(const joint_log *log, log_kind kind, const char *joint, bool alone);
/* The joint in the name of a column: by a pattern, or by the longest usual name of any kind where
 * it is NULL. The caller frees it; NULL: none. */
char *log_joint_of(const char *column, const char *pattern, log_kind *kind);

/* "'time', 'q'", for error messages; the caller frees it. */
char *joint_log_columns(const joint_log *log);

#endif
