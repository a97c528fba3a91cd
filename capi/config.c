/* SPDX-License-Identifier: MIT
 * A configuration in memory: patterns of joint names, each with its friction.
 */
#define _GNU_SOURCE /* tdestroy */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "document/fail.h"
#include "document/names.h"
#include "document/text.h"

stiction_config *stiction_config_create(void) {
    return calloc(1, sizeof(stiction_config));
}

void stiction_config_destroy(stiction_config *config) {
    if (!config) return;
    for (size_t k = 0; k < config->count; k++) {
        free(config->joints[k].profile);
        free(config->joints[k].draws);
        free(config->joints[k].overrides);
    }
    for (size_t k = 0; k < config->model_count; k++) free(config->models[k]);
    for (size_t k = 0; k < config->valid_count; k++) free(config->valid[k].pattern);
    free(config->valid);
    free(config->joints);
    tdestroy(config->by_name, free);
    free(config->patterns);
    free(config->models);
    free(config->path);
    stiction_config_forget_tree(config);
    free(config);
}

void stiction_config_forget_tree(stiction_config *config) {
    stiction_arena_free(&config->tree);
    config->root = NULL;
}

stiction_status stiction_config_set_timestep(stiction_config *config, double timestep,
                                             stiction_error *error) {
    REQUIRE(config, error, "the configuration is NULL");
    TRY(stiction_check_timestep("timestep", timestep, STICTION_INVALID_CONFIG, error));
    config->timestep = timestep;
    stiction_config_forget_tree(config);
    return stiction_succeed(error);
}

double stiction_config_timestep(const stiction_config *config) {
    return config ? config->timestep : 0;
}

bool stiction_config_strict(const stiction_config *config) {
    return config && config->strict;
}

void stiction_config_set_strict(stiction_config *config, bool strict) {
    if (!config) return;
    config->strict = strict;
    stiction_config_forget_tree(config);
}

const char *stiction_coupling_name(stiction_coupling coupling) {
    static const char *const names[] = {"auto", "explicit", "implicit"};
    return (size_t)coupling < sizeof names / sizeof names[0] ? names[coupling] : NULL;
}

stiction_coupling stiction_config_coupling(const stiction_config *config) {
    return config ? config->coupling : STICTION_COUPLING_AUTO;
}

void stiction_config_set_coupling(stiction_config *config, stiction_coupling coupling) {
    if (!config || !stiction_coupling_name(coupling)) return;
    config->coupling = coupling;
    stiction_config_forget_tree(config);
}

const char *stiction_element_choice_name(stiction_element_choice element) {
    static const char *const names[] = {"auto", "bristle", "rigid"};
    return (size_t)element < sizeof names / sizeof names[0] ? names[element] : NULL;
}

stiction_element_choice stiction_config_element(const stiction_config *config) {
    return config ? config->element : STICTION_ELEMENT_AUTO;
}

void stiction_config_set_element(stiction_config *config, stiction_element_choice element) {
    if (!config || !stiction_element_choice_name(element)) return;
    config->element = element;
    stiction_config_forget_tree(config);
}

stiction_status stiction_config_add_model(stiction_config *config, const char *name,
                                          stiction_error *error) {
    REQUIRE(config, error, "the configuration is NULL");
    REQUIRE(name, error, "the model's name is NULL");
    FAIL_IF(!*name, error, STICTION_INVALID_CONFIG, "a model's name is empty");
    for (size_t k = 0; k < config->model_count; k++)
        FAIL_IF(strcmp(config->models[k], name) == 0, error, STICTION_INVALID_CONFIG,
                "model '%.200s' is given twice", name);
    char **models = realloc(config->models, (config->model_count + 1) * sizeof *models);
    if (models) config->models = models;
    char *copy = models ? stiction_text_copy(name) : NULL;
    FAIL_IF(!copy, error, STICTION_OUT_OF_MEMORY, "out of memory");
    config->models[config->model_count++] = copy;
    stiction_config_forget_tree(config);
    return stiction_succeed(error);
}

size_t stiction_config_model_count(const stiction_config *config) {
    return config ? config->model_count : 0;
}

const char *stiction_config_model_at(const stiction_config *config, size_t index) {
    return index < stiction_config_model_count(config) ? config->models[index] : NULL;
}

size_t stiction_config_joint_count(const stiction_config *config) {
    return config ? config->count : 0;
}

const char *stiction_config_joint_at(const stiction_config *config, size_t index,
                                     stiction_joint_def *def) {
    if (index >= stiction_config_joint_count(config)) return NULL;
    if (def) stiction_config_give_def(config, index, config->joints[index].pattern, def);
    return config->joints[index].pattern;
}

static bool reserve(stiction_config *config) {
    if (config->count < config->capacity) return true;
    const size_t capacity = config->capacity ? 2 * config->capacity : 16;
    config_joint *joints = realloc(config->joints, capacity * sizeof *joints);
    if (joints) config->joints = joints;
    size_t *patterns = realloc(config->patterns, capacity * sizeof *patterns);
    if (patterns) config->patterns = patterns;
    if (!joints || !patterns) return false;
    config->capacity = capacity;
    return true;
}

static size_t pattern_bytes(const char *name) {
    return stiction_name_is_pattern(name) ? strlen(name) : 0;
}

/* Of a text, which is searched, with the pattern of a joint; tsearch gives the former a tree of the
 * latter. */
static int compare_name(const void *text, const void *name) {
    return strcmp(text, ((const config_name *)name)->pattern);
}

static int compare_names(const void *a, const void *b) {
    return compare_name(((const config_name *)a)->pattern, b);
}

config_joint *stiction_config_append(stiction_config *config, const char *pattern,
                                     const stiction_joint_def *complete) {
    const size_t size = strlen(pattern) + 1;
    config_name *name = reserve(config) ? malloc(sizeof *name + size) : NULL;
    if (!name) return NULL;
    name->index = config->count;
    memcpy(name->pattern, pattern, size);
    if (!tsearch(name, &config->by_name, compare_names)) {
        free(name);
        return NULL;
    }
    config_joint *added = &config->joints[config->count];
    *added = (config_joint){.pattern = name->pattern, .def = *complete};
    if (pattern_bytes(pattern)) config->patterns[config->pattern_count++] = config->count;
    config->pattern_bytes += pattern_bytes(pattern);
    config->count++;
    return added;
}

const config_joint *stiction_config_find_exactly(const stiction_config *config, const char *name) {
    config_name *const *found = tfind(name, &config->by_name, compare_name);
    return found ? &config->joints[(*found)->index] : NULL;
}

stiction_status stiction_config_check_def(const char *name, const stiction_joint_def *def,
                                          stiction_joint_def *complete, stiction_error *error) {
    stiction_law_info law;
    joint j;
    const stiction_status status = stiction_joint_complete(name, def, complete, error);
    if (status != STICTION_OK || !stiction_law_info_find(complete->law, &law) || !law.reference)
        return status;
    /* reference models have conditions of their own, which do not depend on the time step */
    return stiction_joint_init(&j, name, complete, 1, error);
}

stiction_status stiction_config_add_joint(stiction_config *config, const char *pattern,
                                          const stiction_joint_def *def, stiction_error *error) {
    REQUIRE(config, error, "the configuration is NULL");
    REQUIRE(pattern, error, "the joint's name is NULL");
    REQUIRE(def, error, "the definition is NULL");
    FAIL_IF(!*pattern, error, STICTION_INVALID_CONFIG, "a joint's name is empty");
    FAIL_IF(strlen(pattern) > NAME_MOST, error, STICTION_INVALID_CONFIG,
            "a joint's name has more than %d bytes", NAME_MOST);
    FAIL_IF(stiction_config_find_exactly(config, pattern), error, STICTION_INVALID_CONFIG,
            "joint '%.200s' is given twice", pattern);
    FAIL_IF(config->pattern_bytes + pattern_bytes(pattern) > PATTERNS_MOST, error,
            STICTION_INVALID_CONFIG,
            "with '%.200s' the patterns of joints have more than %d bytes in all", pattern,
            PATTERNS_MOST);

    stiction_joint_def complete;
    TRY(stiction_config_check_def(pattern, def, &complete, error));
    FAIL_IF(!stiction_config_append(config, pattern, &complete), error, STICTION_OUT_OF_MEMORY,
            "out of memory");
    stiction_config_forget_tree(config);
    return stiction_succeed(error);
}

bool stiction_config_is_for(const stiction_config *config, const char *model_name,
                            const char *const *names, size_t count) {
    if (!config) return false;
    for (size_t k = 0; model_name && k < config->model_count; k++)
        if (strcmp(config->models[k], model_name) == 0) return true;
    for (size_t k = 0; !config->model_count && names && k < count; k++)
        if (names[k] && stiction_config_find(config, names[k])) return true;
    return false;
}

const char *stiction_config_find_joint(const stiction_config *config, const char *name,
                                       stiction_joint_def *def) {
    const config_joint *found = config && name ? stiction_config_find(config, name) : NULL;
    if (found && def) stiction_config_give_def(config, (size_t)(found - config->joints), name, def);
    return found ? found->pattern : NULL;
}
