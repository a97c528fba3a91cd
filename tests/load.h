/* SPDX-License-Identifier: MIT */
/* For the tests of the loader: texts in, configurations or all errors as text out. */
#ifndef STICTION_TESTS_LOAD_H
#define STICTION_TESTS_LOAD_H

#include "check.h"
#include "stiction/stiction.h"

/* All bytes of a file and a 0 behind them; NULL where there is none. The caller frees it. */
static inline char *read_whole(const char *path, size_t *size) {
    *size = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = NULL;
    size_t capacity = 0, read;
    do {
        capacity += 65536;
        char *larger = realloc(text, capacity + 1);
        if (!larger) abort();
        text = larger;
        read = fread(text + *size, 1, capacity - *size, file);
        *size += read;
    } while (*size == capacity);
    fclose(file);
    text[*size] = '\0';
    return text;
}

/* All errors, a line each. The caller frees it. */
static inline char *errors_text(const stiction_errors *errors) {
    const size_t count = stiction_errors_count(errors), most = sizeof(stiction_error);
    char *text = calloc(count + 1, most);
    if (!text) abort();
    size_t length = 0;
    for (size_t k = 0; k < count; k++) {
        length += stiction_error_format(stiction_errors_at(errors, k), text + length, most);
        text[length++] = '\n';
    }
    return text;
}

/* The configuration of a text that has no mistake. */
static inline stiction_config *parse_fine(const char *text) {
    stiction_config *config;
    stiction_errors *errors = stiction_errors_create();
    if (stiction_config_parse(text, strlen(text), "fine.yaml", &config, errors) != STICTION_OK) {
        char *said = errors_text(errors);
        FAIL("not fine:\n%s\n%s", text, said);
        free(said);
    }
    CHECK(stiction_errors_count(errors) == 0);
    stiction_errors_destroy(errors);
    return config;
}

/* What is wrong with a text, a line each. The caller frees it. */
static inline char *parse_errors(const char *text, size_t size) {
    stiction_config *config;
    stiction_errors *errors = stiction_errors_create();
    const stiction_status status = stiction_config_parse(text, size, "f.yaml", &config, errors);
    CHECK((status == STICTION_OK) == (stiction_errors_count(errors) == 0));
    CHECK((config != NULL) == (status == STICTION_OK));
    char *said = errors_text(errors);
    stiction_config_destroy(config);
    stiction_errors_destroy(errors);
    return said;
}

/* The friction that a configuration gives a joint; law NULL: none. */
static inline stiction_joint_def friction_of(const stiction_config *config, const char *name) {
    stiction_joint_def def = stiction_joint_def_default();
    if (!stiction_config_find_joint(config, name, &def)) def.law = NULL;
    return def;
}

static inline void check_same_def(const stiction_joint_def *a, const stiction_joint_def *b) {
    stiction_parameter_info info;
    CHECK(strcmp(a->law, b->law) == 0);
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (memcmp((const char *)a + info.offset, (const char *)b + info.offset, sizeof(double)))
            FAIL("%s is not the same", info.key);
}

static inline void check_same_config(const stiction_config *a, const stiction_config *b) {
    const size_t count = stiction_config_joint_count(a);
    const size_t models = stiction_config_model_count(a);
    CHECK_SAME(stiction_config_timestep(a), stiction_config_timestep(b));
    CHECK(stiction_config_strict(a) == stiction_config_strict(b));
    CHECK(models == stiction_config_model_count(b));
    for (size_t k = 0; k < models && k < stiction_config_model_count(b); k++)
        CHECK(strcmp(stiction_config_model_at(a, k), stiction_config_model_at(b, k)) == 0);
    CHECK(count == stiction_config_joint_count(b));
    for (size_t k = 0; k < count && k < stiction_config_joint_count(b); k++) {
        stiction_joint_def left = stiction_joint_def_default(), right = left;
        CHECK(strcmp(stiction_config_joint_at(a, k, &left),
                     stiction_config_joint_at(b, k, &right)) == 0);
        check_same_def(&left, &right);
    }
}

#endif
