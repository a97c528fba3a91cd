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

/* A profile or a joint, as written in the file. */
struct section {
    const char *what;     /* "profile" or "joint" */
    const tree_node *key; /* its name */
    uint64_t own;         /* bit k: it gives parameter k itself */
    bool own_law;
    bool broken; /* refused in a way from which more errors would follow */

    /* what stiction_load_resolve finds */
    enum { SECTION_FRESH, SECTION_IN_WORK, SECTION_RESOLVED } state;
    int height;         /* how many profiles are beneath it */
    section *base;      /* the profile that it builds on */
    section *law_owner; /* the section that gives its law */
    uint64_t completed; /* bit k: of the joints that have their law from here, one has k */
    bool has_law_above; /* of the joints that build on this profile, one has a law */

    const tree_node *given[]; /* by key: its own, and once resolved those of the profiles */
};

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

/* Adds an error at a node, unless that was refused before. `s` is the section that it is about, or
 * NULL; `key` is that of stiction_errors_add_about, and NULL where a node has no more than one
 * error of this format. */
void stiction_load_refuse(loader *l, const tree_node *node, const section *s, const char *key,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));
#define REFUSE(l, node, s, ...) stiction_load_refuse(l, node, s, NULL, __VA_ARGS__)

enum { WHO_SIZE = 512, OVERRIDES_SIZE = 256, DESCRIPTION_SIZE = 256 };
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

/* The key `valid` (valid.c), read after the joints. */
void stiction_load_valid(loader *l, const tree_node *node);
bool stiction_write_valid(FILE *out, const stiction_config *config);

/* Reads the mapping of all profiles or joints ("profile" or "joint"). */
void stiction_load_sections(loader *l, const char *what, const tree_node *node, section_list *list);

/* The profile of a name, or NULL. */
section *stiction_load_find_section(const section_list *list, const char *name);

/* Whether a value of a parameter is meant to be drawn. */
bool stiction_load_is_drawn(const tree_node *node);

/* How a section that is resolved draws parameter k; false: it does not, or not rightly. */
bool stiction_load_drawn(const section *s, size_t k, stiction_distribution *d);

/* What is wrong with the scales that a section gives, now that it is known what they scale. */
void stiction_load_check_scales(loader *l, const section *s);

/* Fills in what sections take over from profiles, and checks each as a whole. */
void stiction_load_resolve(loader *l);

/* Adds the joints, which have no errors, to the configuration. */
void stiction_load_store_joints(loader *l);

#endif
