/* SPDX-License-Identifier: MIT
 * Every pointer of the C interface in turn is NULL, and every index too large: a status and a
 * message, or a plain 0, never a crash. The error may be NULL, too.
 */
#include <math.h>
#include <string.h>

#include "auto.h"
#include "check.h"
#include "stiction/stiction.h"

static const char text[] =
    "stiction: 1\ntimestep: 0.001\njoints:\n"
    "  a: { law: coulomb, static_torque: 1, coulomb_torque: 1, stiffness: 1e4, damping: 10 }\n"
    "  b: { law: coulomb, static_torque: {uniform: [1, 2]}, coulomb_torque: 1, stiffness: 1e4,\n"
    "       damping: 10 }\n";
static const char *const names[] = {"a", "b"};
enum { count = sizeof names / sizeof names[0] };

static stiction_config *config;
static stiction_model *model;
static stiction_state *state;
static stiction_batch *batch;
static stiction_error error;

static void make(void) {
    CHECK(stiction_config_parse(text, strlen(text), NULL, &config, NULL) == STICTION_OK);
    const stiction_model_def def = stiction_model_def_default();
    CHECK(stiction_model_create(config, names, count, &def, &model, &error) == STICTION_OK);
    CHECK(stiction_state_create(model, &state, &error) == STICTION_OK);
    const stiction_batch_def many = stiction_batch_def_default();
    CHECK(stiction_batch_create(model, 3, &many, &batch, &error) == STICTION_OK);
}

static void forget(void) {
    stiction_batch_destroy(batch);
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
}

/* A call that takes &error is refused with a message; the error must be empty before it. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        memset(&error, 0, sizeof error);                                                           \
        CHECK((call) == STICTION_INVALID_ARGUMENT);                                                \
        CHECK(error.message[0] != '\0');                                                           \
    } while (0)

TEST(configurations) {
    make();
    stiction_joint_def def = stiction_joint_def_default();
    stiction_distribution drawn = {0};
    CHECK(stiction_config_timestep(NULL) == 0);
    CHECK(stiction_config_seed(NULL) == 0);
    CHECK(stiction_config_joint_count(NULL) == 0);
    CHECK(stiction_config_model_count(NULL) == 0);
    CHECK(!stiction_config_strict(NULL));
    CHECK(!stiction_config_is_random(NULL));
    CHECK(stiction_config_coupling(NULL) == STICTION_COUPLING_AUTO);
    CHECK(stiction_config_element(NULL) == STICTION_ELEMENT_AUTO);
    stiction_config_set_strict(NULL, true);
    stiction_config_set_coupling(NULL, STICTION_COUPLING_EXPLICIT);
    stiction_config_set_element(NULL, STICTION_ELEMENT_RIGID);
    stiction_config_set_coupling(config, (stiction_coupling)99);
    stiction_config_set_element(config, (stiction_element_choice)99);
    CHECK(stiction_config_coupling(config) == STICTION_COUPLING_AUTO);
    CHECK(stiction_config_element(config) == STICTION_ELEMENT_AUTO);
    CHECK(!stiction_config_joint_at(config, 99, &def) && !stiction_config_joint_at(NULL, 0, &def));
    CHECK(!stiction_config_find_joint(NULL, "a", &def));
    CHECK(!stiction_config_find_joint(config, NULL, &def));
    CHECK(stiction_config_find_joint(config, "a", NULL));
    CHECK(!stiction_config_model_at(NULL, 0) && !stiction_config_model_at(config, 0));
    CHECK(!stiction_config_distribution(NULL, 0, 0, &drawn));
    CHECK(!stiction_config_distribution(config, 99, 0, &drawn));
    CHECK(!stiction_config_distribution(config, 0, 99, &drawn));
    CHECK(!stiction_config_write(NULL));
    REFUSED(stiction_config_set_timestep(NULL, 0.001, &error));
    REFUSED(stiction_config_set_seed(NULL, 1, &error));
    REFUSED(stiction_config_add_model(NULL, "m", &error));
    REFUSED(stiction_config_add_model(config, NULL, &error));
    REFUSED(stiction_config_add_joint(NULL, "c", &def, &error));
    REFUSED(stiction_config_add_joint(config, NULL, &def, &error));
    REFUSED(stiction_config_add_joint(config, "c", NULL, &error));
    REFUSED(stiction_config_set_distribution(NULL, "a", "damping", &drawn, &error));
    REFUSED(stiction_config_set_distribution(config, NULL, "damping", &drawn, &error));
    REFUSED(stiction_config_set_distribution(config, "a", NULL, &drawn, &error));
    REFUSED(stiction_config_set_distribution(config, "a", "damping", NULL, &error));
    REFUSED(stiction_config_draw(NULL, "a", 0, 0.001, &def, &error));
    REFUSED(stiction_config_draw(config, NULL, 0, 0.001, &def, &error));
    REFUSED(stiction_config_draw(config, "a", 0, 0.001, NULL, &error));
    CHECK(stiction_config_add_joint(config, "", &def, &error) == STICTION_INVALID_CONFIG);
    stiction_config_destroy(NULL);
    stiction_free(NULL);
    forget();
}

/* Lists of errors may be NULL: the status is enough. */
TEST(files_and_overrides) {
    make();
    const stiction_override fine = {"a.damping", "11"};
    const stiction_override no_key = {NULL, "11"}, no_value = {"a.damping", NULL};
    const char *const nameless[] = {"a", NULL};
    stiction_config *read = config;
    stiction_errors *const lists[] = {NULL, stiction_errors_create()};
    for (size_t k = 0; k < 2; k++) {
        stiction_errors *list = lists[k];
        CHECK(stiction_config_load(NULL, &read, list) == STICTION_INVALID_ARGUMENT);
        CHECK(stiction_config_load("no_such_file.yaml", NULL, list) == STICTION_INVALID_ARGUMENT);
        CHECK(stiction_config_parse(NULL, 3, NULL, &read, list) == STICTION_INVALID_ARGUMENT);
        CHECK(stiction_config_parse(text, 3, NULL, NULL, list) == STICTION_INVALID_ARGUMENT);
        const struct {
            stiction_config *config;
            const stiction_override *overrides;
            const char *const *names;
        } bad[] = {{NULL, &fine, names},     {config, NULL, names},      {config, &fine, NULL},
                   {config, &no_key, names}, {config, &no_value, names}, {config, &fine, nameless}};
        for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++)
            CHECK(stiction_config_override(bad[n].config, bad[n].overrides, 1, bad[n].names, count,
                                           list) == STICTION_INVALID_ARGUMENT);
        CHECK(stiction_config_edit_file(NULL, &fine, 1, names, count, list) ==
              STICTION_INVALID_ARGUMENT);
        CHECK(stiction_config_check(NULL, names, count, 0.001, list) == STICTION_INVALID_ARGUMENT);
        CHECK(stiction_config_check(config, NULL, count, 0.001, list) == STICTION_INVALID_ARGUMENT);
    }
    CHECK(stiction_errors_count(NULL) == 0 && stiction_errors_count(lists[1]) > 0);
    CHECK(!stiction_errors_at(NULL, 0) && !stiction_errors_at(lists[1], 9999));
    char line[8];
    CHECK(stiction_error_format(NULL, line, sizeof line) == 0);
    CHECK(stiction_error_format(stiction_errors_at(lists[1], 0), NULL, 0) > 0);
    stiction_errors_destroy(lists[1]);
    stiction_errors_destroy(NULL);
    forget();
}

TEST(models_and_joints) {
    make();
    stiction_model *other = model;
    stiction_joint_def def = stiction_joint_def_default();
    stiction_parameter_info parameter;
    stiction_law_info law;
    double least, most;
    REFUSED(stiction_model_create(NULL, names, count, NULL, &other, &error));
    REFUSED(stiction_model_create(config, NULL, count, NULL, &other, &error));
    REFUSED(stiction_model_create(config, names, count, NULL, NULL, &error));
    REFUSED(stiction_model_joint(NULL, 0, &def, &error));
    REFUSED(stiction_model_joint(model, 0, NULL, &error));
    REFUSED(stiction_model_joint(model, count, &def, &error));
    CHECK(stiction_model_joint_count(NULL) == 0 && stiction_model_timestep(NULL) == 0);
    CHECK(stiction_model_seed(NULL) == 0 && stiction_model_sample(NULL) == 0);
    CHECK(!stiction_model_joint_name(NULL, 0) && !stiction_model_joint_name(model, count));
    CHECK(stiction_model_find_joint(NULL, "a") == 0);
    CHECK(stiction_model_find_joint(model, NULL) == count);
    CHECK(stiction_model_find_joint(model, "c") == count);
    CHECK(!stiction_model_joint_is_random(NULL, 0));
    CHECK(!stiction_model_joint_is_random(model, count));
    CHECK(!stiction_model_joint_is_random(model, 0) && stiction_model_joint_is_random(model, 1));
    CHECK(!stiction_model_write(NULL));
    CHECK(!stiction_parameter_at(0, NULL) && !stiction_parameter_at(999, &parameter));
    CHECK(!stiction_parameter_range(999, &least, &most));
    CHECK(!stiction_law_info_at(0, NULL) && !stiction_law_info_at(999, &law));
    CHECK(!stiction_law_info_find(NULL, &law) && !stiction_law_info_find("no law", &law));
    CHECK(isnan(stiction_joint_def_value(NULL, 0)) && isnan(stiction_joint_def_value(&def, 999)));
    REFUSED(stiction_joint_def_check("a", NULL, 0.001, &error));
    stiction_model_destroy(NULL);
    forget();
}

TEST(states) {
    make();
    stiction_state *other = state;
    stiction_joint_def def;
    double two[count] = {0}, rest[count] = {0}, memory[64] = {0};
    char buffer[4096];
    const stiction_input in = stiction_input_default();
    const stiction_output out = stiction_output_default();
    CHECK(stiction_model_joint(model, 0, &def, &error) == STICTION_OK);
    CHECK(stiction_state_memory_size(state) <= sizeof memory / sizeof memory[0]);
    REFUSED(stiction_state_create(NULL, &other, &error));
    REFUSED(stiction_state_create(model, NULL, &error));
    REFUSED(stiction_state_reset(NULL, &error));
    REFUSED(stiction_state_copy(NULL, state, &error));
    REFUSED(stiction_state_copy(state, NULL, &error));
    CHECK(stiction_state_copy(state, state, &error) == STICTION_OK);
    REFUSED(stiction_state_save(NULL, buffer, sizeof buffer, &error));
    REFUSED(stiction_state_save(state, NULL, sizeof buffer, &error));
    REFUSED(stiction_state_restore(NULL, buffer, sizeof buffer, &error));
    REFUSED(stiction_state_restore(state, NULL, sizeof buffer, &error));
    REFUSED(stiction_step(NULL, 0.001, two, rest, &error));
    REFUSED(stiction_step(state, 0.001, NULL, rest, &error));
    REFUSED(stiction_step(state, 0.001, two, NULL, &error));
    REFUSED(stiction_step_full(NULL, &in, &out, &error));
    REFUSED(stiction_step_full(state, NULL, &out, &error));
    REFUSED(stiction_step_full(state, &in, NULL, &error));
    REFUSED(stiction_trial(NULL, &in, &out, &error));
    REFUSED(stiction_trial(state, NULL, &out, &error));
    REFUSED(stiction_trial(state, &in, NULL, &error));
    REFUSED(stiction_rate(NULL, 0.001, two, two, rest, rest, &error));
    REFUSED(stiction_rate(state, 0.001, NULL, two, rest, rest, &error));
    REFUSED(stiction_rate(state, 0.001, two, NULL, rest, rest, &error));
    REFUSED(stiction_rate(state, 0.001, two, two, NULL, rest, &error));
    REFUSED(stiction_rate(state, 0.001, two, two, rest, NULL, &error));
    REFUSED(stiction_state_set_joint(NULL, 0, &def, &error));
    REFUSED(stiction_state_set_joint(state, 0, NULL, &error));
    REFUSED(stiction_state_set_joint(state, count, &def, &error));
    REFUSED(stiction_state_joint(NULL, 0, &def, &error));
    REFUSED(stiction_state_joint(state, 0, NULL, &error));
    REFUSED(stiction_state_joint(state, count, &def, &error));
    REFUSED(stiction_state_get_deflections(NULL, two, &error));
    REFUSED(stiction_state_get_deflections(state, NULL, &error));
    REFUSED(stiction_state_set_deflections(NULL, two, &error));
    REFUSED(stiction_state_set_deflections(state, NULL, &error));
    REFUSED(stiction_state_get_memory(NULL, memory, &error));
    REFUSED(stiction_state_get_memory(state, NULL, &error));
    REFUSED(stiction_state_set_memory(NULL, memory, &error));
    REFUSED(stiction_state_set_memory(state, NULL, &error));
    REFUSED(stiction_state_draw(NULL, 0, &error));
    CHECK(stiction_state_buffer_size(NULL) == 0 && stiction_state_memory_size(NULL) == 0);
    CHECK(stiction_state_joint_count(NULL) == 0 && stiction_state_total_faults(NULL) == 0);
    CHECK(stiction_state_faults(NULL, 0) == 0 && stiction_state_faults(state, count) == 0);
    stiction_state_destroy(NULL);
    forget();
}

TEST(batches) {
    make();
    enum { environments = 3, all = environments * count };
    stiction_batch *other = batch;
    stiction_joint_def def;
    double v[all] = {0}, f[all] = {0};
    stiction_input in = {.size = sizeof in, .velocity = v, .timestep = 0.001};
    stiction_batch_def many = stiction_batch_def_default();
    CHECK(stiction_model_joint(model, 0, &def, &error) == STICTION_OK);
    REFUSED(stiction_batch_create(NULL, environments, &many, &other, &error));
    REFUSED(stiction_batch_create(model, environments, &many, NULL, &error));
    for (size_t threads = 0; threads <= 1025; threads += 1025) {
        many.threads = threads;
        REFUSED(stiction_batch_create(model, environments, &many, &other, &error));
    }
    many = stiction_batch_def_default();
    CHECK(stiction_batch_create(model, SIZE_MAX / 4, &many, &other, &error) ==
          STICTION_OUT_OF_MEMORY);
    REFUSED(stiction_step_batch(NULL, 0.001, v, f, &error));
    REFUSED(stiction_step_batch(batch, 0.001, NULL, f, &error));
    REFUSED(stiction_step_batch(batch, 0.001, v, NULL, &error));
    CHECK(stiction_step_batch(batch, 0.001, v, f, NULL) == STICTION_OK);
    REFUSED(stiction_step_batch_full(NULL, &in, f, &error));
    REFUSED(stiction_step_batch_full(batch, NULL, f, &error));
    REFUSED(stiction_step_batch_full(batch, &in, NULL, &error));
    in.velocity = NULL;
    REFUSED(stiction_step_batch_full(batch, &in, f, &error));
    in.size = 1;
    REFUSED(stiction_step_batch_full(batch, &in, f, &error));
    REFUSED(stiction_batch_reset(NULL, &error));
    REFUSED(stiction_batch_reset_environment(NULL, 0, &error));
    REFUSED(stiction_batch_reset_environment(batch, environments, &error));
    REFUSED(stiction_batch_set_joint(NULL, 0, 0, &def, &error));
    REFUSED(stiction_batch_set_joint(batch, environments, 0, &def, &error));
    REFUSED(stiction_batch_set_joint(batch, 0, count, &def, &error));
    REFUSED(stiction_batch_set_joint(batch, 0, 0, NULL, &error));
    REFUSED(stiction_batch_joint(NULL, 0, 0, &def, &error));
    REFUSED(stiction_batch_joint(batch, environments, 0, &def, &error));
    REFUSED(stiction_batch_joint(batch, 0, 0, NULL, &error));
    REFUSED(stiction_batch_get_deflections(NULL, v, &error));
    REFUSED(stiction_batch_get_deflections(batch, NULL, &error));
    REFUSED(stiction_batch_set_deflections(NULL, v, &error));
    REFUSED(stiction_batch_set_deflections(batch, NULL, &error));
    REFUSED(stiction_batch_draw(NULL, 0, 0, &error));
    REFUSED(stiction_batch_draw(batch, environments, 0, &error));
    CHECK(stiction_batch_size(NULL) == 0 && stiction_batch_environment_count(NULL) == 0);
    CHECK(stiction_batch_faults(NULL, 0, 0) == 0 && stiction_batch_total_faults(NULL) == 0);
    CHECK(stiction_batch_faults(batch, environments, 0) == 0);
    CHECK(stiction_batch_faults(batch, 0, count) == 0);
    stiction_batch_destroy(NULL);
    forget();
}

TEST(efforts) {
    AUTO(free_effort) stiction_effort *effort = stiction_effort_create(2);
    const double found[2] = {1, 2};
    CHECK(effort != NULL);
    CHECK(!stiction_effort_command(NULL, found) && !stiction_effort_command(effort, NULL));
    CHECK(!stiction_effort_apply(NULL, found) && !stiction_effort_apply(effort, NULL));
    stiction_effort_destroy(NULL);
}
