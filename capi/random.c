/* SPDX-License-Identifier: MIT
 * The public functions on random parameters: seeds, distributions and samples of a configuration, a
 * model and a state. Those of a batch are in batch.c.
 */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "document/c_locale.h"
#include "document/fail.h"
#include "document/names.h"
#include "joint_parameters.h"
#include "state_internal.h"

/* Configurations. */

stiction_status stiction_config_set_seed(stiction_config *config, uint64_t seed,
                                         stiction_error *error) {
    REQUIRE(config, error, "the configuration is NULL");
    FAIL_IF(seed > STICTION_SEED_LARGEST, error, STICTION_INVALID_CONFIG,
            "seed %llu must be at most %lld", (unsigned long long)seed,
            (long long)STICTION_SEED_LARGEST);
    config->seed = seed;
    stiction_config_forget_tree(config);
    return stiction_succeed(error);
}

uint64_t stiction_config_seed(const stiction_config *config) {
    return config ? config->seed : 0;
}

bool stiction_config_is_random(const stiction_config *config) {
    for (size_t k = 0; k < stiction_config_joint_count(config); k++)
        if (config->joints[k].draws) return true;
    return false;
}

bool stiction_config_distribution(const stiction_config *config, size_t index, size_t parameter,
                                  stiction_distribution *distribution) {
    if (index >= stiction_config_joint_count(config)) return false;
    const stiction_distribution *found =
        stiction_draws_find(config->joints[index].draws, parameter);
    if (found && distribution) *distribution = *found;
    return found != NULL;
}

/* A row of the table by its key, or the number of rows. */
static size_t find_parameter(const char *key) {
    stiction_parameter_info info;
    size_t k = 0;
    while (stiction_parameter_at(k, &info) && strcmp(info.key, key) != 0) k++;
    return k;
}

/* Whether the draws of an entry can be legal, whatever the time step. */
static stiction_status check_draws(const stiction_config *config, const config_joint *entry,
                                   const joint_draws *draws, stiction_error *error) {
    joint j;
    stiction_law_info law;
    stiction_error inner;
    stiction_joint_def def = entry->def;
    const draw_key key = {config->seed, 0, entry->pattern};
    stiction_draws_favour(draws, &def);
    (void)stiction_law_info_find(def.law, &law);
    stiction_status status = stiction_joint_check_orders(stiction_draws_refusal(draws), &def,
                                                         law.parameters, NULL, &inner);
    if (status == STICTION_OK)
        status = stiction_draw_joint(&j, &entry->def, draws, &key, 0, NULL, &inner);
    return status == STICTION_OK ? STICTION_OK
                                 : stiction_fail(error, status, "joint '%.200s': %.800s",
                                                 entry->pattern, inner.message);
}

static stiction_status set_distribution(stiction_config *config, config_joint *entry,
                                        size_t parameter, const stiction_distribution *d,
                                        stiction_error *error) {
    stiction_error inner;
    stiction_status status = stiction_distribution_check(d, parameter, NULL, &inner);
    FAIL_IF(status != STICTION_OK, error, status, "joint '%.200s': %.800s", entry->pattern,
            inner.message);
    joint_draws *draws = stiction_draws_copy(entry->draws);
    FAIL_IF(!draws, error, STICTION_OUT_OF_MEMORY, "out of memory");
    stiction_draws_set(draws, parameter, d);
    status = check_draws(config, entry, draws, error);
    if (status != STICTION_OK) {
        free(draws);
        return status;
    }
    free(entry->draws);
    entry->draws = draws;
    stiction_config_forget_tree(config);
    return stiction_succeed(error);
}

stiction_status stiction_config_set_distribution(stiction_config *config, const char *pattern,
                                                 const char *parameter,
                                                 const stiction_distribution *distribution,
                                                 stiction_error *error) {
    REQUIRE(config, error, "the configuration is NULL");
    REQUIRE(pattern, error, "the joint's name is NULL");
    REQUIRE(parameter, error, "the parameter's name is NULL");
    REQUIRE(distribution, error, "the distribution is NULL");
    const size_t row = find_parameter(parameter);
    FAIL_IF(row == stiction_parameter_count(), error, STICTION_INVALID_CONFIG,
            "joint '%.200s': there is no parameter '%.200s'", pattern, parameter);
    const config_joint *entry = stiction_config_find_exactly(config, pattern);
    FAIL_IF(!entry, error, STICTION_INVALID_CONFIG,
            "joint '%.200s': the configuration has no such entry", pattern);
    const c_locale locale = c_locale_enter();
    const stiction_status status =
        set_distribution(config, &config->joints[entry - config->joints], row, distribution, error);
    c_locale_leave(locale);
    return status;
}

/* If no draw is legal, the last one tried; a model refuses it with an error message. */
void stiction_config_give_def(const stiction_config *config, size_t index, const char *name,
                              stiction_joint_def *def) {
    const config_joint *entry = &config->joints[index];
    const draw_key key = {config->seed, 0, name};
    joint j;
    if (entry->draws)
        (void)stiction_draw_joint(&j, &entry->def, entry->draws, &key, config->timestep, NULL,
                                  NULL);
    stiction_joint_give_def(entry->draws ? &j.def : &entry->def, def);
}

stiction_status stiction_config_draw(const stiction_config *config, const char *name,
                                     uint64_t sample, double timestep, stiction_joint_def *def,
                                     stiction_error *error) {
    REQUIRE(config, error, "the configuration is NULL");
    REQUIRE(name, error, "the joint's name is NULL");
    REQUIRE(def, error, "the definition is NULL");
    double chosen = config->timestep;
    if (timestep != 0) TRY(stiction_config_choose_timestep(config, timestep, &chosen, error));
    const config_joint *found = stiction_config_find(config, name);
    joint j;
    if (found && !found->draws && chosen == 0) { /* no joint can be made of it */
        j.def = found->def;
    } else {
        const c_locale locale = c_locale_enter();
        const stiction_status status =
            stiction_config_make_joint(config, found, name, sample, chosen, &j, error);
        c_locale_leave(locale);
        if (status != STICTION_OK) return status;
    }
    stiction_joint_give_def(&j.def, def);
    return stiction_succeed(error);
}

/* Models. */

uint64_t stiction_model_seed(const stiction_model *model) {
    return model ? model->seed : 0;
}

uint64_t stiction_model_sample(const stiction_model *model) {
    return model ? model->sample : 0;
}

bool stiction_model_joint_is_random(const stiction_model *model, size_t index) {
    return model && index < model->count && model->draws[index];
}

stiction_status stiction_model_draw(const stiction_model *model, size_t index, uint64_t sample,
                                    const joint *from, double timestep, joint *j,
                                    stiction_error *error) {
    stiction_error inner;
    const draw_key key = {model->seed, sample, model->names[index]};
    const stiction_joint_def def = stiction_joint_underived(from);
    const stiction_status status =
        stiction_draw_joint(j, &def, model->draws[index], &key, timestep, NULL, &inner);
    return status == STICTION_OK ? STICTION_OK
                                 : stiction_fail(error, status, "joint '%.200s': %.800s",
                                                 model->names[index], inner.message);
}

/* States. */

stiction_status stiction_state_draw(stiction_state *state, uint64_t sample, stiction_error *error) {
    stiction_status status = stiction_state_check(state, error);
    const size_t count = stiction_state_joint_count(state);
    joint drawn;
    /* first whether all of it can be drawn, then draw it */
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < count && status == STICTION_OK; k++) {
            if (!state->model->draws[k]) continue;
            joint *j = &state->joints[k];
            status =
                stiction_model_draw(state->model, k, sample, j, state->timestep, &drawn, error);
            if (pass == 0 || status != STICTION_OK) continue;
            stiction_state_to_memories(state);
            stiction_joint_keep_torque(j, &drawn, &state->memories[k].deflection,
                                       &state->memories[k].drive);
            *j = drawn;
        }
    if (status != STICTION_OK) return status;
    stiction_state_group(state);
    return stiction_succeed(error);
}
