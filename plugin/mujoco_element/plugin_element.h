/* SPDX-License-Identifier: MIT
 * The contents of an element <plugin plugin="stiction.friction">: for the plugin, which gets its
 * attributes from MuJoCo, and for readers and writers of MJCF, which get them from the file.
 */
#ifndef STICTION_MUJOCO_ELEMENT_H
#define STICTION_MUJOCO_ELEMENT_H

#include "document/reader.h"
#include "stiction/stiction.h"

#define FRICTION_PLUGIN "stiction.friction"

/* The value of a key; NULL: it is not given. */
typedef const char *element_value(const void *user, const char *key);

typedef struct element {
    element_value *value;
    const void *user;
    stiction_place at;  /* of errors */
    const char *beside; /* a relative `config` is looked up beside this file; NULL: in the working
                           directory */
} element;

/* The friction of the joints: from parameters of a law, from `config` or from `yaml`. */
stiction_config *element_configuration(reader *r, const element *e);

/* The names without `prefix` of those that have it, and whose result is among `joints`; the others
 * become NULL. */
void element_select(reader *r, const element *e, const char **names, size_t count);

/* The friction of these joints, NULL names left out, in the order of the names. */
stiction_model *element_model(reader *r, const element *e, const stiction_config *config,
                              const char *const *names, size_t count, double timestep);

/* "NAME: {law: ...}" in YAML's flow style, which survives whatever becomes of the ends of lines. */
void element_write_joint(FILE *out, const char *name, const stiction_joint_def *def);

#endif
