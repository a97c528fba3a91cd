/*
 * A configuration or a model as YAML that loads to the same one, to the bit.
 */
#define _POSIX_C_SOURCE 200809L /* uselocale, open_memstream */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config_internal.h"
#include "document/c_locale.h"
#include "document/number.h"
#include "document/utf8.h"
#include "model_internal.h"
#include "stiction/load.h"

void stiction_free(void *memory) {
    free(memory);
}

/* Texts. */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A word that no reader of YAML takes for anything but a text. */
static bool is_plain(const char *text) {
    static const char *const taken[] = {"true", "false", "yes", "no",  "on",
                                        "off",  "y",     "n",   "null"};
    for (size_t k = 0; k < sizeof taken / sizeof taken[0]; k++)
        if (strcasecmp(text, taken[k]) == 0) return false;
    if (!is_letter(*text)) return false;
    while (is_letter(*text) || (*text >= '0' && *text <= '9')) text++;
    return *text == '\0';
}

/* What YAML allows between quotes as it is. */
static bool is_printable(uint32_t c) {
    return (c >= 0x20 && c < 0x7F) || (c >= 0xA0 && c < 0x2028) || (c > 0x2029 && c < 0xFEFF) ||
           (c > 0xFEFF && c < 0xFFFE) || c > 0xFFFF;
}

/* False: it is not UTF-8. */
static bool write_quoted(FILE *out, const char *text) {
    (void)fputc('"', out);
    while (*text) {
        const char *next = text;
        const uint32_t c = utf8_next(&next);
        if (c == UTF8_INVALID) return false;
        if (c == '"' || c == '\\')
            (void)fprintf(out, "\\%c", (int)c);
        else if (is_printable(c))
            (void)fwrite(text, 1, (size_t)(next - text), out);
        else
            (void)fprintf(out, "\\u%04X", (unsigned)c);
        text = next;
    }
    (void)fputc('"', out);
    return true;
}

static bool write_text(FILE *out, const char *text) {
    if (!is_plain(text)) return write_quoted(out, text);
    (void)fputs(text, out);
    return true;
}

/* The parts of a file. */

static void write_head(FILE *out, double timestep) {
    char number[NUMBER_SIZE];
    (void)fprintf(out, "stiction: 1\n");
    if (timestep > 0) (void)fprintf(out, "timestep: %s  # s\n", number_write(timestep, number));
}

static bool write_models(FILE *out, const stiction_config *config) {
    bool fine = true;
    for (size_t k = 0; k < config->model_count; k++) {
        (void)fputs(k ? ", " : "models: [", out);
        fine = write_text(out, config->models[k]) && fine;
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
    const bool fine = write_text(out, name);
    (void)fprintf(out, "%s:\n    law: %s\n", announced ? "\n  " : "", def->law);
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        double value;
        memcpy(&value, (const char *)def + info.offset, sizeof value);
        if (isnan(value)) continue;
        const bool has_unit = strcmp(info.unit, "1") != 0;
        (void)fprintf(out, "    %s: %s  # %s%s%s\n", info.key, number_write(value, number),
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
