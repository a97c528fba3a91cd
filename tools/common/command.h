/* SPDX-License-Identifier: MIT
 * What all parts of the command share: errors, numbers, configurations and memory.
 * Below the verbs a function that can fail takes `stiction_error *error` last, never NULL, and
 * returns bool (or NULL): `return fail(error, "...")`. Only verbs (tools/command) print:
 * `return report_error(&error)`. Both return false. No code reads the text of an error.
 * The command never calls setlocale, so that numbers look the same everywhere.
 */
#ifndef STICTION_TOOLS_COMMON_COMMAND_H
#define STICTION_TOOLS_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "document/auto.h"
#include "document/names.h"
#include "stiction/load.h"

/* ---- errors as values ---- */

/* Fills *error and returns false. */
__attribute__((format(printf, 2, 3))) bool fail(stiction_error *error, const char *format, ...);
/* The same; returns EXIT_USAGE (verb.h). */
__attribute__((format(printf, 2, 3))) int fail_usage(stiction_error *error, const char *format,
                                                     ...);
/* The same in a line of a file; line 0: the file as a whole. */
__attribute__((format(printf, 4, 5))) bool fail_at(stiction_error *error, const char *path,
                                                   size_t line, const char *format, ...);
/* "PATH: " and the text of errno. */
bool fail_errno(stiction_error *error, const char *path);
/* The first error of a list, with the number of the others; `status` where the list is empty. */
bool fail_first(stiction_error *error, const stiction_errors *errors, stiction_status status);

/* ---- printing, for verbs alone ---- */

/* "file:line:column: message", or "stiction: message", on stderr. Returns false. */
bool report_error(const stiction_error *error);
bool report_errors(const stiction_errors *errors);
/* A stiction_log: warnings and errors as lines on stderr; print_messages also information. */
void print_log(void *user, stiction_log_level level, const char *message);
void print_messages(void *user, stiction_log_level level, const char *message);

/* A line on stderr; control characters of the arguments are escaped (document/shown.h). */
__attribute__((format(printf, 1, 2))) void print_note(const char *format, ...);
/* The same after "stiction: ". Returns false. */
__attribute__((format(printf, 1, 2))) bool print_error(const char *format, ...);
/* The same on stdout, or on another stream. */
__attribute__((format(printf, 1, 2))) void show_line(const char *format, ...);
__attribute__((format(printf, 2, 3))) void write_line(FILE *out, const char *format, ...);
/* Flushes stdout. 0, or the errno of the first failure: a stream remembers only that it failed. */
int flush_output(void);

/* For verbs: a configuration, or NULL after its errors were printed. Libraries call
 * stiction_config_load. */
stiction_config *load_config(const char *path);

/* The friction of a joint as a model would resolve it (an exact name, else the last pattern that
 * matches). False, with the nearest name, where nothing in the configuration does.
 * The text of `def` belongs to the configuration. */
bool find_joint(const stiction_config *config, const char *path, const char *name,
                stiction_joint_def *def, stiction_error *error);

/* The hint to add after the name of an unknown law. */
const char *law_hint(const char *name, char buffer[NAME_HINT_SIZE]);

/* The whole text as a number; spaces around it, nan and inf are allowed. */
bool read_number(const char *text, double *value);

/* Ends the command with an error message and EXIT_DATA if the memory is NULL. */
void *must_have(void *memory);
/* The same after a call that failed with ENOMEM. */
void need_memory(void);
/* These never return NULL; see must_have. */
void *allocate(size_t count, size_t size);
void *reallocate(void *memory, size_t count, size_t size);
char *copy_text(const char *text);

/* A copy in which control characters are escaped. */
char *shown_text(const char *text);

/* A clock that is never set back, s. */
double monotonic_seconds(void);

/* A string of the given format; the caller frees it. */
__attribute__((format(printf, 1, 2))) char *format_text(const char *format, ...);
/* Appends to such a string; NULL is an empty one. */
__attribute__((format(printf, 2, 3))) void append_text(char **text, const char *format, ...);

#endif
