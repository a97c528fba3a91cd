/*
 * Configuration files: YAML in, a configuration or all mistakes of the file out, and back.
 * docs/configuration.md is the reference of the format.
 */
#ifndef STICTION_LOAD_H
#define STICTION_LOAD_H

#include "stiction/model.h"

STICTION_BEGIN_C

/*
 * A list of errors. What one call adds comes in the order of the file, each mistake once. The list
 * holds 1000 errors; where there are more, a last entry says how many.
 */
typedef struct stiction_errors stiction_errors;

STICTION_API stiction_errors *stiction_errors_create(void); /* NULL: no memory */
STICTION_API void stiction_errors_destroy(stiction_errors *errors);
STICTION_API size_t stiction_errors_count(const stiction_errors *errors);
/* NULL where there is no such error. */
STICTION_API const stiction_error *stiction_errors_at(const stiction_errors *errors, size_t index);

/* "file:line:column: sentence" as far as they are known; the length that it needs, as snprintf. */
STICTION_API size_t stiction_error_format(const stiction_error *error, char *buffer, size_t size);

/*
 * Reads a configuration file. All mistakes are added to `errors` (which may be NULL); unless OK,
 * *config is NULL. The joints remember where they stand in the file, so that what is found later
 * (a joint that the robot lacks, an illegal time step) names its place too.
 *
 * Does not depend on the locale. A file has at most 16 MiB, 100 levels of nesting, and 2,000,000
 * keys and values with its aliases expanded (64 bytes of a long text are one).
 */
STICTION_API stiction_status stiction_config_load(const char *path, stiction_config **config,
                                                  stiction_errors *errors);

/* The same from memory; `path` is for the messages and may be NULL. */
STICTION_API stiction_status stiction_config_parse(const char *text, size_t size, const char *path,
                                                   stiction_config **config,
                                                   stiction_errors *errors);

/* A value that replaces one of a file. This struct does not grow. */
typedef struct stiction_override {
    const char *key;   /* "joints.NAME.KEY", "profiles.NAME.KEY", "law" or a key of the top level */
    const char *value; /* as it would stand in the file, without quotes */
} stiction_override;

/*
 * Replaces values in a configuration that was loaded, before other functions change it; all of them
 * together, so that one may need another, and a later one beats an earlier.
 *
 * joints.NAME is an entry of the file, or a joint among `names` (the robot's) that has its friction
 * from a pattern: it gets an entry of its own. joints.PATTERN is all joints of `names` with
 * friction. `law` is that of every joint of the file. names may be NULL with name_count 0: then
 * only entries of the file are meant. `repetition`, from 1, is the number of runs that differ in
 * what they draw alone: the seed is one less above that of the file; nothing where nothing is
 * drawn.
 *
 * The configuration is as if the file had these values: whatever is found later still names its
 * line. All mistakes are added to `errors` (which may be NULL), each with the override that makes
 * it; unless OK, the configuration is as it was.
 */
STICTION_API stiction_status stiction_config_override(stiction_config *config,
                                                      const stiction_override *overrides,
                                                      size_t count, const char *const *names,
                                                      size_t name_count, stiction_errors *errors);

/*
 * The same in a file, for good: the values are written where they stand, and its comments, its
 * order and all else stay. A value that a joint has from a profile or a pattern becomes the joint's
 * own. The file is replaced as a whole, once it was seen that it now says exactly this; unless OK,
 * it is as it was.
 */
STICTION_API stiction_status stiction_config_edit_file(const char *path,
                                                       const stiction_override *overrides,
                                                       size_t count, const char *const *names,
                                                       size_t name_count, stiction_errors *errors);

/*
 * All that stiction_model_create would refuse for this robot and time step (0: the
 * configuration's), not only the first. names may be NULL with count 0: then each pattern of the
 * configuration is checked by itself. `errors` may be NULL.
 */
STICTION_API stiction_status stiction_config_check(const stiction_config *config,
                                                   const char *const *names, size_t count,
                                                   double timestep, stiction_errors *errors);

/*
 * A configuration or a model as YAML that loads to the same one, to the bit; profiles are
 * resolved. The caller frees the text with stiction_free. NULL where there is no memory, or a name
 * is not UTF-8.
 */
STICTION_API char *stiction_config_write(const stiction_config *config);
STICTION_API char *stiction_model_write(const stiction_model *model);
STICTION_API void stiction_free(void *memory);

STICTION_END_C

#endif
