/*
 * A configuration or a model as YAML that loads to the same one, to the bit.
 */
#define _POSIX_C_SOURCE 200809L /* uselocale, open_memstream */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "document/c_locale.h"
#include "document/number.h"
#include "document/yaml_write.h"
#include "model_internal.h"
#include "stiction/load.h"

void stiction_free(void *memory) {
    free(memory);
}

/* The parts of a file. */

static void write_head(FILE *out, double timestep) {
    char number[NUMBER_SIZE];
    (void)fprintf(out, "stiction: 1\n");
    if (timestep > 0)
        (void)fprintf(out, "timestep: %s  # s\n", stiction_number_write(timestep, number));
}

static bool write_models(FILE *out, const stiction_config *config) {
    bool fine = true;
    for (size_t k = 0; k < config->model_count; k++) {
        (void)fputs(k ? ", " : "models: [", out);
        fine = stiction_yaml_write_text(out, config->models[k]) && fine;
    }
    if (config->model_count) (void)fputs("]\n", out);
    return fine;
}

/* YAML wants a key of more than 1024 characters announced, and one byte becomes at most the six
 * characters of \u0009. */
static const size_t longest_plain_key = 160;

static bool write_joint(FILE *out, const char *name, const stiction_joint_def *def) {
    char number[NUMBER_SIZE];
    stiction_parameter_info info;
    const bool announced = strlen(name) > longest_plain_key;
    (void)fputs(announced ? "  ? " : "  ", out);
    const bool fine = stiction_yaml_write_text(out, name);
    (void)fprintf(out, "%s:\n    law: %s\n", announced ? "\n  " : "", def->law);
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        double value;
        memcpy(&value, (const char *)def + info.offset, sizeof value);
        if (isnan(value)) continue;
        const bool has_unit = strcmp(info.unit, "1") != 0;
        (void)fprintf(out, "    %s: %s  # %s%s%s\n", info.key, stiction_number_write(value, number),
                      info.symbol, has_unit ? ", " : "", has_unit ? info.unit : "");
    }
    return fine;
}

static bool write_config(FILE *out, const stiction_config *config) {
    write_head(out, config->timestep);
    bool fine = write_models(out, config);
    if (config->strict) (void)fputs("strict: true\n", out);
    (void)fputs(config->count ? "joints:\n" : "joints: {}\n", out);
    for (size_t k = 0; k < config->count; k++)
        fine = write_joint(out, config->joints[k].pattern, &config->joints[k].def) && fine;
    return fine;
}

static bool write_model(FILE *out, const stiction_model *model) {
    bool fine = true;
    write_head(out, model->timestep);
    (void)fputs(model->count ? "joints:\n" : "joints: {}\n", out);
    for (size_t k = 0; k < model->count; k++)
        fine = write_joint(out, model->names[k], &model->joints[k].def) && fine;
    return fine;
}

/* One of both, into memory. */
static char *write_either(const stiction_config *config, const stiction_model *model) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
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
