/*
 * Configuration files: YAML in, a configuration or all mistakes of the file out, and back.
 */
#ifndef STICTION_LOAD_H
#define STICTION_LOAD_H

#include "stiction/model.h"

STICTION_BEGIN_C

/* A list of errors, in the order of the file. */
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
 */
STICTION_API stiction_status stiction_config_load(const char *path, stiction_config **config,
                                                  stiction_errors *errors);

/* The same from memory; `path` is for the messages. */
STICTION_API stiction_status stiction_config_parse(const char *text, size_t size, const char *path,
                                                   stiction_config **config,
                                                   stiction_errors *errors);

/*
 * All that stiction_model_create would refuse for this robot and time step (0: the
 * configuration's), not only the first. names may be NULL with count 0: then each pattern of the
 * configuration is checked by itself.
 */
STICTION_API stiction_status stiction_config_check(const stiction_config *config,
                                                   const char *const *names, size_t count,
                                                   double timestep, stiction_errors *errors);

/* What stands in the configuration. */
STICTION_API bool stiction_config_strict(const stiction_config *config);
STICTION_API size_t stiction_config_model_count(const stiction_config *config);
STICTION_API const char *stiction_config_model_at(const stiction_config *config, size_t index);
STICTION_API size_t stiction_config_joint_count(const stiction_config *config);
/* The pattern of an entry of `joints`, and its friction with profiles resolved; NULL: no entry. */
STICTION_API const char *stiction_config_joint_at(const stiction_config *config, size_t index,
                                                  stiction_joint_def *def);

/* A configuration or a model as YAML that loads to the same one, to the bit. The caller frees the
 * text with stiction_free. NULL where there is no memory. */
STICTION_API char *stiction_config_write(const stiction_config *config);
STICTION_API char *stiction_model_write(const stiction_model *model);
STICTION_API void stiction_free(void *memory);

STICTION_END_C

#endif
