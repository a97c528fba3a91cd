/* SPDX-License-Identifier: MIT
 * YAML files of the posture controller: one mapping, and one a joint in it.
 */
#include <string.h>

#include "document/c_locale.h"
#include "document/error_list.h"
#include "document/file.h"
#include "document/yaml_tree.h"
#include "posture_settings.h"

/* What only files have, and what only their joints have. */
static const char *const others[] = {"posture", "joints", "tasks", "contacts", "apart", NULL};
/* Those of them that another reads, from the first on. */
enum { first_section = 2 };
static const char *const nothing_else[] = {NULL};

#define REFUSE(node, joint, ...)                                                                   \
    config_refuse((setting_place){(node)->at, NULL}, joint, __VA_ARGS__)

/* A setting, for all joints or for one. */
static stiction_status read_setting(posture_config *config, const char *joint,
                                    const tree_entry *entry, stiction_error *error) {
    const char *name = entry->key->text;
    const tree_node *value = entry->value;
    size_t key;
    char hint[HINT_SIZE];
    if (!config_find_key(name, &key) || (joint && posture_key_at(key)->of_controller))
        return REFUSE(entry->key, joint, error, "there is no key '%.100s'%s", name,
                      config_hint(name, joint != NULL, joint ? nothing_else : others, hint));
    if (value->kind != TREE_SCALAR)
        return REFUSE(value, joint, error, "%s must be a number or word, not a list or a mapping",
                      name);
    return config_set(config, (setting_place){value->at, NULL}, joint, key, value->text, error);
}

static stiction_status read_joint(posture_config *config, const tree_entry *entry,
                                  stiction_error *error) {
    const char *name = entry->key->text;
    const size_t first = config->setting_count;
    stiction_status status = STICTION_OK;
    if (!*name) return REFUSE(entry->key, NULL, error, "a joint's name is empty");
    if (entry->value->kind != TREE_MAPPING)
        return REFUSE(entry->value, name, error, "it must be a mapping such as { target: 90 }");
    for (const tree_entry *e = entry->value->first; e && status == STICTION_OK; e = e->next)
        status = read_setting(config, name, e, error);
    for (size_t k = first; k < config->setting_count; k++) {
        config->settings[k].name_line = entry->key->at.line;
        config->settings[k].name_column = entry->key->at.column;
    }
    return status;
}

static stiction_status read_joints(posture_config *config, const tree_node *joints,
                                   stiction_error *error) {
    stiction_status status = STICTION_OK;
    if (joints->kind != TREE_MAPPING)
        return REFUSE(joints, NULL, error, "joints must be a mapping of names");
    for (const tree_entry *e = joints->first; e && status == STICTION_OK; e = e->next)
        status = read_joint(config, e, error);
    return status;
}

/* The name of a section, or NULL. */
static const char *section_name(const char *key) {
    for (size_t k = first_section; others[k]; k++)
        if (strcmp(others[k], key) == 0) return others[k];
    return NULL;
}

static stiction_status keep_section(posture_config *config, const char *name,
                                    const tree_entry *entry, stiction_error *error) {
    config_section *sections =
        config_grow(config->sections, config->section_count, sizeof *sections);
    if (!sections) return config_out_of_memory(error);
    config->sections = sections;
    sections[config->section_count++] = (config_section){name, entry, config->layer_count - 1};
    return STICTION_OK;
}

static stiction_status check_version(const tree_node *root, stiction_error *error) {
    const tree_entry *version = stiction_yaml_find(root, "posture");
    if (!version)
        return REFUSE(root, NULL, error,
                      "there is no key 'posture': a file must say posture: 1, the version of the "
                      "format");
    const char *text = version->value->kind == TREE_SCALAR ? version->value->text : "...";
    if (strcmp(text, "1") == 0) return STICTION_OK;
    return REFUSE(version->value, NULL, error,
                  "posture must be 1, the version of the format, not '%.100s'", text);
}

static stiction_status read_root(posture_config *config, const tree_node *root,
                                 stiction_error *error) {
    if (root->kind != TREE_MAPPING)
        return REFUSE(root, NULL, error, "a file must be a mapping such as posture: 1");
    stiction_status status = check_version(root, error);
    for (const tree_entry *e = root->first; e && status == STICTION_OK; e = e->next) {
        if (strcmp(e->key->text, "joints") == 0)
            status = read_joints(config, e->value, error);
        else if (section_name(e->key->text))
            status = keep_section(config, section_name(e->key->text), e, error);
        else if (strcmp(e->key->text, "posture") != 0)
            status = read_setting(config, NULL, e, error);
    }
    return status;
}

/* The tree, or the first of its mistakes. */
static stiction_status read_tree(arena *memory, const char *text, size_t size, const char *path,
                                 const tree_node **root, stiction_error *error) {
    const tree_options options = {.what = "a file",
                                  .must_say = "posture: 1",
                                  .signs = {"posture:"},
                                  .doubles = TREE_REFUSE_DOUBLES};
    stiction_errors *errors = stiction_errors_create();
    if (!errors) return config_out_of_memory(error);
    stiction_errors_begin(errors);
    *root = stiction_yaml_read(memory, text, size, path, &options, errors).root;
    const stiction_status status = stiction_errors_status(errors);
    if (status != STICTION_OK && error) *error = *stiction_errors_at(errors, 0);
    stiction_errors_destroy(errors);
    return status;
}

/* Names of files in it are relative to the folder of the file. */
static stiction_status begin(posture_config *config, arena *memory, const char *path,
                             stiction_error *error) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    const char *directory = stiction_arena_text(memory, path, length);
    return directory ? config_begin(config, path, directory, error) : config_out_of_memory(error);
}

/* What is kept of the tree has the layer's own copy of the path. */
static stiction_status read_text(posture_config *config, arena *memory, const char *text,
                                 size_t size, const char *path, stiction_error *error) {
    const tree_node *root = NULL;
    stiction_status status = begin(config, memory, path, error);
    if (status == STICTION_OK)
        status = read_tree(memory, text, size, config->layers[config->layer_count - 1].path, &root,
                           error);
    return status == STICTION_OK ? read_root(config, root, error) : status;
}

/* From a text or, where that is NULL, from the file. */
static stiction_status read_source(posture_config *config, const char *text, size_t size,
                                   const char *path, stiction_error *error) {
    arena *memory = &config->memory;
    file_problem problem;
    const c_locale locale = c_locale_enter();
    if (!text) text = stiction_file_read(memory, path, FILE_MOST_CONFIGURATION, &size, &problem);
    const stiction_status status =
        text ? read_text(config, memory, text, size, path, error)
             : stiction_fail_at(error, problem.status, (stiction_place){path, 0, 0}, "%s%s",
                                stiction_file_blamed(&problem), problem.text);
    c_locale_leave(locale);
    return status == STICTION_OK ? stiction_succeed(error) : status;
}

stiction_status posture_config_add_text(posture_config *config, const char *text, size_t size,
                                        const char *path, stiction_error *error) {
    if (!config || !text || !path)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the text or its path is NULL");
    return read_source(config, text, size, path, error);
}

stiction_status posture_config_add_file(posture_config *config, const char *path,
                                        stiction_error *error) {
    if (!config || !path)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the path is NULL");
    return read_source(config, NULL, 0, path, error);
}
