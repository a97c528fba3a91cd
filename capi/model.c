/*
 * From a configuration and the joints of a robot to a model: each joint finds its friction, each
 * pattern its joints, and every parameter is checked at the time step.
 */
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "error_internal.h"
#include "model_internal.h"
#include "text.h"

stiction_model_def stiction_model_def_default(void) {
    return (stiction_model_def){.size = sizeof(stiction_model_def)};
}

void model_log(const stiction_model *model, stiction_log_level level, const char *format, ...) {
    if (!model->log) return;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    model->log(model->log_user, level, message);
}

/* The friction of a joint: its own name's, else the last pattern's that matches, else NULL. */
static const config_joint *find(const stiction_config *config, const char *name) {
    const config_joint *found = NULL;
    for (size_t k = 0; k < config->count; k++) {
        const config_joint *candidate = &config->joints[k];
        if (strcmp(candidate->pattern, name) == 0) return candidate;
        if (text_is_pattern(candidate->pattern) && text_matches(candidate->pattern, name))
            found = candidate;
    }
    return found;
}

/* Every name and every pattern must be one of a joint of this robot. */
static stiction_status check_patterns(const stiction_config *config, const char *const *names,
                                      size_t count, stiction_error *error) {
    for (size_t k = 0; k < config->count; k++) {
        const char *pattern = config->joints[k].pattern;
        size_t n = 0;
        while (n < count && strcmp(pattern, names[n]) != 0 &&
               !(text_is_pattern(pattern) && text_matches(pattern, names[n])))
            n++;
        if (n < count) continue;
        const char *nearest = text_nearest(pattern, names, count);
        return fail(error, STICTION_INVALID_CONFIG,
                    nearest ? "joint '%.200s': the robot has no such joint; the nearest is '%.200s'"
                            : "joint '%.200s': the robot has no joints",
                    pattern, nearest);
    }
    return STICTION_OK;
}

static stiction_status check_names(const char *const *names, size_t count, stiction_error *error) {
    for (size_t k = 0; k < count; k++) {
        if (!names[k] || !*names[k])
            return fail(error, STICTION_INVALID_ARGUMENT, "joint %zu has no name", k);
        for (size_t n = 0; n < k; n++)
            if (strcmp(names[k], names[n]) == 0)
                return fail(error, STICTION_INVALID_ARGUMENT,
                            "joints %zu and %zu are both named '%.200s'", n, k, names[k]);
    }
    return STICTION_OK;
}

static stiction_status add_joints(stiction_model *model, const stiction_config *config,
                                  const char *const *names, bool strict, stiction_error *error) {
    stiction_joint_def none = stiction_joint_def_default();
    none.law = "none";
    for (size_t k = 0; k < model->count; k++) {
        const config_joint *found = find(config, names[k]);
        if (!found && strict)
            return fail(error, STICTION_INVALID_CONFIG,
                        "joint '%.200s': nothing in the configuration matches it", names[k]);
        if (!found)
            model_log(model, STICTION_LOG_INFO, "joint '%.200s': no friction is configured",
                      names[k]);
        const stiction_status status = joint_init(
            &model->joints[k], names[k], found ? &found->def : &none, model->timestep, error);
        if (status != STICTION_OK) return status;
        model->needs_effort = model->needs_effort || model->joints[k].kind->info.needs_effort;
        model->names[k] = text_copy(names[k]);
        if (!model->names[k]) return fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    }
    return STICTION_OK;
}

stiction_status stiction_model_create(const stiction_config *config, const char *const *names,
                                      size_t count, const stiction_model_def *def,
                                      stiction_model **model, stiction_error *error) {
    if (model) *model = NULL;
    if (!config || !model || (!names && count))
        return fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL",
                    !config  ? "configuration"
                    : !model ? "place for the model"
                             : "array of joint names");
    stiction_model_def own = stiction_model_def_default();
    if (def && def->size < sizeof own)
        return fail(error, STICTION_INVALID_ARGUMENT,
                    "the size of the model definition is %zu; start from "
                    "stiction_model_def_default()",
                    def->size);
    if (def) own = *def;

    const double timestep = own.timestep == 0 ? config->timestep : own.timestep;
    if (timestep == 0)
        return fail(error, STICTION_INVALID_ARGUMENT,
                    "neither the host nor the configuration gives a time step");
    if (!(timestep > 0 && timestep <= DBL_MAX))
        return fail(error, STICTION_INVALID_ARGUMENT, "time step %g must be above 0 s", timestep);

    stiction_status status = check_names(names, count, error);
    if (status == STICTION_OK) status = check_patterns(config, names, count, error);
    if (status != STICTION_OK) return status;

    stiction_model *made = calloc(1, sizeof *made);
    if (!made) return fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    *made = (stiction_model){.timestep = timestep,
                             .count = count,
                             .names = calloc(count + 1, sizeof *made->names),
                             .joints = calloc(count + 1, sizeof *made->joints),
                             .log = own.log,
                             .log_user = own.log_user};
    status = made->names && made->joints
                 ? add_joints(made, config, names, own.strict, error)
                 : fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", count);
    if (status != STICTION_OK) {
        stiction_model_destroy(made);
        return status;
    }
    *model = made;
    return succeed(error);
}

void stiction_model_destroy(stiction_model *model) {
    if (!model) return;
    for (size_t k = 0; model->names && k < model->count; k++) free(model->names[k]);
    free(model->names);
    free(model->joints);
    free(model);
}

size_t stiction_model_joint_count(const stiction_model *model) {
    return model ? model->count : 0;
}

double stiction_model_timestep(const stiction_model *model) {
    return model ? model->timestep : 0;
}

const char *stiction_model_joint_name(const stiction_model *model, size_t index) {
    return model && index < model->count ? model->names[index] : NULL;
}

size_t stiction_model_find_joint(const stiction_model *model, const char *name) {
    size_t k = 0;
    while (model && name && k < model->count && strcmp(model->names[k], name) != 0) k++;
    return name ? k : stiction_model_joint_count(model);
}

stiction_status stiction_model_joint(const stiction_model *model, size_t index,
                                     stiction_joint_def *def, stiction_error *error) {
    if (!model || !def)
        return fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL",
                    model ? "definition" : "model");
    return joint_get_def(model->joints, model->count, index, def, error);
}
