/* SPDX-License-Identifier: MIT
 * A configuration applied to the joints of a robot: which setting wins, and in which unit.
 */
#include "posture_config.h"

#include <stdlib.h>
#include <string.h>

#include "document/c_locale.h"
#include "document/names.h"
#include "motion.h"
#include "posture_settings.h"
#include "words.h"

posture_config *posture_config_create(void) {
    return calloc(1, sizeof(posture_config));
}

void posture_config_destroy(posture_config *config) {
    if (!config) return;
    for (size_t k = 0; k < config->setting_count; k++) {
        free(config->settings[k].pattern);
        free(config->settings[k].text);
    }
    for (size_t k = 0; k < config->layer_count; k++) {
        free(config->layers[k].path);
        free(config->layers[k].directory);
    }
    for (size_t k = 0; k < config->samples_count; k++) free(config->samples[k]);
    free(config->samples);
    free(config->sections);
    stiction_arena_free(&config->memory);
    free(config->settings);
    free(config->layers);
    free(config);
}

void posture_config_restrict(posture_config *config, const char *untrusted) {
    config->untrusted = untrusted;
}

/* Which settings win: those of a later layer and, in a layer, those that name a joint over those
 * of a pattern over those for all. */
static size_t rank(const setting *s) {
    const size_t precision = !s->pattern ? 0 : stiction_name_is_pattern(s->pattern) ? 1 : 2;
    return 3 * s->layer + precision;
}

static bool matches(const setting *s, const posture_joint_def *joint) {
    return !s->pattern || strcmp(s->pattern, joint->name) == 0 ||
           stiction_name_matches(s->pattern, joint->name);
}

/* The setting that wins for a key and a joint (NULL: the controller), or NULL. */
static const setting *winner(const posture_config *config, size_t key,
                             const posture_joint_def *joint) {
    const setting *best = NULL;
    for (size_t k = 0; k < config->setting_count; k++) {
        const setting *s = &config->settings[k];
        if (s->key != key || (joint && !matches(s, joint))) continue;
        if (!best || rank(s) >= rank(best)) best = s;
    }
    return best;
}

/* What a number of a file is multiplied with. */
static double unit_of(const posture_key *key, posture_mode mode, const posture_joint_def *joint) {
    const double degree = 3.141592653589793 / 180;
    if (key->kind == KEY_PLAIN || joint->prismatic) return 1;
    return key->kind == KEY_TARGET && mode == POSTURE_TORQUE ? 1 : degree;
}

static void put(const posture_key *key, double value, posture_def *def, posture_joint_def *joint) {
    void *field = (key->of_controller ? (char *)def : (char *)joint) + key->offset;
    if (key->kind == KEY_WORD)
        *(int *)field = (int)value; /* enums have the size of an int */
    else if (key->kind == KEY_SWITCH)
        *(bool *)field = value != 0;
    else
        *(double *)field = value * unit_of(key, def->mode, joint);
}

/* Puts all winners for a joint (NULL: for the controller). */
static void put_all(const posture_config *config, posture_def *def, posture_joint_def *joint) {
    const posture_key *key;
    for (size_t k = 0; (key = posture_key_at(k)); k++) {
        if (key->of_controller == (joint != NULL) || key->kind == KEY_FILE) continue;
        const setting *s = winner(config, k, joint);
        if (s) put(key, s->value, def, joint);
    }
}

static setting_place place_of(const posture_config *config, const setting *s) {
    const char *path = config->layers[s->layer].path;
    return (setting_place){{path, s->line, s->column},
                           path ? NULL : posture_key_at(s->key)->info.name};
}

/* The joint's name in a file; in a string, the option. */
static setting_place place_of_name(const posture_config *config, const setting *s) {
    setting_place place = place_of(config, s);
    place.at.line = s->name_line;
    place.at.column = s->name_column;
    return place;
}

/* Settings that no joint of the robot takes. */
static stiction_status check_names(const posture_config *config, const posture_joint_def *joints,
                                   size_t count, stiction_error *error) {
    for (size_t k = 0; k < config->setting_count; k++) {
        const setting *s = &config->settings[k];
        const char *nearest = NULL;
        bool found = !s->pattern;
        for (size_t j = 0; j < count && !found; j++) found = matches(s, &joints[j]);
        if (found) continue;
        for (size_t j = 0; j < count; j++)
            nearest = words_nearer(s->pattern, joints[j].name, nearest);
        return config_refuse(place_of_name(config, s), s->pattern, error,
                             nearest ? "the robot has no such joint; the nearest is '%.100s'"
                                     : "the robot has no such joint",
                             nearest);
    }
    return STICTION_OK;
}

/* A joint as a whole, at the place of the setting that is to blame. */
static stiction_status check_joint(const posture_config *config, posture_mode mode,
                                   const posture_joint_def *joint, stiction_error *error) {
    char sentence[POSTURE_SENTENCE];
    size_t key;
    const char *name = joint_problem(joint, mode, sentence);
    if (!name) return STICTION_OK;
    const setting *s = config_find_key(name, &key) ? winner(config, key, joint) : NULL;
    if (!s && config_find_key("shape", &key)) s = winner(config, key, joint);
    return config_refuse(s ? place_of(config, s) : (setting_place){0}, joint->name, error, "%s",
                         sentence);
}

stiction_status posture_config_file(const posture_config *config, const char *key, char **path,
                                    setting_place *at, stiction_error *error) {
    size_t index;
    const setting *s = config_find_key(key, &index) ? winner(config, index, NULL) : NULL;
    *path = NULL;
    if (!s) return STICTION_OK;
    if (at) *at = place_of(config, s);
    *path = config_join(config->layers[s->layer].directory, s->text);
    const stiction_status status =
        *path ? config_permit(config->layers[s->layer].untrusted, place_of(config, s), *path, error)
              : config_out_of_memory(error);
    if (status != STICTION_OK) {
        free(*path);
        *path = NULL;
    }
    return status;
}

bool posture_config_general(const posture_config *config, const char *key, double *value) {
    const setting *best = NULL;
    size_t index;
    if (!config_find_key(key, &index)) return false;
    for (size_t k = 0; k < config->setting_count; k++) {
        const setting *s = &config->settings[k];
        if (s->key == index && !s->pattern && (!best || rank(s) >= rank(best))) best = s;
    }
    if (best) *value = best->value;
    return best != NULL;
}

const tree_entry *posture_config_section(const posture_config *config, const char *name) {
    for (size_t k = config->section_count; k-- > 0;)
        if (strcmp(config->sections[k].name, name) == 0) return config->sections[k].entry;
    return NULL;
}

/* The motion of a file for the joints that it names, which beats what else they do. */
static stiction_status put_motion(posture_config *config, posture_mode mode,
                                  posture_joint_def *joints, size_t count, stiction_error *error) {
    char *path;
    setting_place at;
    stiction_status status = posture_config_file(config, "motion", &path, &at, error);
    if (status != STICTION_OK || !path) return status;
    /* a place to keep its samples, first */
    posture_sample **samples =
        config_grow(config->samples, config->samples_count, sizeof(posture_sample *));
    if (samples) config->samples = samples;
    status = samples ? motion_put(path, at, mode, joints, count,
                                  &config->samples[config->samples_count], error)
                     : config_out_of_memory(error);
    if (status == STICTION_OK) config->samples_count++;
    free(path);
    return status;
}

static stiction_status apply(posture_config *config, posture_def *def, posture_joint_def *joints,
                             size_t count, stiction_error *error) {
    stiction_status status = check_names(config, joints, count, error);
    put_all(config, def, NULL);
    for (size_t k = 0; k < count; k++) put_all(config, def, &joints[k]);
    if (status == STICTION_OK) status = put_motion(config, def->mode, joints, count, error);
    for (size_t k = 0; k < count && status == STICTION_OK; k++)
        status = check_joint(config, def->mode, &joints[k], error);
    def->joints = joints;
    def->joint_count = count;
    return status;
}

stiction_status posture_config_apply(posture_config *config, posture_def *def,
                                     posture_joint_def *joints, size_t count,
                                     stiction_error *error) {
    if (!config || !def || def->size != sizeof *def || !joints || count == 0)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "a configuration, a definition and joints from their defaults are "
                             "needed");
    for (size_t k = 0; k < count; k++)
        if (joints[k].size != sizeof *joints || !joints[k].name)
            return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                 "joint %zu has no name, or does not come from "
                                 "posture_joint_def_default()",
                                 k);
    const c_locale locale = c_locale_enter();
    const stiction_status status = apply(config, def, joints, count, error);
    c_locale_leave(locale);
    return status == STICTION_OK ? stiction_succeed(error) : status;
}
