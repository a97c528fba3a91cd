/* SPDX-License-Identifier: MIT
 * Applies a configuration to the joints of a robot: each joint finds its friction, each pattern its
 * joints, and every parameter is checked at the time step; errors name their location in the file.
 * A model is the result; stiction_config_check reports all errors at once.
 */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "document/c_locale.h"
#include "document/error_list.h"
#include "document/names.h"
#include "document/text.h"
#include "model_internal.h"
#include "sized.h"

/* The location of an entry; empty in a configuration that was not read from a file. */
static stiction_place place_in(const stiction_config *config, config_place at) {
    if (!config->path) return (stiction_place){0};
    return (stiction_place){config->path, at.line, at.column};
}

const config_joint *stiction_config_find(const stiction_config *config, const char *name) {
    const config_joint *found = stiction_config_find_exactly(config, name);
    for (size_t k = config->pattern_count; k-- > 0 && !found;) {
        const config_joint *candidate = &config->joints[config->patterns[k]];
        if (stiction_name_matches(candidate->pattern, name)) found = candidate;
    }
    return found;
}

stiction_status stiction_config_choose_timestep(const stiction_config *config, double host,
                                                double *timestep, stiction_error *error) {
    *timestep = host == 0 ? config->timestep : host;
    if (*timestep == 0)
        return stiction_fail_at(error, STICTION_INVALID_ARGUMENT,
                                place_in(config, (config_place){0, 0}),
                                "neither the host nor the configuration gives a time step");
    return stiction_check_timestep("time step", *timestep, STICTION_INVALID_ARGUMENT, error);
}

static int compare_joints(const void *a, const void *b) {
    const model_name *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : left->index < right->index ? -1 : left->index > right->index;
}

static int compare_name(const void *text, const void *named) {
    return strcmp(text, ((const model_name *)named)->name);
}

static const model_name *find_name(const model_name *sorted, size_t count, const char *name) {
    return sorted ? bsearch(name, sorted, count, sizeof *sorted, compare_name) : NULL;
}

/* The names of a robot's joints in alphabetical order, to be freed: each must exist, and once. */
static stiction_status sort_names(const char *const *names, size_t count, model_name **sorted,
                                  stiction_error *error) {
    *sorted = NULL;
    for (size_t k = 0; k < count; k++)
        REQUIRE(names[k] && *names[k], error, "joint %zu has no name", k);
    model_name *list = calloc(count + 1, sizeof *list);
    FAIL_IF(!list, error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", count);
    for (size_t k = 0; k < count; k++) list[k] = (model_name){names[k], k};
    qsort(list, count, sizeof *list, compare_joints);
    for (size_t k = 1; k < count; k++)
        if (strcmp(list[k - 1].name, list[k].name) == 0) {
            const size_t first = list[k - 1].index, second = list[k].index;
            free(list);
            return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                 "joints %zu and %zu are both named '%.200s'", first, second,
                                 names[second]);
        }
    *sorted = list;
    return STICTION_OK;
}

/* The names among which the nearest is searched, so that a large robot takes no longer. */
static const size_t most_compared = 1000;

/* The pattern of a joint of the configuration must match a joint of the robot. */
static stiction_status match_pattern(const stiction_config *config, const config_joint *entry,
                                     const char *const *names, const model_name *sorted,
                                     size_t count, stiction_error *error) {
    if (find_name(sorted, count, entry->pattern)) return STICTION_OK;
    const bool is_pattern = stiction_name_is_pattern(entry->pattern);
    for (size_t n = 0; is_pattern && n < count; n++)
        if (stiction_name_matches(entry->pattern, names[n])) return STICTION_OK;
    char hint[NAME_HINT_SIZE];
    const size_t compared = count < most_compared ? count : most_compared;
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, place_in(config, entry->at),
                            "joint '%.200s': the robot has no %s%s", entry->pattern,
                            count ? "such joint" : "joints",
                            stiction_name_hint(entry->pattern, names, compared, hint));
}

static stiction_status init_joint(const stiction_config *config, const config_joint *found,
                                  const char *name, uint64_t sample, double timestep, joint *j,
                                  stiction_error *error) {
    const draw_key key = {config->seed, sample, name};
    return found->draws
               ? stiction_draw_joint(j, &found->def, found->draws, &key, timestep, NULL, error)
               : stiction_joint_init(j, NULL, &found->def, timestep, error);
}

stiction_status stiction_config_make_joint(const stiction_config *config, const config_joint *found,
                                           const char *name, uint64_t sample, double timestep,
                                           joint *j, stiction_error *error) {
    if (!found) {
        stiction_joint_def none = stiction_joint_def_default();
        none.law = "none";
        return stiction_joint_init(j, name, &none, timestep, error);
    }
    stiction_error inner;
    const stiction_status status = init_joint(config, found, name, sample, timestep, j, &inner);
    if (status == STICTION_OK) return STICTION_OK;
    const bool of_damping = status == STICTION_ILLEGAL_TIMESTEP && found->damping.line > 0;
    return stiction_fail_at(error, status,
                            place_in(config, of_damping ? found->damping : found->at),
                            "%s%s%s%s '%.200s': %.700s", found->overrides ? "override " : "",
                            found->overrides ? found->overrides : "", found->overrides ? ": " : "",
                            found->profile ? "profile" : "joint",
                            found->profile ? found->profile : name, inner.message);
}

/* The error of a strict configuration about a joint that nothing matches. */
static stiction_status refuse_unmatched(const stiction_config *config, const char *name,
                                        stiction_error *error) {
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, place_in(config, config->joints_at),
                            "joint '%.200s': nothing in the configuration matches it", name);
}

/* ---- all errors of a configuration ---- */

typedef struct check {
    const stiction_config *config;
    const char *const *names; /* NULL: no robot is given */
    model_name *sorted;
    size_t count;
    double timestep;
    stiction_errors *errors;
} check;

/* Joints that have all of their friction from one profile have its errors, too: `profile` is the
 * key of these, and NULL for errors that are unlike any other. */
static void note(const check *c, stiction_status status, const stiction_error *error,
                 const char *profile) {
    if (status != STICTION_OK)
        stiction_errors_add_about(c->errors, profile,
                                  (stiction_place){error->path, error->line, error->column}, "",
                                  status, "%s", error->message);
}

/* Each entry is examined once, by the name of the first joint that it gives its friction to; one
 * that gives it to none (others beat it) is not examined. */
static void check_entry(check *c, const config_joint *entry, const char *name) {
    stiction_error error;
    joint j;
    if (!c->names)
        name = entry->pattern;
    else if (!name)
        note(c, match_pattern(c->config, entry, c->names, c->sorted, c->count, &error), &error,
             NULL);
    if (name)
        note(c, stiction_config_make_joint(c->config, entry, name, 0, c->timestep, &j, &error),
             &error, entry->profile);
}

static stiction_status check_robot(check *c) {
    stiction_error error;
    const char **first = calloc(c->config->count + 1, sizeof *first);
    if (!first) {
        note(c, stiction_fail(&error, STICTION_OUT_OF_MEMORY, "out of memory"), &error, NULL);
        return STICTION_OUT_OF_MEMORY;
    }
    for (size_t n = 0; n < c->count; n++) {
        const config_joint *found = stiction_config_find(c->config, c->names[n]);
        const char **name = found ? &first[found - c->config->joints] : NULL;
        if (name && !*name) *name = c->names[n];
        if (!name && c->config->strict)
            note(c, refuse_unmatched(c->config, c->names[n], &error), &error, NULL);
    }
    for (size_t k = 0; k < c->config->count; k++) check_entry(c, &c->config->joints[k], first[k]);
    free(first);
    return stiction_errors_status(c->errors);
}

static stiction_status check_all(check *c, double host_timestep) {
    stiction_error error;
    stiction_status status =
        stiction_config_choose_timestep(c->config, host_timestep, &c->timestep, &error);
    if (status == STICTION_OK) status = sort_names(c->names, c->count, &c->sorted, &error);
    note(c, status, &error, NULL);
    if (status == STICTION_OK) status = check_robot(c);
    free(c->sorted);
    return status;
}

stiction_status stiction_config_check(const stiction_config *config, const char *const *names,
                                      size_t count, double timestep, stiction_errors *errors) {
    if (!config || (!names && count)) return STICTION_INVALID_ARGUMENT;
    stiction_errors *list = errors ? errors : stiction_errors_create();
    if (!list) return STICTION_OUT_OF_MEMORY;
    stiction_errors_begin(list);
    check c = {.config = config, .names = names, .count = count, .errors = list};
    const c_locale locale = c_locale_enter();
    const stiction_status status = check_all(&c, timestep);
    c_locale_leave(locale);
    if (!errors) stiction_errors_destroy(list);
    return status;
}

/* ---- models ---- */

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
        if (!found && strict) return refuse_unmatched(config, names[k], error);
        if (!found)
            stiction_model_log(model, STICTION_LOG_INFO,
                               "joint '%.200s': no friction is configured", names[k]);
        TRY(stiction_config_make_joint(config, found, names[k], model->sample, model->timestep,
                                       &model->joints[k], error));
        model->needs |= model->joints[k].needs;
        model->names[k] = stiction_text_copy(names[k]);
        if (found && found->draws) model->draws[k] = stiction_draws_copy(found->draws);
        FAIL_IF(!model->names[k] || (found && found->draws && !model->draws[k]), error,
                STICTION_OUT_OF_MEMORY, "out of memory");
    }
    return STICTION_OK;
}

static stiction_status create(const stiction_config *config, const char *const *names, size_t count,
                              const stiction_model_def *def, stiction_model **model,
                              stiction_error *error) {
    double timestep;
    stiction_status status =
        stiction_config_choose_timestep(config, def->timestep, &timestep, error);
    model_name *sorted = NULL;
    if (status == STICTION_OK) status = sort_names(names, count, &sorted, error);
    for (size_t k = 0; k < config->count && status == STICTION_OK && !def->partial; k++)
        status = match_pattern(config, &config->joints[k], names, sorted, count, error);
    stiction_model *made = status == STICTION_OK ? calloc(1, sizeof *made) : NULL;
    if (!made) {
        free(sorted);
        return status == STICTION_OK ? stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory")
                                     : status;
    }
    *made = (stiction_model){.timestep = timestep,
                             .count = count,
                             .names = calloc(count + 1, sizeof *made->names),
                             .by_name = sorted,
                             .joints = calloc(count + 1, sizeof *made->joints),
                             .draws = calloc(count + 1, sizeof *made->draws),
                             .seed = config->seed,
                             .sample = def->sample,
                             .log = def->log,
                             .log_user = def->log_user};
    status =
        made->names && made->joints && made->draws && stiction_groups_create(&made->groups, count)
            ? add_joints(made, config, names, def->strict || config->strict, error)
            : stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", count);
    if (status != STICTION_OK) {
        stiction_model_destroy(made);
        return status;
    }
    /* the caller's names may go */
    for (size_t k = 0; k < count; k++) sorted[k].name = made->names[sorted[k].index];
    stiction_groups_fill(&made->groups, made->joints, count);
    *model = made;
    return stiction_succeed(error);
}

stiction_status stiction_model_create(const stiction_config *config, const char *const *names,
                                      size_t count, const stiction_model_def *def,
                                      stiction_model **model, stiction_error *error) {
    if (model) *model = NULL;
    REQUIRE(config, error, "the configuration is NULL");
    REQUIRE(model, error, "the place for the model is NULL");
    REQUIRE(names || !count, error, "the array of joint names is NULL");
    stiction_model_def own = stiction_model_def_default();
    if (def) READ_SIZED(stiction_model_def, &own, def, log_user, "model definition", error);
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
    free(model->by_name);
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
    const model_name *found = model && name ? find_name(model->by_name, model->count, name) : NULL;
    return found ? found->index : stiction_model_joint_count(model);
}

stiction_status stiction_model_joint(const stiction_model *model, size_t index,
                                     stiction_joint_def *def, stiction_error *error) {
    REQUIRE(model, error, "the model is NULL");
    REQUIRE(def, error, "the definition is NULL");
    return stiction_joint_get_def(model->joints, model->count, index, def, error);
}
