/* SPDX-License-Identifier: MIT
 * A configuration: layers of settings from option strings and YAML files, applied to the joints of
 * a robot. All of it is in one arena.
 */
#include "posture_config.h"

#include <stdlib.h>
#include <string.h>

#include "document/access.h"
#include "document/error_list.h"
#include "document/file.h"
#include "posture_settings.h"

typedef struct setting {
    size_t layer;
    size_t key;                 /* of posture_key_at */
    const char *pattern;        /* of joints; NULL: all joints, or the controller */
    double value;               /* as it was given, or the index of a word */
    const char *text;           /* the name of a file */
    stiction_place at, name_at; /* of the value and the pattern, in a file */
} setting;

/* A file or a string; a later one overrides those before it. */
typedef struct layer {
    const char *directory; /* file names in it are relative to it; "": the working directory */
    const char *untrusted; /* the project whose folder its files must be in; NULL: any */
} layer;

struct posture_config {
    arena memory;
    layer *layers;
    size_t layer_count;
    setting *settings;
    size_t setting_count;
    size_t pattern_bytes; /* of all settings */
    const tree_entry **sections;
    size_t section_count;
    const char *untrusted; /* of the layers to come */
};

posture_config *posture_config_create(void) {
    return calloc(1, sizeof(posture_config));
}

void posture_config_destroy(posture_config *config) {
    if (config) stiction_arena_free(&config->memory);
    free(config);
}

void posture_config_restrict(posture_config *config, const char *untrusted) {
    config->untrusted = untrusted;
}

/* Runs `call` with the memory of the configuration, which is empty after an error. */
static stiction_status run_reader(posture_config *config, void *call(reader *, const void *),
                                  const void *context, stiction_error *error) {
    stiction_error own;
    reader r = {.memory = config->memory, .error = error ? error : &own};
    if (stiction_reader_run(&r, call, context)) {
        config->memory = r.memory;
        return STICTION_OK;
    }
    *config = (posture_config){.untrusted = config->untrusted};
    return r.error->status;
}

/* ---- settings ---- */

static bool find_key(const char *name, size_t *index) {
    const posture_key *key;
    for (*index = 0; (key = posture_key_at(*index)); ++*index)
        if (strcmp(key->info.name, name) == 0) return true;
    return false;
}

/* The hint in a message about an unknown key: the most similar one of the keys (of a joint) and
 * of `others`, a list that ends with NULL. */
static const char *hint_key(const char *word, bool of_joint, const char *const *others,
                            char hint[NAME_HINT_SIZE]) {
    enum { most = 64 };
    const char *names[most];
    size_t count = 0;
    const posture_key *key;
    for (size_t k = 0; (key = posture_key_at(k)) && count < most; k++)
        if (!of_joint || !key->of_controller) names[count++] = key->info.name;
    for (; *others && count < most; others++) names[count++] = *others;
    return stiction_name_hint(word, names, count, hint);
}

static void begin_layer(reader *r, posture_config *config, const char *directory) {
    config->layers =
        stiction_reader_grow(r, config->layers, config->layer_count, sizeof *config->layers);
    config->layers[config->layer_count++] =
        (layer){stiction_reader_text(r, directory), config->untrusted};
}

static bool same_pattern(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether the last layer has a setting for the same key and joints. */
static bool is_set(const posture_config *config, const char *joint, size_t key) {
    for (size_t k = config->setting_count; k-- > 0;) {
        const setting *s = &config->settings[k];
        if (s->layer + 1 != config->layer_count) return false;
        if (s->key == key && same_pattern(s->pattern, joint)) return true;
    }
    return false;
}

/* Compares with all earlier ones, which is fast enough for ten settings a joint of a large
 * robot. */
enum { most_settings = 20000 };

/* Adds the value of a key, for the joints named `at` (NULL: all), to the last layer. */
static void add_setting(reader *r, posture_config *config, setting_place at, stiction_place name_at,
                        size_t index, const char *text) {
    const posture_key *key = posture_key_at(index);
    const char *name = key->info.name, *joint = at.name;
    const setting_place of_file = {.at = at.at, .option = at.option};
    if (config->setting_count == most_settings)
        config_refuse(r, of_file, "there are more than %d settings", most_settings);
    if (joint && stiction_name_is_pattern(joint)) config->pattern_bytes += strlen(joint);
    if (config->pattern_bytes > PATTERNS_MOST)
        config_refuse(r, at, "the patterns of joints have more than %d bytes in all",
                      PATTERNS_MOST);
    if (joint && !*joint) config_refuse(r, of_file, "a joint's name is empty");
    if (joint && key->of_controller)
        config_refuse(r, at, "%s is of the controller, not of a joint", name);
    if (is_set(config, joint, index)) config_refuse(r, at, "%s is given twice", name);
    if (key->kind == KEY_FILE && !*text) config_refuse(r, at, "%s needs the name of a file", name);
    config->settings =
        stiction_reader_grow(r, config->settings, config->setting_count, sizeof *config->settings);
    config->settings[config->setting_count++] = (setting){
        .layer = config->layer_count - 1,
        .key = index,
        .pattern = joint ? stiction_reader_text(r, joint) : NULL,
        .value = key->kind == KEY_FILE ? 0 : config_read_value(r, at, key, text),
        .text = stiction_reader_text(r, text),
        .at = at.at,
        .name_at = name_at,
    };
}

/* ---- files ---- */

/* A file that a layer names, as it is to be opened. */
static const char *permitted_path(reader *r, const layer *of, setting_place at, const char *name) {
    char message[ACCESS_MESSAGE];
    const char *folder = of->directory;
    const bool ends = *folder && folder[strlen(folder) - 1] == '/';
    const char *path = !*folder || *name == '/'
                           ? name
                           : stiction_reader_format(r, "%s%s%s", folder, ends ? "" : "/", name);
    if (!stiction_access_permits(of->untrusted, path, message)) config_refuse(r, at, "%s", message);
    return path;
}

/* ---- YAML ---- */

/* Keys of files that are no settings; from the first section on, other controllers read them. */
static const char *const words_of_files[] = {"posture",  "joints", "tasks",
                                             "contacts", "apart",  NULL};
enum { first_section = 2 };

static void read_setting(reader *r, posture_config *config, const tree_node *joint,
                         const tree_entry *entry) {
    static const char *const none[] = {NULL};
    const char *name = entry->key->text;
    const setting_place owner = {.what = "joint", .name = joint ? joint->text : NULL};
    const setting_place of = joint ? owner : (setting_place){.at = {0}};
    size_t key;
    char hint[NAME_HINT_SIZE];
    if (!find_key(name, &key) || (joint && posture_key_at(key)->of_controller))
        config_refuse(r, config_at(of, entry->key), "there is no key '%.100s'%s", name,
                      hint_key(name, joint != NULL, joint ? none : words_of_files, hint));
    const char *text = config_read_text(r, of, entry->value, name);
    add_setting(r, config, config_at(of, entry->value), joint ? joint->at : entry->value->at, key,
                text);
}

static void read_joints(reader *r, posture_config *config, const tree_node *joints) {
    if (joints->kind != TREE_MAPPING)
        stiction_reader_refuse(r, joints->at, "joints must be a mapping of names");
    for (const tree_entry *joint = joints->first; joint; joint = joint->next) {
        const setting_place owner = {.what = "joint", .name = joint->key->text};
        if (!*joint->key->text)
            stiction_reader_refuse(r, joint->key->at, "a joint's name is empty");
        if (joint->value->kind != TREE_MAPPING)
            config_refuse(r, config_at(owner, joint->value),
                          "it must be a mapping such as { target: 90 }");
        for (const tree_entry *e = joint->value->first; e; e = e->next)
            read_setting(r, config, joint->key, e);
    }
}

static bool is_section(const char *key) {
    for (size_t k = first_section; words_of_files[k]; k++)
        if (strcmp(words_of_files[k], key) == 0) return true;
    return false;
}

static void check_version(reader *r, const tree_node *root) {
    if (root->kind != TREE_MAPPING)
        stiction_reader_refuse(r, root->at, "a file must be a mapping such as posture: 1");
    const tree_entry *version = stiction_yaml_find(root, "posture");
    if (!version)
        stiction_reader_refuse(r, root->at,
                               "there is no key 'posture': a file must say posture: 1, the version "
                               "of the format");
    const char *text = version->value->kind == TREE_SCALAR ? version->value->text : "...";
    if (strcmp(text, "1") != 0)
        stiction_reader_refuse(r, version->value->at,
                               "posture must be 1, the version of the format, not '%.100s'", text);
}

static void read_root(reader *r, posture_config *config, const tree_node *root) {
    check_version(r, root);
    for (const tree_entry *e = root->first; e; e = e->next) {
        const char *key = e->key->text;
        if (strcmp(key, "joints") == 0) {
            read_joints(r, config, e->value);
        } else if (is_section(key)) {
            config->sections = stiction_reader_grow(r, config->sections, config->section_count,
                                                    sizeof *config->sections);
            config->sections[config->section_count++] = e;
        } else if (strcmp(key, "posture") != 0) {
            read_setting(r, config, NULL, e);
        }
    }
}

/* Names of files in it are relative to its folder. */
static void read_yaml(reader *r, posture_config *config, const char *path, const char *text,
                      size_t size) {
    const tree_options options = {
        .what = "a file", .must_say = "posture: 1", .doubles = TREE_REFUSE_DOUBLES};
    path = stiction_reader_text(r, path);
    char *folder = stiction_reader_text(r, path), *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    else
        *folder = '\0';
    begin_layer(r, config, folder);
    stiction_errors *errors = stiction_reader_errors(r);
    stiction_errors_begin(errors);
    const tree_document document =
        stiction_yaml_read(&r->memory, text, size, path, &options, errors);
    if (stiction_errors_status(errors) != STICTION_OK)
        stiction_reader_refuse_as(r, stiction_errors_at(errors, 0));
    read_root(r, config, document.root);
}

static void read_file(reader *r, posture_config *config, const char *path) {
    file_problem problem;
    size_t size;
    const char *text =
        stiction_file_read(&r->memory, path, FILE_MOST_CONFIGURATION, &size, &problem);
    if (!text) {
        stiction_error error;
        (void)stiction_fail_at(&error, problem.status, (stiction_place){path, 0, 0}, "%s%s",
                               stiction_file_blamed(&problem), problem.text);
        stiction_reader_refuse_as(r, &error);
    }
    read_yaml(r, config, path, text, size);
}

/* ---- option strings ---- */

static const char config_option[] = "config";

/* Cuts the next word from *at and removes its quotes; NULL: none is left. *closed: no quote is
 * open. */
static char *cut_word(char **at, bool *closed) {
    static const char spaces[] = " \t\r\n";
    char *word = *at + strspn(*at, spaces), *to = word, quote = '\0';
    if (!*word) return NULL;
    char *from = word;
    for (; *from && (quote || !strchr(spaces, *from)); from++) {
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

/* A value for all joints, or a list of JOINT:VALUE. */
static void add_values(reader *r, posture_config *config, setting_place at, size_t key,
                       char *values) {
    const stiction_place nowhere = {0};
    /* file names may contain any of the characters below */
    if (posture_key_at(key)->kind == KEY_FILE) {
        add_setting(r, config, at, nowhere, key, values);
        return;
    }
    for (char *value = values, *next; value; value = next) {
        next = strchr(value, ',');
        if (next) *next++ = '\0';
        char *colon = strrchr(value, ':');
        if (value != values && !colon)
            config_refuse(r, at, "'%s' is not JOINT:VALUE; options are separated by spaces", value);
        if (colon) *colon = '\0';
        at.what = colon ? "joint" : NULL;
        at.name = colon ? value : NULL;
        add_setting(r, config, at, nowhere, key, colon ? colon + 1 : value);
    }
}

/* Reads either the files that a string names, or its other options. */
static void read_words(reader *r, posture_config *config, const char *options, bool files,
                       const char *directory) {
    char *rest = stiction_reader_text(r, options);
    bool closed = true;
    for (char *word; (word = cut_word(&rest, &closed));) {
        char *value = strchr(word, '='), hint[NAME_HINT_SIZE];
        size_t key = 0;
        if (value) *value++ = '\0';
        const setting_place at = {.option = word};
        const bool is_file = strcmp(word, config_option) == 0;
        if (!closed) config_refuse(r, at, "a quote is not closed");
        if (!value || !*value) config_refuse(r, at, "a value is missing, as in %s=VALUE", word);
        if (!is_file && !find_key(word, &key))
            config_refuse(r, at, "there is no such option%s",
                          hint_key(word, false, (const char *const[]){config_option, NULL}, hint));
        if (is_file != files) continue;
        if (is_file)
            read_file(r, config,
                      permitted_path(r, &(layer){directory, config->untrusted}, at, value));
        else
            add_values(r, config, at, key, value);
    }
}

/* ---- adding ---- */

typedef struct source {
    posture_config *config;
    const char *options, *directory; /* an option string; else */
    const char *path, *text;         /* a file, or its text */
    size_t size;
} source;

static void *add_source(reader *r, const void *context) {
    const source *s = context;
    if (s->options) {
        const char *directory = s->directory ? s->directory : "";
        read_words(r, s->config, s->options, true, directory);
        begin_layer(r, s->config, directory);
        read_words(r, s->config, s->options, false, directory);
    } else if (s->text) {
        read_yaml(r, s->config, s->path, s->text, s->size);
    } else {
        read_file(r, s->config, s->path);
    }
    return s->config;
}

stiction_status posture_config_add_options(posture_config *config, const char *options,
                                           const char *directory, stiction_error *error) {
    return run_reader(config, add_source, &(source){config, options, directory, NULL, NULL, 0},
                      error);
}

stiction_status posture_config_add_text(posture_config *config, const char *text, size_t size,
                                        const char *path, stiction_error *error) {
    return run_reader(config, add_source, &(source){config, NULL, NULL, path, text, size}, error);
}

stiction_status posture_config_add_file(posture_config *config, const char *path,
                                        stiction_error *error) {
    return run_reader(config, add_source, &(source){config, NULL, NULL, path, NULL, 0}, error);
}

/* ---- which setting wins ---- */

/* A later layer beats an earlier one; in a layer a joint's name beats a pattern, which beats a
 * value for all. */
static size_t rank(const setting *s) {
    const size_t precision = !s->pattern ? 0 : stiction_name_is_pattern(s->pattern) ? 1 : 2;
    return 3 * s->layer + precision;
}

static bool matches(const setting *s, const posture_joint_def *joint) {
    return !s->pattern || (joint && (strcmp(s->pattern, joint->name) == 0 ||
                                     stiction_name_matches(s->pattern, joint->name)));
}

/* The setting that wins for a key and a joint (NULL: for all of them), or NULL. */
static const setting *winner(const posture_config *config, size_t key,
                             const posture_joint_def *joint) {
    const setting *best = NULL;
    for (size_t k = 0; k < config->setting_count; k++) {
        const setting *s = &config->settings[k];
        if (s->key == key && matches(s, joint) && (!best || rank(s) >= rank(best))) best = s;
    }
    return best;
}

bool posture_config_general(const posture_config *config, const char *key, double *value) {
    size_t index;
    const setting *s = find_key(key, &index) ? winner(config, index, NULL) : NULL;
    if (s) *value = s->value;
    return s;
}

const tree_entry *posture_config_section(const posture_config *config, const char *name) {
    for (size_t k = config->section_count; k-- > 0;)
        if (strcmp(config->sections[k]->key->text, name) == 0) return config->sections[k];
    return NULL;
}

/* ---- applying ---- */

typedef struct application {
    posture_config *config;
    posture_def *def;
    posture_joint_def *joints;
    size_t count;
} application;

static setting_place place_of(const setting *s) {
    return (setting_place){.at = s->at,
                           .option = s->at.path ? NULL : posture_key_at(s->key)->info.name};
}

/* The factor from the unit of files to SI. */
static double unit_of(const posture_key *key, posture_mode mode, const posture_joint_def *joint) {
    const double degree = 3.141592653589793 / 180;
    if (key->kind == KEY_PLAIN || joint->prismatic) return 1;
    return key->kind == KEY_TARGET && mode == POSTURE_TORQUE ? 1 : degree;
}

/* Sets all fields of a joint, or of the controller where the joint is NULL. */
static void set_fields(reader *r, const application *a, posture_joint_def *joint) {
    const posture_key *key;
    for (size_t k = 0; (key = posture_key_at(k)); k++) {
        if (key->of_controller == (joint != NULL)) continue;
        const setting *s = winner(a->config, k, joint);
        if (!s) continue;
        void *field = (joint ? (char *)joint : (char *)a->def) + key->offset;
        if (key->kind == KEY_FILE)
            *(const char **)field =
                permitted_path(r, &a->config->layers[s->layer], place_of(s), s->text);
        else if (key->kind == KEY_WORD)
            *(int *)field = (int)s->value; /* enums have the size of an int */
        else if (key->kind == KEY_SWITCH)
            *(bool *)field = s->value != 0;
        else
            *(double *)field = s->value * unit_of(key, a->def->mode, joint);
    }
}

/* Refuses settings for joints that the robot does not have. */
static void check_names(reader *r, const application *a) {
    for (size_t k = 0; k < a->config->setting_count; k++) {
        const setting *s = &a->config->settings[k];
        bool found = !s->pattern;
        for (size_t j = 0; j < a->count && !found; j++) found = matches(s, &a->joints[j]);
        if (found) continue;
        setting_place at = place_of(s);
        at.at = s->name_at;
        at.what = "joint";
        at.name = s->pattern;
        config_refuse(r, at, "the robot has no such joint%s",
                      config_joint_hint(r, s->pattern, a->joints, a->count));
    }
}

/* Checks a joint as a whole; the error is at the setting that causes it. */
static void check_joint(reader *r, const application *a, const posture_joint_def *joint) {
    char message[POSTURE_MESSAGE];
    size_t key;
    const char *name = joint_problem(joint, a->def->mode, message);
    if (!name) return;
    const setting *s = find_key(name, &key) ? winner(a->config, key, joint) : NULL;
    if (!s && find_key("shape", &key)) s = winner(a->config, key, joint);
    setting_place at = s ? place_of(s) : (setting_place){.at = {0}};
    at.what = "joint";
    at.name = joint->name;
    config_refuse(r, at, "%s", message);
}

static void *apply(reader *r, const void *context) {
    const application *a = context;
    size_t motion;
    check_names(r, a);
    set_fields(r, a, NULL);
    for (size_t k = 0; k < a->count; k++) set_fields(r, a, &a->joints[k]);
    if (a->def->motion && find_key("motion", &motion))
        motion_apply(r, a->def->motion, place_of(winner(a->config, motion, NULL)), a->def->mode,
                     a->joints, a->count);
    for (size_t k = 0; k < a->count; k++) check_joint(r, a, &a->joints[k]);
    a->def->joints = a->joints;
    a->def->joint_count = a->count;
    return a->config;
}

stiction_status posture_config_apply(posture_config *config, posture_def *def,
                                     posture_joint_def *joints, size_t count,
                                     stiction_error *error) {
    return run_reader(config, apply, &(application){config, def, joints, count}, error);
}
