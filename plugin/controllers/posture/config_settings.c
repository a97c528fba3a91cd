/* SPDX-License-Identifier: MIT
 * From words to settings: the choices, and what is wrong with a value.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/access.h"
#include "document/names.h"
#include "document/number.h"
#include "document/text.h"
#include "posture_settings.h"
#include "words.h"

/* Errors. */

stiction_status config_refuse(setting_place place, const char *joint, stiction_error *error,
                              const char *format, ...) {
    char option[128] = "", name[128] = "", sentence[512];
    if (place.option) (void)snprintf(option, sizeof option, "option '%.100s': ", place.option);
    if (joint) (void)snprintf(name, sizeof name, "joint '%.100s': ", joint);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, place.at, "%s%s%s", option, name,
                            sentence);
}

stiction_status config_out_of_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the configuration");
}

/* Keys. */

bool config_find_key(const char *name, size_t *index) {
    const posture_key *key;
    for (*index = 0; (key = posture_key_at(*index)); ++*index)
        if (strcmp(key->info.name, name) == 0) return true;
    return false;
}

const char *config_hint(const char *word, bool of_joint, const char *const *others,
                        char hint[HINT_SIZE]) {
    enum { most = 64 };
    const char *names[most];
    size_t count = 0;
    const posture_key *key;
    for (size_t k = 0; (key = posture_key_at(k)) && count < most; k++)
        if (!of_joint || !key->of_controller) names[count++] = key->info.name;
    for (; *others && count < most; others++) names[count++] = *others;
    return stiction_name_hint(word, names, count, hint);
}

/* Values. */

static stiction_status read_value(setting_place at, const char *joint, const posture_key *key,
                                  const char *text, double *value, stiction_error *error) {
    const posture_key_info *info = &key->info;
    char message[POSTURE_SENTENCE];
    size_t word;
    if (!key_is_number(key)) {
        if (!words_choose(info->unit, text, &word))
            return config_refuse(at, joint, error, "%s must be %s, not '%.100s'", info->name,
                                 info->unit, text);
        *value = (double)word;
        return STICTION_OK;
    }
    if (!stiction_decimal(text, value))
        return config_refuse(at, joint, error,
                             "%s must be a decimal number such as 2.5 or 1e-3, not '%.100s'",
                             info->name, text);
    if (!posture_key_accepts(key, *value, message))
        return config_refuse(at, joint, error, "%s", message);
    return STICTION_OK;
}

/* Settings. */

void *config_grow(void *items, size_t count, size_t item_size) {
    /* at 0, 1, 2, 4, 8, ... items it is full */
    if (items && (count & (count - 1)) != 0) return items;
    return realloc(items, (count ? 2 * count : 1) * item_size);
}

stiction_status config_begin(posture_config *config, const char *path, const char *directory,
                             stiction_error *error) {
    layer *layers = config_grow(config->layers, config->layer_count, sizeof *layers);
    if (!layers) return config_out_of_memory(error);
    config->layers = layers;
    layer *begun = &layers[config->layer_count++];
    begun->path = path ? stiction_text_copy(path) : NULL;
    begun->untrusted = config->untrusted;
    begun->directory = stiction_text_copy(directory ? directory : "");
    const bool complete = begun->directory && (!path || begun->path);
    return complete ? STICTION_OK : config_out_of_memory(error);
}

stiction_status config_permit(const char *untrusted, setting_place at, const char *path,
                              stiction_error *error) {
    char message[ACCESS_MESSAGE];
    if (stiction_access_permits(untrusted, path, message)) return STICTION_OK;
    return config_refuse(at, NULL, error, "%s", message);
}

char *config_join(const char *directory, const char *path) {
    if (!directory || !*directory || *path == '/') return stiction_text_copy(path);
    const size_t size = strlen(directory) + 1 + strlen(path) + 1;
    char *whole = malloc(size);
    const bool ends = directory[strlen(directory) - 1] == '/';
    if (whole) (void)snprintf(whole, size, "%s%s%s", directory, ends ? "" : "/", path);
    return whole;
}

static bool same_pattern(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Each is compared with all before it, which is quick for ten of each joint of a large robot. */
enum { most_settings = 20000 };

/* Whether the last layer has a setting for the same key and joints. */
static bool is_set(const posture_config *config, const char *joint, size_t key) {
    for (size_t k = config->setting_count; k-- > 0;) {
        const setting *s = &config->settings[k];
        if (s->layer + 1 != config->layer_count) return false;
        if (s->key == key && same_pattern(s->pattern, joint)) return true;
    }
    return false;
}

static stiction_status add(posture_config *config, setting added, const char *joint,
                           const char *text, stiction_error *error) {
    setting *settings = config_grow(config->settings, config->setting_count, sizeof *settings);
    if (!settings) return config_out_of_memory(error);
    config->settings = settings;
    added.pattern = joint ? stiction_text_copy(joint) : NULL;
    added.text = text ? stiction_text_copy(text) : NULL;
    settings[config->setting_count++] = added;
    const bool complete = (!joint || added.pattern) && (!text || added.text);
    return complete ? STICTION_OK : config_out_of_memory(error);
}

stiction_status config_set(posture_config *config, setting_place at, const char *joint,
                           size_t index, const char *text, stiction_error *error) {
    const posture_key *key = posture_key_at(index);
    const char *name = key->info.name;
    setting added = {
        .layer = config->layer_count - 1, .key = index, .line = at.at.line, .column = at.at.column};
    if (config->setting_count == most_settings)
        return config_refuse(at, NULL, error, "there are more than %d settings", most_settings);
    if (joint && stiction_name_is_pattern(joint)) config->pattern_bytes += strlen(joint);
    if (config->pattern_bytes > PATTERNS_MOST)
        return config_refuse(at, joint, error,
                             "the patterns of joints have more than %d bytes in all",
                             PATTERNS_MOST);
    if (joint && !*joint) return config_refuse(at, NULL, error, "a joint's name is empty");
    if (joint && key->of_controller)
        return config_refuse(at, joint, error, "%s is of the controller, not of a joint", name);
    if (is_set(config, joint, index))
        return config_refuse(at, joint, error, "%s is given twice", name);
    if (key->kind == KEY_FILE)
        return *text ? add(config, added, joint, text, error)
                     : config_refuse(at, joint, error, "%s needs the name of a file", name);
    const stiction_status status = read_value(at, joint, key, text, &added.value, error);
    return status == STICTION_OK ? add(config, added, joint, NULL, error) : status;
}
