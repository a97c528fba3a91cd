/* SPDX-License-Identifier: MIT */
#include "mujoco_element/plugin_element.h"

#include <math.h>
#include <string.h>

#include "document/names.h"
#include "document/number.h"
#include "document/yaml_write.h"

static const char *value_of(const element *e, const char *key) {
    const char *value = e->value(e->user, key);
    return value && *value ? value : NULL;
}

/* ---- friction ---- */

/* The parameters in the element, as a configuration; NULL: there are none. */
static const char *inline_parameters(reader *r, const element *e) {
    const char *law = value_of(e, "law");
    text_stream *s = stiction_reader_stream(r);
    bool any = law;
    fprintf(s->file, "stiction: 1\njoints:\n  \"*\":\n");
    if (law) fprintf(s->file, "    law: %s\n", law);
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        const char *value = value_of(e, info.key);
        if (value) any = fprintf(s->file, "    %s: %s\n", info.key, value) > 0;
    }
    stiction_list_info list;
    for (size_t k = 0; stiction_list_at(k, &list); k++) {
        const char *value = value_of(e, list.key);
        if (value) any = fprintf(s->file, "    %s: %s\n", list.key, value) > 0;
    }
    const char *text = stiction_reader_stream_text(r, s);
    return any ? text : NULL;
}

static void finish_config(void *memory) {
    stiction_config_destroy(*(stiction_config **)memory);
}

static _Noreturn void refuse_first(reader *r, const stiction_errors *errors) {
    const stiction_error *first = stiction_errors_at(errors, 0);
    if (!first) stiction_reader_no_memory(r);
    stiction_reader_refuse_as(r, first);
}

stiction_config *element_configuration(reader *r, const element *e) {
    stiction_config **config = stiction_reader_own(r, sizeof *config, finish_config);
    stiction_errors *errors = stiction_reader_errors(r);
    const char *file = value_of(e, "config"), *yaml = value_of(e, "yaml");
    const char *parameters = inline_parameters(r, e);
    if (!file + !yaml + !parameters != 2)
        stiction_reader_refuse(r, e->at,
                               file || yaml || parameters
                                   ? "friction is given twice: use one of 'config' (a file), "
                                     "'yaml' (its text) and 'law' with its parameters"
                                   : "no friction is given: 'config' (a file), 'yaml' (its text) "
                                     "or 'law' with its parameters");
    if (yaml) parameters = yaml;
    if (file && e->beside) {
        file = stiction_reader_beside(r, e->beside, file);
        stiction_reader_permit(r, e->at, file);
    }
    const stiction_status status =
        file ? stiction_config_load(file, config, errors)
             : stiction_config_parse(parameters, strlen(parameters), e->at.path, config, errors);
    if (status != STICTION_OK) refuse_first(r, errors);
    const char *coupling = value_of(e, "coupling");
    const stiction_override override = {"coupling", coupling};
    if (coupling && stiction_config_override(*config, &override, 1, NULL, 0, errors) != STICTION_OK)
        refuse_first(r, errors);
    return *config;
}

/* ---- joints ---- */

/* If no joint has the prefix, the model stands alone, as programs load it before they merge it with
 * others. */
static void take_prefix(const element *e, const char **names, size_t count) {
    const char *prefix = value_of(e, "prefix");
    const size_t length = prefix ? strlen(prefix) : 0;
    size_t with_it = 0;
    for (size_t k = 0; k < count && prefix; k++)
        with_it += names[k] && strncmp(names[k], prefix, length) == 0;
    for (size_t k = 0; k < count && with_it; k++)
        if (names[k]) names[k] = strncmp(names[k], prefix, length) == 0 ? names[k] + length : NULL;
}

void element_select(reader *r, const element *e, const char **names, size_t count) {
    take_prefix(e, names, count);
    const char **present = stiction_reader_alloc(r, (count + 1) * sizeof *present);
    bool *wanted = stiction_reader_alloc(r, count + 1);
    size_t present_count = 0;
    for (size_t k = 0; k < count; k++)
        if (names[k]) present[present_count++] = names[k];
    if (!present_count)
        stiction_reader_refuse(r, e->at, "there is no hinge and no slide below its body");
    const char *list = value_of(e, "joints");
    if (!list) return;
    char *rest, *text = stiction_reader_text(r, list);
    for (char *p = strtok_r(text, " \t\r\n", &rest); p; p = strtok_r(NULL, " \t\r\n", &rest)) {
        bool any = false;
        for (size_t k = 0; k < count; k++)
            if (names[k] && stiction_name_matches(p, names[k])) wanted[k] = any = true;
        char hint[NAME_HINT_SIZE];
        if (!any)
            stiction_reader_refuse(r, e->at, "joints: there is no joint '%s'%s", p,
                                   stiction_name_hint(p, present, present_count, hint));
    }
    for (size_t k = 0; k < count; k++)
        if (!wanted[k]) names[k] = NULL;
}

static void finish_model(void *memory) {
    stiction_model_destroy(*(stiction_model **)memory);
}

stiction_model *element_model(reader *r, const element *e, const stiction_config *config,
                              const char *const *names, size_t count, double timestep) {
    stiction_model **model = stiction_reader_own(r, sizeof *model, finish_model);
    const char **present = stiction_reader_alloc(r, (count + 1) * sizeof *present);
    size_t present_count = 0;
    for (size_t k = 0; k < count; k++)
        if (names[k]) present[present_count++] = names[k];
    stiction_model_def def = stiction_model_def_default();
    stiction_error error;
    def.timestep = timestep;
    /* a file of the whole robot may be for a part of it */
    def.partial = value_of(e, "joints") != NULL;
    if (stiction_model_create(config, present, present_count, &def, model, &error) != STICTION_OK)
        stiction_reader_refuse_as(r, &error);
    return *model;
}

/* ---- writing ---- */

void element_write_joint(FILE *out, const char *name, const stiction_joint_def *def) {
    char number[NUMBER_SIZE];
    stiction_parameter_info info;
    stiction_list_info list;
    (void)stiction_yaml_write_text(out, name);
    fprintf(out, ": {law: %s", def->law);
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        const double value = stiction_joint_def_value(def, k);
        if (!isnan(value) && value != info.fallback)
            fprintf(out, ", %s: %s", info.key, stiction_number_write(value, number));
    }
    for (size_t k = 0; stiction_list_at(k, &list); k++) {
        const double *numbers;
        const size_t count = stiction_joint_def_list(def, k, &numbers);
        if (count) fprintf(out, ", %s: [", list.key);
        for (size_t i = 0; i < count; i++)
            fprintf(out, "%s%s", i ? ", " : "", stiction_number_write(numbers[i], number));
        if (count) fputs("]", out);
    }
    fputs("}", out);
}
