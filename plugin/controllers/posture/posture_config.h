/* SPDX-License-Identifier: MIT
 * A posture controller from an option string or a YAML file. Angles are in degrees there, as in
 * Choreonoid, so velocities in deg/s; lengths of prismatic joints in m. See README.md.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_POSTURE_CONFIG_H
#define STICTION_CONTROLLERS_POSTURE_POSTURE_CONFIG_H

#include "document/yaml_tree.h"
#include "posture.h"

STICTION_BEGIN_C

/* What options and files say, before it is known which joints there are. */
typedef struct posture_config posture_config;

posture_config *posture_config_create(void); /* NULL: no memory */
void posture_config_destroy(posture_config *config);

/*
 * Adds `kp=20 kv=2 lambda=0 target=RWRR:90,RWRP:-10 torque_limit=50 config=FILE.yaml`: words of
 * key=value for all joints or key=JOINT:value for those that match a name or pattern. A value in
 * quotes may have spaces. A file that is named here is relative to `directory` (NULL: the working
 * directory), and those of a YAML file to its own; config=FILE is read first. What is added later
 * beats what was added before. Unless OK, the configuration is not usable any more.
 */
stiction_status posture_config_add_options(posture_config *config, const char *options,
                                           const char *directory, stiction_error *error);

/*
 * Options and files that are added after this call may name only files in the folder of the
 * untrusted project; NULL: any file, as before the first call. The text is not copied.
 */
void posture_config_restrict(posture_config *config, const char *untrusted);

/* Adds a YAML file, or its text; `path` is for the messages. */
stiction_status posture_config_add_file(posture_config *config, const char *path,
                                        stiction_error *error);
stiction_status posture_config_add_text(posture_config *config, const char *text, size_t size,
                                        const char *path, stiction_error *error);

/*
 * Applies it to a controller of these joints, which come with their names (and `prismatic`) and
 * what the robot itself says of their limits. On success def->joints is `joints`, ready for
 * posture_create; the samples of a motion are the configuration's: destroy it after that. A joint
 * that the robot lacks is an error that names the nearest one.
 */
stiction_status posture_config_apply(posture_config *config, posture_def *def,
                                     posture_joint_def *joints, size_t count,
                                     stiction_error *error);

/*
 * A part of a file whose meaning is another controller's: "tasks", "contacts", "apart"; of several
 * files the last that has it. NULL if there is none. It lives as long as the configuration.
 */
const tree_entry *posture_config_section(const posture_config *config, const char *name);

/* What is given for all joints of a number such as "kp", in the unit of files; false: nothing. */
bool posture_config_general(const posture_config *config, const char *key, double *value);

/* The keys of files and options, for help and documentation. */
typedef struct posture_key_info {
    const char *name;
    const char *unit; /* in a file; for choices: what there is to choose from */
    const char *description;
} posture_key_info;

/* Row `index` of the table; false past the end. */
bool posture_config_key_at(size_t index, posture_key_info *info);

STICTION_END_C

#endif
