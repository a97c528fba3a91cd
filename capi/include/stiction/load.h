/* SPDX-License-Identifier: MIT
 * Configuration files: reads YAML into a configuration or a list of all errors, and writes it back.
 * docs/configuration.md is the reference of the format.
 */
#ifndef STICTION_LOAD_H
#define STICTION_LOAD_H

#include "stiction/model.h"

STICTION_BEGIN_C

/*
 * A list of errors. Each call adds its errors in the order of the file, each error once. The list
 * holds 1000 errors; if there are more, the last entry says how many.
 */
typedef struct stiction_errors stiction_errors;

STICTION_API stiction_errors *stiction_errors_create(void); /* NULL: out of memory */
STICTION_API void stiction_errors_destroy(stiction_errors *errors);
STICTION_API size_t stiction_errors_count(const stiction_errors *errors);
/* NULL past the end. */
STICTION_API const stiction_error *stiction_errors_at(const stiction_errors *errors, size_t index);

/* Writes "file:line:column: message", as far as these are known, and returns the length needed, as
 * snprintf does. */
STICTION_API size_t stiction_error_format(const stiction_error *error, char *buffer, size_t size);

/*
 * Reads a configuration file. All errors are added to `errors` (which may be NULL); on failure,
 * *config is NULL. The joints remember their location in the file, so that errors found later (a
 * joint that the robot lacks, an illegal time step) name it too.
 *
 * Does not depend on the locale. A file has at most 16 MiB, 100 levels of nesting, and 2,000,000
 * keys and values with its aliases expanded (64 bytes of a long string count as one).
 */
STICTION_API stiction_status stiction_config_load(const char *path, stiction_config **config,
                                                  stiction_errors *errors);

/* The same from memory; `path` is for the messages and may be NULL. */
STICTION_API stiction_status stiction_config_parse(const char *text, size_t size, const char *path,
                                                   stiction_config **config,
                                                   stiction_errors *errors);

/* A value that replaces one of a file. The size of this struct does not change. */
typedef struct stiction_override {
    const char *key;   /* "joints.NAME.KEY", "profiles.NAME.KEY", "law" or a key of the top level */
    const char *value; /* as it would be written in the file, without quotes */
} stiction_override;

/*
 * Replaces values in a configuration that was loaded, before other functions change it. All values
 * are replaced together, so one may depend on another; a later value overrides an earlier one.
 *
 * joints.NAME is an entry of the file, or a joint in `names` (those of the robot) that gets its
 * friction from a pattern; it then gets its own entry. joints.PATTERN means all joints in `names`
 * with friction. `law` applies to every joint of the file. names may be NULL with name_count 0:
 * then only entries of the file can be named. `repetition`, from 1, numbers runs that differ only
 * in their random draws: the seed becomes that of the file plus repetition - 1; it has no effect if
 * nothing is drawn.
 *
 * The result is the same as if the file had these values; errors found later still name their line.
 * All errors are added to `errors` (which may be NULL), each with the override that causes it; on
 * failure, the configuration does not change.
 */
STICTION_API stiction_status stiction_config_override(stiction_config *config,
                                                      const stiction_override *overrides,
                                                      size_t count, const char *const *names,
                                                      size_t name_count, stiction_errors *errors);

/*
 * Writes the values into the file itself and keeps its comments, its order and everything else. A
 * value that a joint gets from a profile or a pattern becomes the joint's own. The new text is read
 * back and compared before it replaces the file atomically; on failure, the file does not change.
 */
STICTION_API stiction_status stiction_config_edit_file(const char *path,
                                                       const stiction_override *overrides,
                                                       size_t count, const char *const *names,
                                                       size_t name_count, stiction_errors *errors);

/*
 * Reports everything that stiction_model_create would refuse for this robot and time step (0: the
 * configuration's), not only the first error. names may be NULL with count 0: then each pattern of
 * the configuration is checked by itself. `errors` may be NULL.
 */
STICTION_API stiction_status stiction_config_check(const stiction_config *config,
                                                   const char *const *names, size_t count,
                                                   double timestep, stiction_errors *errors);

/*
 * A configuration or a model as YAML that loads to the same values, bit for bit; profiles are
 * resolved. Free the text with stiction_free. NULL if memory runs out or a name is not UTF-8.
 */
STICTION_API char *stiction_config_write(const stiction_config *config);
STICTION_API char *stiction_model_write(const stiction_model *model);
STICTION_API void stiction_free(void *memory);

STICTION_END_C

#endif
