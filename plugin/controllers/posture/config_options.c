/* SPDX-License-Identifier: MIT
 * Option strings: words of key=value or key=JOINT:value,JOINT:value.
 */
#include <stdlib.h>
#include <string.h>

#include "document/c_locale.h"
#include "document/text.h"
#include "posture_settings.h"

static const char spaces[] = " \t\r\n";

/* What only options have. */
static const char *const others[] = {"config", NULL};

static bool is_space(char c) {
    return c != '\0' && strchr(spaces, c) != NULL;
}

/* Cuts the next word from *at and takes its quotes off; NULL: none. *closed: no quote is open. */
static char *cut_word(char **at, bool *closed) {
    char *word = *at + strspn(*at, spaces), *to = word, quote = '\0';
    if (!*word) return NULL;
    char *from = word;
    for (; *from && (quote || !is_space(*from)); from++) {
        if (*from == quote && quote)
            quote = '\0';
        else if (!quote && (*from == '"' || *from == '\''))
            quote = *from;
        else
            *to++ = *from;
    }
    *closed = quote == '\0';
    *at = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

/* A value for all joints, or one after the other for those that are named. */
static stiction_status set_values(posture_config *config, const char *name, size_t key,
                                  char *values, stiction_error *error) {
    const setting_place at = {.option = name};
    stiction_status status = STICTION_OK;
    /* names of files may have any of the letters below */
    if (posture_key_at(key)->kind == KEY_FILE)
        return config_set(config, at, NULL, key, values, error);
    for (char *value = values, *next; value && status == STICTION_OK; value = next) {
        next = strchr(value, ',');
        if (next) *next++ = '\0';
        char *colon = strrchr(value, ':');
        if (colon) *colon = '\0';
        status =
            config_set(config, at, colon ? value : NULL, key, colon ? colon + 1 : value, error);
    }
    return status;
}

/* Relative to the directory, unless the path is absolute. */
static stiction_status add_file(posture_config *config, const char *path, const char *directory,
                                stiction_error *error) {
    char *whole = config_join(directory, path);
    if (!whole) return config_out_of_memory(error);
    stiction_status status =
        config_permit(config->untrusted, (setting_place){.option = others[0]}, whole, error);
    if (status == STICTION_OK) status = posture_config_add_file(config, whole, error);
    free(whole);
    return status;
}

/* The words of a string; first those that name files, then the others. */
static stiction_status read_words(posture_config *config, char *options, bool files,
                                  const char *directory, stiction_error *error) {
    stiction_status status = STICTION_OK;
    bool closed = true;
    for (char *word; status == STICTION_OK && (word = cut_word(&options, &closed));) {
        char *value = strchr(word, '='), hint[HINT_SIZE];
        size_t key;
        if (value) *value++ = '\0';
        const setting_place at = {.option = word};
        const bool is_file = strcmp(word, others[0]) == 0;
        if (!closed)
            status = config_refuse(at, NULL, error, "a quote is not closed");
        else if (!value || !*value)
            status = config_refuse(at, NULL, error, "a value is missing, as in %s=VALUE", word);
        else if (!is_file && !config_find_key(word, &key))
            status = config_refuse(at, NULL, error, "there is no such option%s",
                                   config_hint(word, false, others, hint));
        else if (is_file == files)
            status = is_file ? add_file(config, value, directory, error)
                             : set_values(config, word, key, value, error);
    }
    return status;
}

/* read_words takes its text apart: each pass has a copy. */
static stiction_status pass(posture_config *config, const char *options, bool files,
                            const char *directory, stiction_error *error) {
    char *copy = stiction_text_copy(options);
    if (!copy) return config_out_of_memory(error);
    const stiction_status status = read_words(config, copy, files, directory, error);
    free(copy);
    return status;
}

stiction_status posture_config_add_options(posture_config *config, const char *options,
                                           const char *directory, stiction_error *error) {
    if (!config || !options)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the options are NULL");
    const c_locale locale = c_locale_enter();
    stiction_status status = pass(config, options, true, directory, error);
    if (status == STICTION_OK) status = config_begin(config, NULL, directory, error);
    if (status == STICTION_OK) status = pass(config, options, false, directory, error);
    c_locale_leave(locale);
    return status == STICTION_OK ? stiction_succeed(error) : status;
}
