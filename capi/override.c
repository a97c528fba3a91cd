/* SPDX-License-Identifier: MIT
 * Replaces values in a loaded configuration: in the tree of its file, which the loader then reads
 * again. So only the loader decides what a file means, and every error keeps its location.
 */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/c_locale.h"
#include "document/names.h"
#include "document/number.h"
#include "load_internal.h"

/* A key that no file has: which of several runs it is. */
static const char repetition_key[] = "repetition";
static const double most_repetitions = 1e6;

typedef struct editor {
    arena *memory;
    const char *path; /* of the file */
    stiction_errors *errors;
    tree_node *root, *joints, *profiles; /* the editor's own; NULL: the file has none */
    const char *const *names;            /* of the robot's joints */
    size_t name_count;
    const char *override; /* "joints.RWRR.viscous=4": the current override */
    const char *value;
    bool no_memory;
} editor;

static void refuse(const editor *e, const char *message, const char *name, const char *hint) {
    char who[WHO_SIZE];
    (void)snprintf(who, sizeof who, "override %.400s: ", e->override);
    stiction_errors_add_about(e->errors, e->override, (stiction_place){e->path, 0, 0}, who,
                              STICTION_INVALID_CONFIG, "%s '%.200s'%s", message, name, hint);
}

/* The tree. What is changed is copied before: an alias may mean the same node elsewhere, and the
 * configuration keeps its tree where the override fails. */

static void append(editor *e, tree_node *mapping, tree_node *key, tree_node *value) {
    e->no_memory =
        e->no_memory || !key || !value || !stiction_yaml_append(e->memory, mapping, key, value);
}

static tree_node *copy_mapping(editor *e, const tree_node *mapping) {
    tree_node *copy = stiction_arena_take(e->memory, sizeof *copy);
    e->no_memory = e->no_memory || !copy;
    if (e->no_memory) return NULL;
    *copy = *mapping;
    copy->first = copy->last = NULL;
    copy->count = 0;
    for (const tree_entry *entry = mapping->first; entry; entry = entry->next)
        append(e, copy, entry->key, entry->value);
    return copy;
}

/* Where a block ends is not known: who edits its text must not think so. */
static stiction_place end_of(const tree_node *place) {
    return place->kind == TREE_SCALAR || place->flow ? place->end : place->at;
}

/* Gives all nodes below a parsed value the location of another node. */
static void move(editor *e, tree_node *node, const tree_node *place) {
    node->at = place->at;
    node->end = end_of(place);
    node->override = e->override;
    for (tree_entry *entry = node->first; entry; entry = entry->next) {
        if (entry->key) move(e, entry->key, place);
        move(e, entry->value, place);
    }
}

/* A value that is a mapping or a list: {uniform: [2, 3]}. NULL if it is neither or cannot be read.
 */
static tree_node *structure_at(editor *e, const tree_node *place, const char *text) {
    const tree_options options = {.what = "a value"};
    if (*text != '{' && *text != '[') return NULL;
    stiction_errors *errors = stiction_errors_create();
    e->no_memory = e->no_memory || !errors;
    if (e->no_memory) return NULL;
    stiction_errors_begin(errors);
    tree_node *node =
        stiction_yaml_read(e->memory, text, strlen(text), NULL, &options, errors).root;
    const stiction_status status = stiction_errors_status(errors);
    stiction_errors_destroy(errors);
    e->no_memory = status == STICTION_OUT_OF_MEMORY;
    if (status != STICTION_OK || !node || node->kind == TREE_SCALAR) return NULL;
    move(e, node, place);
    return node;
}

/* A plain text in the place of another node. */
static tree_node *text_at(editor *e, const tree_node *place, const char *text) {
    tree_node *node = stiction_arena_take(e->memory, sizeof *node);
    char *copy = stiction_arena_text(e->memory, text, strlen(text));
    e->no_memory = e->no_memory || !node || !copy;
    if (e->no_memory) return NULL;
    *node = *place;
    node->end = end_of(place);
    node->kind = TREE_SCALAR;
    node->plain = true;
    node->flow = false;
    node->text = copy;
    node->first = node->last = NULL;
    node->count = 0;
    node->size = 1;
    node->number = (double)NAN;
    node->override = e->override;
    return node;
}

static tree_node *value_at(editor *e, const tree_node *place) {
    tree_node *structure = structure_at(e, place, e->value);
    return structure || e->no_memory ? structure : text_at(e, place, e->value);
}

/* {scale: [0.8, 1.2]} in the place of a number is the range of this number times the factors. */
static void scale_number(editor *e, tree_node *value, const tree_node *before) {
    char text[NUMBER_SIZE];
    double number, factor;
    if (!value || value->kind != TREE_MAPPING || value->count != 1 ||
        strcmp(value->first->key->text, "scale") != 0 || before->kind != TREE_SCALAR ||
        stiction_number_read(before->text, &number) != NUMBER_OK)
        return;
    for (tree_entry *entry = value->first->value->first; entry && !e->no_memory;
         entry = entry->next) {
        if (entry->value->kind != TREE_SCALAR ||
            stiction_number_read(entry->value->text, &factor) != NUMBER_OK ||
            !isfinite(factor * number))
            continue; /* the loader refuses it */
        (void)stiction_number_write(factor * number, text);
        entry->value->text = stiction_arena_text(e->memory, text, strlen(text));
        e->no_memory = !entry->value->text;
    }
    value->first->key->text = stiction_arena_text(e->memory, "uniform", strlen("uniform"));
    e->no_memory = e->no_memory || !value->first->key->text;
}

/* A new key has the location of the mapping's own name. */
static void set(editor *e, tree_node *mapping, const tree_node *name, const char *key) {
    tree_entry *entry = stiction_yaml_find(mapping, key);
    if (entry) {
        tree_node *value = value_at(e, entry->value);
        scale_number(e, value, entry->value);
        entry->value = value;
    } else
        append(e, mapping, text_at(e, name, key), value_at(e, name));
}

static void set_in_entry(editor *e, tree_entry *entry, const char *key) {
    tree_node *copy = copy_mapping(e, entry->value);
    if (!copy) return;
    entry->value = copy;
    set(e, copy, entry->key, key);
}

/* What a key means. */

/* The entry that gives a joint its friction: its name, or the last pattern that matches. */
static tree_entry *governing(const tree_node *joints, const char *name) {
    tree_entry *found = stiction_yaml_find(joints, name);
    if (found) return found;
    for (tree_entry *entry = joints->first; entry; entry = entry->next)
        if (stiction_name_matches(entry->key->text, name)) found = entry;
    return found;
}

/* An entry of the joint's own, which beats the pattern that it was under. */
static tree_entry *own_entry(editor *e, const char *name, const tree_entry *pattern) {
    append(e, e->joints, text_at(e, pattern->key, name), pattern->value);
    return e->no_memory ? NULL : e->joints->last;
}

static void refuse_joint(editor *e, const char *pattern) {
    char hint[HINT_SIZE];
    const char **list = stiction_arena_take(e->memory, (e->name_count + 1) * sizeof *list);
    size_t count = 0;
    for (size_t k = 0; list && k < e->name_count; k++)
        if (governing(e->joints, e->names[k])) list[count++] = e->names[k];
    refuse(e, "no joint with friction is called", pattern,
           list ? stiction_name_hint(pattern, list, count, hint) : "");
}

static void set_in_joints(editor *e, const char *pattern, const char *key) {
    tree_entry *exact = stiction_yaml_find(e->joints, pattern);
    if (exact && (!e->name_count || !stiction_name_is_pattern(pattern))) {
        set_in_entry(e, exact, key);
        return;
    }
    size_t reached = 0;
    for (size_t k = 0; k < e->name_count && !e->no_memory; k++) {
        const char *name = e->names[k];
        tree_entry *entry =
            stiction_name_matches(pattern, name) ? governing(e->joints, name) : NULL;
        if (!entry) continue;
        reached++;
        if (strcmp(entry->key->text, name) != 0) entry = own_entry(e, name, entry);
        if (entry) set_in_entry(e, entry, key);
    }
    if (!reached && !e->no_memory) refuse_joint(e, pattern);
}

static void set_in_profiles(editor *e, const char *name, const char *key) {
    tree_entry *found = e->profiles ? stiction_yaml_find(e->profiles, name) : NULL;
    if (found) {
        set_in_entry(e, found, key);
        return;
    }
    const char *names[HINT_MOST];
    char hint[HINT_SIZE];
    size_t count = 0;
    for (const tree_entry *entry = e->profiles ? e->profiles->first : NULL;
         entry && count < HINT_MOST; entry = entry->next)
        names[count++] = entry->key->text;
    refuse(e, "there is no profile", name, stiction_name_hint(name, names, count, hint));
}

static void set_law_of_all(editor *e) {
    for (tree_entry *entry = e->joints->first; entry && !e->no_memory; entry = entry->next)
        set_in_entry(e, entry, "law");
}

/* "joints.RWRR.law" -> "RWRR", "law"; a name may have dots, a key has none. */
static void set_in_section(editor *e, const char *rest,
                           void set_of(editor *e, const char *name, const char *key)) {
    char *name = stiction_arena_text(e->memory, rest, strlen(rest));
    e->no_memory = e->no_memory || !name;
    if (e->no_memory) return;
    char *dot = strrchr(name, '.');
    if (!dot || dot == name || !dot[1]) {
        refuse(e, "its key must be joints.JOINT.KEY or profiles.NAME.KEY, not", rest, "");
        return;
    }
    *dot = '\0';
    set_of(e, name, dot + 1);
}

static void set_value(editor *e, const stiction_override *o) {
    static const char joints[] = "joints.", profiles[] = "profiles.";
    const size_t size = strlen(o->key) + strlen(o->value) + 2;
    char *override = stiction_arena_take(e->memory, size);
    e->no_memory = e->no_memory || !override;
    if (e->no_memory) return;
    (void)snprintf(override, size, "%s=%s", o->key, o->value);
    e->override = override;
    e->value = o->value;
    if (strncmp(o->key, joints, strlen(joints)) == 0)
        set_in_section(e, o->key + strlen(joints), set_in_joints);
    else if (strncmp(o->key, profiles, strlen(profiles)) == 0)
        set_in_section(e, o->key + strlen(profiles), set_in_profiles);
    else if (strcmp(o->key, "law") == 0)
        set_law_of_all(e);
    else
        set(e, e->root, e->root, o->key);
}

/* The whole. */

/* A section of the top level, copied into the editor's root. */
static tree_node *own_section(editor *e, const char *name) {
    tree_entry *entry = e->root ? stiction_yaml_find(e->root, name) : NULL;
    if (!entry) return NULL;
    tree_node *copy = copy_mapping(e, entry->value);
    if (copy) entry->value = copy;
    return copy;
}

static void take_over(stiction_config *config, stiction_config *changed, tree_node *root) {
    const stiction_config before = *config;
    *config = *changed;
    config->tree = before.tree;
    config->root = root;
    *changed = before;
    changed->tree = (arena){0};
    stiction_config_destroy(changed);
}

/* Whether a seed changes anything: a distribution of one number, such as a scale of all joints,
 * does not vary. */
static bool depends_on_seed(const stiction_config *config) {
    for (size_t k = 0; k < config->count; k++)
        if (stiction_draws_vary(config->joints[k].draws)) return true;
    return false;
}

/* Runs that differ in their seeds would all be the same. */
static bool is_seed_for_nothing(const stiction_config *config, const stiction_override *overrides,
                                size_t count) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(overrides[k].key, "seed") == 0 && !depends_on_seed(config)) return true;
    return false;
}

/* The K-th of several runs that differ only in their random draws: adds K - 1 to the seed. False
 * after an error. */
static bool read_repetition(editor *e, const stiction_override *overrides, size_t count,
                            double *repetition) {
    *repetition = 1;
    for (size_t k = 0; k < count; k++) {
        const char *value = overrides[k].value;
        if (strcmp(overrides[k].key, repetition_key) != 0) continue;
        if (!stiction_decimal(value, repetition) ||
            !(*repetition >= 1 && *repetition <= most_repetitions &&
              *repetition == floor(*repetition))) {
            stiction_errors_add(e->errors, (stiction_place){e->path, 0, 0},
                                "override repetition: ", STICTION_INVALID_CONFIG,
                                "it must be a whole number from 1 to %.0f, not '%.200s'",
                                most_repetitions, value);
            return false;
        }
    }
    return true;
}

/* The same configuration with the seed of a repetition. */
static stiction_config *repeat(stiction_config *config, double repetition, editor *e) {
    char seed[NUMBER_SIZE];
    const uint64_t above = config->seed + (uint64_t)repetition - 1;
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)(above % STICTION_SEED_LARGEST));
    stiction_config_destroy(config);
    e->value = seed;
    e->override = NULL;
    set(e, e->root, e->root, "seed");
    e->value = NULL;
    if (!e->no_memory) return stiction_load_tree(e->root, e->path, e->errors);
    stiction_errors_add_no_memory(e->errors, e->path);
    return NULL;
}

static void override_all(stiction_config *config, const stiction_override *overrides, size_t count,
                         editor *e) {
    double repetition;
    if (!read_repetition(e, overrides, count, &repetition)) return;
    e->root = copy_mapping(e, config->root);
    e->joints = own_section(e, "joints");
    e->profiles = own_section(e, "profiles");
    for (size_t k = 0; k < count && !e->no_memory; k++)
        if (strcmp(overrides[k].key, repetition_key) != 0) set_value(e, &overrides[k]);
    if (e->no_memory) stiction_errors_add_no_memory(e->errors, e->path);
    if (stiction_errors_status(e->errors) != STICTION_OK) return;
    stiction_config *changed = stiction_load_tree(e->root, e->path, e->errors);
    if (!changed) return;
    if (is_seed_for_nothing(changed, overrides, count)) {
        stiction_errors_add(e->errors, (stiction_place){e->path, 0, 0},
                            "override seed: ", STICTION_INVALID_CONFIG,
                            "nothing is drawn: no parameter has a distribution that varies");
        stiction_config_destroy(changed);
        return;
    }
    if (repetition > 1 && stiction_config_is_random(changed))
        changed = repeat(changed, repetition, e);
    if (changed) take_over(config, changed, e->root);
}

/* What is wrong with the call itself, or NULL. */
static const char *find_misuse(const stiction_config *config, const stiction_override *overrides,
                               size_t count, const char *const *names, size_t name_count) {
    if (!config) return "the configuration is NULL";
    if (!overrides && count) return "the array of overrides is NULL";
    if (!names && name_count) return "the array of joint names is NULL";
    for (size_t k = 0; k < count; k++)
        if (!overrides[k].key || !overrides[k].value) return "an override's key or value is NULL";
    for (size_t k = 0; k < name_count; k++)
        if (!names[k]) return "a joint's name is NULL";
    if (!config->root)
        return "values can be overridden only in a configuration that was loaded, before other "
               "functions change it";
    return NULL;
}

stiction_status stiction_config_override(stiction_config *config,
                                         const stiction_override *overrides, size_t count,
                                         const char *const *names, size_t name_count,
                                         stiction_errors *errors) {
    stiction_errors *list = errors ? errors : stiction_errors_create();
    if (!list) return STICTION_OUT_OF_MEMORY;
    stiction_errors_begin(list);
    const c_locale locale = c_locale_enter();
    const char *misuse = find_misuse(config, overrides, count, names, name_count);
    if (misuse) {
        stiction_errors_add(list, (stiction_place){config ? config->path : NULL, 0, 0}, "",
                            STICTION_INVALID_ARGUMENT, "%s", misuse);
    } else if (count) {
        editor e = {.memory = &config->tree,
                    .path = config->path,
                    .errors = list,
                    .names = names,
                    .name_count = name_count};
        override_all(config, overrides, count, &e);
    }
    c_locale_leave(locale);
    const stiction_status status = stiction_errors_status(list);
    if (!errors) stiction_errors_destroy(list);
    return status;
}
