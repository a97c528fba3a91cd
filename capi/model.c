/* SPDX-License-Identifier: MIT
 * From a configuration and the joints of a robot to a model: each joint finds its friction, each
 * pattern its joints, and every parameter is checked at the time step.
 */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "document/c_locale.h"
#include "document/fail.h"
#include "document/text.h"
#include "model_internal.h"
#include "sized.h"

stiction_model_def stiction_model_def_default(void) {
    return (stiction_model_def){.size = sizeof(stiction_model_def)};
}

void stiction_model_log(const stiction_model *model, stiction_log_level level, const char *format,
                        ...) {
    if (!model->log) return;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    model->log(model->log_user, level, message);
}

static stiction_status add_joints(stiction_model *model, const stiction_config *config,
                                  const char *const *names, bool strict, stiction_error *error) {
    for (size_t k = 0; k < model->count; k++) {
        const config_joint *found = stiction_config_find(config, names[k]);
        if (!found && strict) return stiction_config_refuse_unmatched(config, names[k], error);
        if (!found)
            stiction_model_log(model, STICTION_LOG_INFO,
                               "joint '%.200s': no friction is configured", names[k]);
        const stiction_status status = stiction_config_make_joint(
            config, found, names[k], model->sample, model->timestep, &model->joints[k], error);
        if (status != STICTION_OK) return status;
        model->needs |= model->joints[k].needs;
        model->names[k] = stiction_text_copy(names[k]);
        if (found && found->draws) model->draws[k] = stiction_draws_copy(found->draws);
        if (!model->names[k] || (found && found->draws && !model->draws[k]))
            return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    }
    return STICTION_OK;
}

static stiction_status create(const stiction_config *config, const char *const *names, size_t count,
                              const stiction_model_def *def, stiction_model **model,
                              stiction_error *error) {
    double timestep;
    stiction_status status =
        stiction_config_choose_timestep(config, def->timestep, &timestep, error);
    if (status == STICTION_OK) status = stiction_config_check_names(names, count, error);
    for (size_t k = 0; k < config->count && status == STICTION_OK && !def->partial; k++)
        status =
            stiction_config_check_pattern(config, &config->joints[k], names, count, true, error);
    if (status != STICTION_OK) return status;

    stiction_model *made = calloc(1, sizeof *made);
    if (!made) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    *made = (stiction_model){.timestep = timestep,
                             .count = count,
                             .names = calloc(count + 1, sizeof *made->names),
                             .joints = calloc(count + 1, sizeof *made->joints),
                             .draws = calloc(count + 1, sizeof *made->draws),
                             .seed = config->seed,
                             .sample = def->sample,
                             .log = def->log,
                             .log_user = def->log_user};
    status =
        made->names && made->joints && made->draws
            ? add_joints(made, config, names, def->strict || config->strict, error)
            : stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", count);
    if (status == STICTION_OK && !stiction_groups_create(&made->groups, count))
        status =
            stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", count);
    if (status != STICTION_OK) {
        stiction_model_destroy(made);
        return status;
    }
    stiction_groups_fill(&made->groups, made->joints, count);
    *model = made;
    return stiction_succeed(error);
}

stiction_status stiction_model_create(const stiction_config *config, const char *const *names,
                                      size_t count, const stiction_model_def *def,
                                      stiction_model **model, stiction_error *error) {
    if (model) *model = NULL;
    if (!config || !model || (!names && count))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL",
                             !config  ? "configuration"
                             : !model ? "place for the model"
                                      : "array of joint names");
    stiction_model_def own = stiction_model_def_default();
    if (def && !sized_read(&own, sizeof own, def, SIZED_END(stiction_model_def, log_user)))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "the size of the model definition is %zu; start from "
                             "stiction_model_def_default()",
                             def->size);
    const c_locale locale = c_locale_enter();
    const stiction_status status = create(config, names, count, &own, model, error);
    c_locale_leave(locale);
    return status;
}

void stiction_model_destroy(stiction_model *model) {
    if (!model) return;
    for (size_t k = 0; model->names && k < model->count; k++) free(model->names[k]);
    for (size_t k = 0; model->draws && k < model->count; k++) free(model->draws[k]);
    free(model->names);
    free(model->draws);
    free(model->joints);
    stiction_groups_destroy(&model->groups);
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
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL",
                             model ? "definition" : "model");
    return stiction_joint_get_def(model->joints, model->count, index, def, error);
}
