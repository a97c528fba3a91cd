/* SPDX-License-Identifier: MIT
 * Configuration files: the text and its top-level keys. top_level.c reads those keys,
 * load_section.c profiles and joints, load_resolve.c combines them.
 */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include <math.h>
#include <string.h>

#include "document/c_locale.h"
#include "document/file.h"
#include "document/text.h"
#include "load_internal.h"

/* Bounds the time for any file; what is not tried here is refused when a model is created. */
static const size_t most_draws = 100000;

/* The top level. */

static void refuse_top_level_key(loader *l, const tree_node *key) {
    const char *names[TOP_LEVEL_MOST];
    char hint[HINT_SIZE];
    for (size_t k = 0; k < stiction_top_level_count; k++) names[k] = stiction_top_level[k].key;
    REFUSE(l, key, NULL, "there is no key '%.200s'%s", key->text,
           stiction_load_hint(l, key->text, names, stiction_top_level_count, hint));
}

static size_t top_level_index(const char *key) {
    size_t k = 0;
    while (k < stiction_top_level_count && strcmp(key, stiction_top_level[k].key) != 0) k++;
    return k;
}

static void refuse_missing(loader *l, const tree_node *root, const top_level_key *key) {
    stiction_load_refuse(l, root, NULL, key->key, "there is no key '%s': %s", key->key, key->why);
}

/* A mapping without our version: its first key that is not ours may be a misspelt one. */
static void refuse_versionless(loader *l, const tree_node *root) {
    const tree_entry *unknown = root->first;
    while (unknown && top_level_index(unknown->key->text) < stiction_top_level_count)
        unknown = unknown->next;
    if (unknown) refuse_top_level_key(l, unknown->key);
    for (size_t k = 0; k < stiction_top_level_count; k++)
        if (stiction_top_level[k].why && !stiction_yaml_find(root, stiction_top_level[k].key))
            refuse_missing(l, root, &stiction_top_level[k]);
}

static void refuse_root(loader *l, const tree_node *root) {
    REFUSE(l, root, NULL, "a file must be a mapping such as stiction: 1, not %s",
           root->kind == TREE_LIST          ? "a list"
           : stiction_load_is_nothing(root) ? "nothing"
                                            : "a text");
}

/* Whether the file is one of ours: a mapping, and of no other version. */
static bool is_readable(loader *l, const tree_node *root) {
    char buffer[DESCRIPTION_SIZE];
    if (root->kind != TREE_MAPPING) {
        refuse_root(l, root);
        return false;
    }
    if (!stiction_yaml_find(root, "stiction")) {
        refuse_versionless(l, root);
        return false;
    }
    for (const tree_entry *e = root->first; e; e = e->next) {
        const tree_node *version = e->value;
        if (strcmp(e->key->text, "stiction") != 0 ||
            (version->plain && strcmp(version->text, "1") == 0))
            continue;
        REFUSE(l, version, NULL, "stiction must be 1, the version of the format, not %s",
               stiction_load_describe(version, buffer));
        return false;
    }
    return true;
}

/* The entries of the top level by key. */
static void find_top_level(loader *l, const tree_node *root,
                           const tree_entry *found[TOP_LEVEL_MOST]) {
    for (const tree_entry *e = root->first; e; e = e->next) {
        const size_t k = top_level_index(e->key->text);
        if (k == stiction_top_level_count)
            refuse_top_level_key(l, e->key);
        else if (found[k])
            REFUSE(l, e->key, NULL, "%s is given twice, first in line %d",
                   stiction_top_level[k].key, found[k]->key->at.line);
        else
            found[k] = e;
    }
}

static void read_root(loader *l, const tree_node *root) {
    const tree_entry *found[TOP_LEVEL_MOST] = {NULL};
    if (!is_readable(l, root)) return;
    find_top_level(l, root, found);
    for (size_t k = 0; k < stiction_top_level_count; k++) {
        if (found[k])
            stiction_top_level[k].read(l, found[k]->value);
        else if (stiction_top_level[k].why)
            refuse_missing(l, root, &stiction_top_level[k]);
    }
    const tree_entry *joints = stiction_yaml_find(root, "joints");
    if (joints) l->config->joints_at = (config_place){joints->key->at.line, joints->key->at.column};
    stiction_load_resolve(l);
    if (stiction_errors_status(l->errors) == STICTION_OK) stiction_load_store_joints(l);
}

/* The tables of the library, as lists of names. */
static bool list_names(loader *l) {
    const size_t laws = stiction_law_info_count(), parameters = stiction_parameter_count();
    const size_t lists = stiction_list_count();
    l->keys =
        stiction_arena_take(&l->memory, (KEY_PARAMETERS + parameters + lists) * sizeof *l->keys);
    l->laws = stiction_arena_take(&l->memory, laws * sizeof *l->laws);
    if (!l->keys || !l->laws) return false;
    stiction_parameter_info parameter;
    stiction_list_info list;
    stiction_law_info law;
    l->keys[KEY_LAW] = "law";
    l->keys[KEY_PROFILE] = "profile";
    for (size_t k = 0; stiction_parameter_at(k, &parameter); k++)
        l->keys[KEY_PARAMETERS + k] = parameter.key;
    l->parameter_count = parameters;
    for (size_t k = 0; stiction_list_at(k, &list); k++)
        l->keys[KEY_PARAMETERS + parameters + k] = list.key;
    l->key_count = KEY_PARAMETERS + parameters + lists;
    for (size_t k = 0; stiction_law_info_at(k, &law); k++) l->laws[k] = law.name;
    return true;
}

stiction_config *stiction_load_tree(const tree_node *root, const char *path,
                                    stiction_errors *errors) {
    loader l = {.path = path,
                .errors = errors,
                .config = stiction_config_create(),
                .draws_left = most_draws};
    if (l.config && path) l.config->path = stiction_text_copy(path);
    if (l.config && (!path || l.config->path) && list_names(&l))
        read_root(&l, root);
    else
        stiction_load_no_memory(&l);
    stiction_arena_free(&l.memory);
    if (stiction_errors_status(errors) == STICTION_OK) return l.config;
    stiction_config_destroy(l.config);
    return NULL;
}

static stiction_config *read_text(loader *l, const char *text, size_t size) {
    if (size > FILE_MOST_CONFIGURATION) {
        char limit[FILE_SIZE_TEXT];
        stiction_errors_add(l->errors, (stiction_place){l->path, 0, 0}, "", STICTION_INVALID_CONFIG,
                            "the file is larger than %s",
                            stiction_file_size_text(FILE_MOST_CONFIGURATION, limit));
        return NULL;
    }
    const tree_options options = {.what = "a configuration", .must_say = "stiction: 1"};
    arena tree = {0};
    /* the places of the tree keep the path */
    const char *path = l->path ? stiction_arena_text(&tree, l->path, strlen(l->path)) : NULL;
    if (l->path && !path) {
        stiction_load_no_memory(l);
        return NULL;
    }
    tree_node *root = stiction_yaml_read(&tree, text, size, path, &options, l->errors).root;
    stiction_config *config = root ? stiction_load_tree(root, path, l->errors) : NULL;
    if (config) {
        config->tree = tree;
        config->root = root;
    } else {
        stiction_arena_free(&tree);
    }
    return config;
}

static const char *read_file(loader *l, size_t *size) {
    file_problem problem;
    const char *text =
        stiction_file_read(&l->memory, l->path, FILE_MOST_CONFIGURATION, size, &problem);
    if (!text)
        stiction_errors_add(l->errors, (stiction_place){l->path, 0, 0}, "", problem.status, "%s%s",
                            stiction_file_blamed(&problem), problem.text);
    return text;
}

/* From a text, or where it is NULL from the file. */
static stiction_status load(const char *path, const char *text, size_t size,
                            stiction_config **config, stiction_errors *errors) {
    if (config) *config = NULL;
    if (!config || (!path && !text)) return STICTION_INVALID_ARGUMENT;
    loader l = {.path = path, .errors = errors ? errors : stiction_errors_create()};
    if (!l.errors) return STICTION_OUT_OF_MEMORY;

    const c_locale locale = c_locale_enter();
    stiction_errors_begin(l.errors);
    if (!text) text = read_file(&l, &size);
    if (text) *config = read_text(&l, text, size);
    c_locale_leave(locale);

    const stiction_status status = stiction_errors_status(l.errors);
    stiction_arena_free(&l.memory);
    if (!errors) stiction_errors_destroy(l.errors);
    return status;
}

stiction_status stiction_config_load(const char *path, stiction_config **config,
                                     stiction_errors *errors) {
    return load(path, NULL, 0, config, errors);
}

stiction_status stiction_config_parse(const char *text, size_t size, const char *path,
                                      stiction_config **config, stiction_errors *errors) {
    if (config) *config = NULL;
    return text || !size ? load(path, text ? text : "", size, config, errors)
                         : STICTION_INVALID_ARGUMENT;
}
