/* SPDX-License-Identifier: MIT
 * A configuration or a model as YAML that loads to the same one, to the bit.
 */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "document/c_locale.h"
#include "document/memory_stream.h"
#include "document/number.h"
#include "document/yaml_write.h"
#include "joint_parameters.h"
#include "load_internal.h"
#include "model_internal.h"

void stiction_free(void *memory) {
    free(memory);
}

/* The parts of a file. */

/* YAML wants a key of more than 1024 characters announced, and one byte becomes at most the six
 * characters of \u0009. */
static const size_t longest_plain_key = 160;

static void write_lists(FILE *out, const stiction_joint_def *def) {
    char number[NUMBER_SIZE];
    stiction_list_info info;
    for (size_t k = 0; stiction_list_at(k, &info); k++) {
        const double *numbers;
        const size_t count = stiction_joint_def_list(def, k, &numbers);
        if (!count) continue;
        (void)fprintf(out, "    %s: [", info.key);
        for (size_t n = 0; n < count; n++)
            (void)fprintf(out, "%s%s", n ? ", " : "", stiction_number_write(numbers[n], number));
        (void)fprintf(out, "]  # %s, %s\n", info.symbol, info.unit);
    }
}

static bool write_joint(FILE *out, const char *name, const stiction_joint_def *def,
                        const joint_draws *draws) {
    char number[NUMBER_SIZE], distribution[DISTRIBUTION_SIZE];
    stiction_parameter_info info;
    const bool announced = strlen(name) > longest_plain_key;
    (void)fputs(announced ? "  ? " : "  ", out);
    const bool fine = stiction_yaml_write_text(out, name);
    (void)fprintf(out, "%s:\n    law: %s\n", announced ? "\n  " : "", def->law);
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        double value;
        memcpy(&value, (const char *)def + info.offset, sizeof value);
        const stiction_distribution *d = stiction_draws_find(draws, k);
        if (!d && (isnan(value) || stiction_parameter_is_neutral(k, value))) continue;
        const bool has_unit = strcmp(info.unit, "1") != 0;
        (void)fprintf(out, "    %s: %s  # %s%s%s\n", info.key,
                      d                        ? stiction_distribution_write(d, distribution)
                      : value == STICTION_AUTO ? "auto"
                                               : stiction_number_write(value, number),
                      info.symbol, has_unit ? ", " : "", has_unit ? info.unit : "");
    }
    write_lists(out, def);
    return fine;
}

/* All but the joints. */
static bool write_keys(FILE *out, const stiction_config *config) {
    bool fine = true;
    for (size_t k = 0; k < stiction_top_level_count; k++)
        if (stiction_top_level[k].write) fine = stiction_top_level[k].write(out, config) && fine;
    return fine;
}

static bool write_config(FILE *out, const stiction_config *config) {
    bool fine = write_keys(out, config);
    (void)fputs(config->count ? "joints:\n" : "joints: {}\n", out);
    for (size_t k = 0; k < config->count; k++)
        fine = write_joint(out, config->joints[k].pattern, &config->joints[k].def,
                           config->joints[k].draws) &&
               fine;
    return fine;
}

static bool write_model(FILE *out, const stiction_model *model) {
    const stiction_config head = {.timestep = model->timestep};
    bool fine = write_keys(out, &head);
    (void)fputs(model->count ? "joints:\n" : "joints: {}\n", out);
    for (size_t k = 0; k < model->count; k++) {
        const stiction_joint_def def = stiction_joint_underived(&model->joints[k]);
        fine = write_joint(out, model->names[k], &def, NULL) && fine;
    }
    return fine;
}

/* One of both, into memory. */
static char *write_either(const stiction_config *config, const stiction_model *model) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = stiction_memory_stream(&text, &size);
    if (!out) return NULL;
    const c_locale locale = c_locale_enter();
    bool fine = config ? write_config(out, config) : write_model(out, model);
    c_locale_leave(locale);
    fine = !ferror(out) && fine;
    fine = fclose(out) == 0 && fine;
    if (fine) return text;
    free(text);
    return NULL;
}

char *stiction_config_write(const stiction_config *config) {
    return config ? write_either(config, NULL) : NULL;
}

char *stiction_model_write(const stiction_model *model) {
    return model ? write_either(NULL, model) : NULL;
}
