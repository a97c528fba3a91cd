/* SPDX-License-Identifier: MIT
 * Configurations: any bytes load or are refused with errors; and what loads comes back from YAML
 * the same.
 */
#include <string.h>

#include "../fuzz.h"
#include "stiction/stiction.h"

static void look_at(const stiction_errors *errors) {
    for (size_t k = 0; k < stiction_errors_count(errors); k++)
        must_be_told(stiction_errors_at(errors, k));
}

static void write_and_read(const stiction_config *config) {
    stiction_config *again;
    char *once = stiction_config_write(config);
    must(once && stiction_config_parse(once, strlen(once), "once", &again, NULL) == STICTION_OK);
    char *twice = stiction_config_write(again);
    must(twice && strcmp(once, twice) == 0);
    stiction_free(once);
    stiction_free(twice);
    stiction_config_destroy(again);
}

static void make_model(const stiction_config *config) {
    static const char *const names[] = {"RWRR", "RWRY", "a"};
    stiction_model_def def = stiction_model_def_default();
    stiction_model *model;
    stiction_error error;
    stiction_errors *errors = stiction_errors_create();
    def.timestep = 1e-3;
    const bool fine = stiction_config_check(config, names, 3, 1e-3, errors) == STICTION_OK;
    look_at(errors);
    must(fine == (stiction_model_create(config, names, 3, &def, &model, &error) == STICTION_OK));
    must(fine == (stiction_errors_count(errors) == 0));
    (void)stiction_config_check(config, NULL, 0, 0, errors);
    look_at(errors);
    if (fine) stiction_free(stiction_model_write(model));
    stiction_model_destroy(model);
    stiction_errors_destroy(errors);
}

static void read_config(const uint8_t *data, size_t size) {
    stiction_config *config;
    stiction_errors *errors = stiction_errors_create();
    const stiction_status status =
        stiction_config_parse((const char *)data, size, "f.yaml", &config, errors);
    must((status == STICTION_OK) == (stiction_errors_count(errors) == 0));
    must((status == STICTION_OK) == (config != NULL));
    look_at(errors);
    if (config) {
        write_and_read(config);
        make_model(config);
    }
    stiction_config_destroy(config);
    stiction_errors_destroy(errors);
}

const fuzz_reader fuzz_config = {.name = "config", .read = read_config};
