/*
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

static void choose_shape(posture_joint_def *joint, size_t choice) {
    joint->trajectory.shape = (posture_shape)choice;
}

static void choose_mode(posture_def *def, size_t choice) {
    def->mode = (posture_mode)choice;
}

static void choose_anti_windup(posture_def *def, size_t choice) {
    def->anti_windup = choice != 0;
}

static void choose_compensation(posture_def *def, size_t choice) {
    def->compensation = (posture_compensation)choice;
}

static void choose_when_infeasible(posture_def *def, size_t choice) {
    def->hold_infeasible = choice != 0;
}

/* The words stand in the order of their enums. */
static const choice_key choices[] = {
    {{"shape", "hold | step | ramp | sine | smooth", "of the way to the target"},
     NULL,
     choose_shape},
    {{"mode", "qp | pd | torque", "the controller"}, choose_mode, NULL},
    {{"anti_windup", "false | true", "of the integral term"}, choose_anti_windup, NULL},
    {{"when_infeasible", "relax | hold", "limits or torque"}, choose_when_infeasible, NULL},
    {{"compensation", "none | desired | reference", "of friction"}, choose_compensation, NULL},
};

enum { choice_count = sizeof choices / sizeof choices[0] };

static const posture_key_info files[] = {
    {"motion", "file", "CSV that moves the joints it names"},
    {"friction", "file", "configuration of the friction to compensate"},
};

enum { file_count = sizeof files / sizeof files[0] };

static size_t first_file(void) {
    return joint_key_count() + choice_count;
}

const choice_key *choice_key_at(size_t index) {
    const size_t numbers = joint_key_count();
    return index < numbers || index >= numbers + choice_count ? NULL : &choices[index - numbers];
}

bool key_is_file(size_t key) {
    return key >= first_file() && key < first_file() + file_count;
}

bool key_is_of_joints(size_t key) {
    const choice_key *choice = choice_key_at(key);
    if (choice) return choice->choose_of_joint != NULL;
    return !key_is_file(key) && joint_key_at(key)->kind != KEY_OF_CONTROLLER;
}

bool posture_config_key_at(size_t index, posture_key_info *info) {
    const choice_key *choice = choice_key_at(index);
    if (!choice && !key_is_file(index) && index >= joint_key_count()) return false;
    *info = choice ? choice->info
                   : (key_is_file(index) ? files[index - first_file()] : joint_key_at(index)->info);
    return true;
}

static const char *key_name(size_t key) {
    posture_key_info info = {0};
    (void)posture_config_key_at(key, &info);
    return info.name;
}

bool config_find_key(const char *name, size_t *key) {
    posture_key_info info;
    for (*key = 0; posture_config_key_at(*key, &info); ++*key)
        if (strcmp(info.name, name) == 0) return true;
    return false;
}

const char *config_hint(const char *word, bool of_joint, const char *const *others,
                        char hint[HINT_SIZE]) {
    enum { most = 64 };
    const char *names[most];
    size_t count = 0;
    posture_key_info info;
    for (size_t k = 0; posture_config_key_at(k, &info) && count < most; k++)
        if (!of_joint || key_is_of_joints(k)) names[count++] = info.name;
    for (; *others && count < most; others++) names[count++] = *others;
    return stiction_name_hint(word, names, count, hint);
}

/* Values. */

static stiction_status read_choice(setting_place at, const char *joint, size_t key,
                                   const char *text, double *value, stiction_error *error) {
    const posture_key_info *info = &choice_key_at(key)->info;
    size_t choice;
    if (!words_choose(info->unit, text, &choice))
        return config_refuse(at, joint, error, "%s must be %s, not '%.100s'", info->name,
                             info->unit, text);
    *value = (double)choice;
    return STICTION_OK;
}

static stiction_status read_number(setting_place at, const char *joint, size_t key,
                                   const char *text, double *value, stiction_error *error) {
    char sentence[POSTURE_SENTENCE];
    if (!stiction_decimal(text, value))
        return config_refuse(at, joint, error,
                             "%s must be a decimal number such as 2.5 or 1e-3, not '%.100s'",
                             key_name(key), text);
    if (!joint_key_accepts(joint_key_at(key), *value, sentence))
        return config_refuse(at, joint, error, "%s", sentence);
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

stiction_status config_set(posture_config *config, setting_place at, const char *joint, size_t key,
                           const char *text, stiction_error *error) {
    setting added = {
        .layer = config->layer_count - 1, .key = key, .line = at.at.line, .column = at.at.column};
    if (config->setting_count == most_settings)
        return config_refuse(at, NULL, error, "there are more than %d settings", most_settings);
    if (joint && stiction_name_is_pattern(joint)) config->pattern_bytes += strlen(joint);
    if (config->pattern_bytes > PATTERNS_MOST)
        return config_refuse(at, joint, error,
                             "the patterns of joints have more than %d bytes in all",
                             PATTERNS_MOST);
    if (joint && !*joint) return config_refuse(at, NULL, error, "a joint's name is empty");
    if (joint && !key_is_of_joints(key))
        return config_refuse(at, joint, error, "%s is of the controller, not of a joint",
                             key_name(key));
    if (is_set(config, joint, key))
        return config_refuse(at, joint, error, "%s is given twice", key_name(key));
    if (key_is_file(key))
        return *text
                   ? add(config, added, joint, text, error)
                   : config_refuse(at, joint, error, "%s needs the name of a file", key_name(key));
    const stiction_status status =
        (choice_key_at(key) ? read_choice : read_number)(at, joint, key, text, &added.value, error);
    return status == STICTION_OK ? add(config, added, joint, NULL, error) : status;
}
