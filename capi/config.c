/*
 * A configuration in memory: patterns of joint names, each with its friction.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "error_internal.h"
#include "joint_internal.h"
#include "text.h"

stiction_config *stiction_config_create(void) {
    return calloc(1, sizeof(stiction_config));
}

void stiction_config_destroy(stiction_config *config) {
    if (!config) return;
    for (size_t k = 0; k < config->count; k++) free(config->joints[k].pattern);
    free(config->joints);
    free(config);
}

stiction_status stiction_config_set_timestep(stiction_config *config, double timestep,
                                             stiction_error *error) {
    if (!config) return fail(error, STICTION_INVALID_ARGUMENT, "the configuration is NULL");
    if (!(timestep > 0 && timestep <= DBL_MAX))
        return fail(error, STICTION_INVALID_CONFIG, "timestep %g must be above 0 s", timestep);
    config->timestep = timestep;
    return succeed(error);
}

double stiction_config_timestep(const stiction_config *config) {
    return config ? config->timestep : 0;
}

static bool reserve(stiction_config *config) {
    if (config->count < config->capacity) return true;
    const size_t capacity = config->capacity ? 2 * config->capacity : 16;
    config_joint *joints = realloc(config->joints, capacity * sizeof *joints);
    if (!joints) return false;
    config->joints = joints;
    config->capacity = capacity;
    return true;
}

stiction_status stiction_config_add_joint(stiction_config *config, const char *pattern,
                                          const stiction_joint_def *def, stiction_error *error) {
    if (!config || !pattern || !def)
        return fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL",
                    !config    ? "configuration"
                    : !pattern ? "joint's name"
                               : "definition");
    if (!*pattern) return fail(error, STICTION_INVALID_CONFIG, "a joint's name is empty");
    for (size_t k = 0; k < config->count; k++)
        if (strcmp(config->joints[k].pattern, pattern) == 0)
            return fail(error, STICTION_INVALID_CONFIG, "joint '%.200s' is given twice", pattern);

    stiction_joint_def complete;
    const stiction_status status = joint_complete(pattern, def, &complete, error);
    if (status != STICTION_OK) return status;

    char *copy = reserve(config) ? text_copy(pattern) : NULL;
    if (!copy) return fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    config->joints[config->count++] = (config_joint){copy, complete};
    return succeed(error);
}
