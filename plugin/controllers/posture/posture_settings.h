/* SPDX-License-Identifier: MIT
 * The settings that options and files make, in the order in which they were given.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_POSTURE_SETTINGS_H
#define STICTION_CONTROLLERS_POSTURE_POSTURE_SETTINGS_H

#include "document/names.h"
#include "document/yaml_tree.h"
#include "posture_internal.h"

/* The place of a setting: in a file, or in an option of a string. */
typedef struct setting_place {
    stiction_place at;
    const char *option; /* NULL: not in a string */
} setting_place;

typedef struct setting {
    size_t layer;  /* one a file or string; a later one beats an earlier */
    size_t key;    /* of posture_config_key_at */
    char *pattern; /* of joints; NULL: all, or the controller as a whole */
    double value;  /* as it was given, or the place of a choice */
    char *text;    /* of a file's name; else NULL */
    int line, column;
    int name_line, name_column; /* of the pattern, in a file */
} setting;

typedef struct layer {
    char *path;      /* NULL: options */
    char *directory; /* that names of files in it are relative to; "": the working directory */
    const char *untrusted; /* the project whose folder its files must be in; NULL: any */
} layer;

/* A part of a file that is read by who knows its meaning, see posture_config_section. */
typedef struct config_section {
    const char *name;
    const tree_entry *entry;
    size_t layer;
} config_section;

struct posture_config {
    arena memory; /* of the trees that sections are parts of */
    config_section *sections;
    size_t section_count;
    setting *settings;
    size_t setting_count;
    size_t pattern_bytes; /* of all settings */
    layer *layers;
    size_t layer_count;
    posture_sample **samples; /* of motions, which trajectories point to */
    size_t samples_count;
    const char *untrusted; /* of the layers to come */
};

/* Fills the error with "joint 'X': message" (joint may be NULL) at a place. */
stiction_status config_refuse(setting_place at, const char *joint, stiction_error *error,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
stiction_status config_out_of_memory(stiction_error *error);

/* stiction_name_hint among the keys and the other words (NULL-terminated) of that place. */
enum { HINT_SIZE = NAME_HINT_SIZE };
const char *config_hint(const char *word, bool of_joint, const char *const *others,
                        char hint[HINT_SIZE]);

/* Begins a layer; path and directory may be NULL. */
stiction_status config_begin(posture_config *config, const char *path, const char *directory,
                             stiction_error *error);

/* Refuses a file that an untrusted project (else NULL) may not name. */
stiction_status config_permit(const char *untrusted, setting_place at, const char *path,
                              stiction_error *error);

/* A path relative to a directory, unless it is absolute or there is none; to be freed; NULL: out
 * of memory. */
char *config_join(const char *directory, const char *path);

/* An array with room for one more, or NULL. */
void *config_grow(void *items, size_t count, size_t item_size);

/* Finds the key of a name; false if there is none. */
bool config_find_key(const char *name, size_t *key);

/* Adds `text` as the value of a key, for the joints that match, to the last layer. */
stiction_status config_set(posture_config *config, setting_place at, const char *joint, size_t key,
                           const char *text, stiction_error *error);

#endif
