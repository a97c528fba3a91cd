/* SPDX-License-Identifier: MIT
 * Values of option strings and files, read by a table of keys: for the posture controller and for
 * the sections of its files that belong to others. Errors leave through the reader.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_POSTURE_SETTINGS_H
#define STICTION_CONTROLLERS_POSTURE_POSTURE_SETTINGS_H

#include "document/names.h"
#include "document/reader.h"
#include "document/yaml_tree.h"
#include "posture_internal.h"

/* Where a value is given and whose it is, for error messages. */
typedef struct setting_place {
    stiction_place at;
    const char *option;      /* of an option string; NULL: not in one */
    const char *what, *name; /* "joint", "RWRR"; NULL: the controller's */
} setting_place;

/* "FILE:LINE:COLUMN: joint 'RWRR': message" */
_Noreturn void config_refuse(reader *r, setting_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same owner at another place of the file. */
static inline setting_place config_at(setting_place owner, const tree_node *node) {
    owner.at = node->at;
    return owner;
}

/* The index of a word in a list such as "qp | pd | torque"; false: it is not in the list. */
bool config_choose(const char *list, const char *word, size_t *index);

/* The text of a scalar. */
const char *config_read_text(reader *r, setting_place owner, const tree_node *node,
                             const char *name);
/* A number within the domain of its key, or the index of a word. */
double config_read_value(reader *r, setting_place at, const posture_key *key, const char *text);
void config_read_vector(reader *r, setting_place owner, const tree_node *node, const char *name,
                        double vector[3]);

/*
 * Gives the joints that have a column in the file their trajectories, whose samples are in the
 * memory of the reader. `named_at` is where the file is named.
 */
void motion_apply(reader *r, const char *path, setting_place named_at, posture_mode mode,
                  posture_joint_def *joints, size_t count);

/* What to add to a message about an unknown joint. */
const char *config_joint_hint(reader *r, const char *name, const posture_joint_def *joints,
                              size_t count);

#endif
