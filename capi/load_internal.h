/* SPDX-License-Identifier: MIT
 * Reading a configuration: what the files of the loader share.
 */
#ifndef STICTION_CAPI_LOAD_INTERNAL_H
#define STICTION_CAPI_LOAD_INTERNAL_H

#include <stdio.h>

#include "config_internal.h"
#include "document/error_list.h"
#include "document/names.h"
#include "document/yaml_tree.h"

/* The keys of a profile or a joint: these, then the parameters in the order of their table, then
 * those that are lists. */
enum { KEY_LAW, KEY_PROFILE, KEY_PARAMETERS };

typedef struct section section;

typedef struct section_list {
    section **in_order, **by_name; /* the same sections, as in the file and sorted */
    size_t count;
} section_list;

typedef struct loader {
    arena memory;
    const char *path;
    stiction_errors *errors;
    stiction_config *config;
    const char **keys; /* of a section */
    size_t key_count;
    size_t parameter_count; /* without the lists */
    const char **laws;      /* their names */
    section_list profiles, joints;
    size_t draws_left; /* illegal draws so far, when checking whether a distribution can be legal */
} loader;

/* Adds an error at a node, unless that was refused before; `s` is the section that it is about, or
 * NULL. */
#define REFUSE(l, node, s, ...)                                                                    \
    do {                                                                                           \
        char refuse_who[WHO_SIZE];                                                                 \
        if ((node)->kind != TREE_BAD)                                                              \
            stiction_errors_add((l)->errors, (node)->at,                                           \
                                stiction_load_who(l, node, s, refuse_who),                         \
                                STICTION_INVALID_CONFIG, __VA_ARGS__);                             \
    } while (0)

enum { WHO_SIZE = 512, OVERRIDES_SIZE = 256, DESCRIPTION_SIZE = 256 };
/* "joint 'X': ", and before it what was overridden at the node or in the section. */
const char *stiction_load_who(const loader *l, const tree_node *node, const section *s,
                              char buffer[WHO_SIZE]);
/* "joints.X.viscous=4, law=rational": what was overridden in a section; "" where nothing was. */
const char *stiction_load_overrides(const loader *l, const section *s, char buffer[OVERRIDES_SIZE]);
void stiction_load_no_memory(loader *l);

/* Whether a node is ~, null or empty. */
bool stiction_load_is_nothing(const tree_node *node);

/* What a node is, for "must be ..., not ...". */
const char *stiction_load_describe(const tree_node *node, char buffer[DESCRIPTION_SIZE]);

/* stiction_name_hint of a list (of at most 100, so that the time stays short whatever the file);
 * nothing once the errors are only counted. */
enum { HINT_SIZE = NAME_HINT_SIZE, HINT_MOST = 100 };
const char *stiction_load_hint(const loader *l, const char *text, const char *const *list,
                               size_t count, char buffer[HINT_SIZE]);

/* The finite number of a node; NaN, with an error, for other nodes. */
double stiction_load_number(loader *l, const section *s, const char *key, const tree_node *node);

/* The configuration that a tree states, with errors: NULL. The tree is the caller's. */
stiction_config *stiction_load_tree(const tree_node *root, const char *path,
                                    stiction_errors *errors);

/* A key of the top level. */
typedef struct top_level_key {
    const char *key;
    const char *why; /* it must be there, or NULL */
    void (*read)(loader *l, const tree_node *value);
    bool (*write)(FILE *out, const stiction_config *config); /* NULL: nothing is left of it */
} top_level_key;

enum { TOP_LEVEL_MOST = 32 };
extern const top_level_key stiction_top_level[];
extern const size_t stiction_top_level_count;

/* Reads the mapping of all profiles or joints ("profile" or "joint"). */
void stiction_load_sections(loader *l, const char *what, const tree_node *node, section_list *list);

/* Fills in what sections take over from profiles, and checks each as a whole. */
void stiction_load_resolve(loader *l);

/* Adds the joints, which have no errors, to the configuration. */
void stiction_load_store_joints(loader *l);

#endif
