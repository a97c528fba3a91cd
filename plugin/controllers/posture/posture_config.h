/* SPDX-License-Identifier: MIT
 * A posture controller from an option string or a YAML file. Angles are in degrees there, as in
 * Choreonoid, so velocities in deg/s; lengths of prismatic joints in m. See README.md.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_POSTURE_CONFIG_H
#define STICTION_CONTROLLERS_POSTURE_POSTURE_CONFIG_H

#include "document/yaml_tree.h"
#include "posture.h"

STICTION_BEGIN_C

/* The settings of options and files, before the joints are known. */
typedef struct posture_config posture_config;

posture_config *posture_config_create(void); /* NULL: no memory */
void posture_config_destroy(posture_config *config);

/*
 * Adds `kp=20 kv=2 lambda=0 target=RWRR:90,RWRP:-10 torque_limit=50 config=FILE.yaml`: key=value
 * for all joints, or key=JOINT:value for those that match a name or pattern. A value in quotes may
 * contain spaces. Names of files are relative to `directory` (NULL: the working directory), and in
 * a YAML file to its folder; config=FILE is read first. Later settings override earlier ones. After
 * an error the configuration is empty.
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
 * Applies the settings to these joints, which have their names (and `prismatic`) and the limits of
 * the robot. Then def->joints is `joints`, ready for posture_create; files and the samples of a
 * motion belong to the configuration: destroy it after that. An unknown joint is an error that
 * names the nearest one.
 */
stiction_status posture_config_apply(posture_config *config, posture_def *def,
                                     posture_joint_def *joints, size_t count,
                                     stiction_error *error);

/*
 * A section of a file for another controller: "tasks", "contacts", "apart"; of several files, that
 * of the last one. NULL: there is none. It lives as long as the configuration.
 */
const tree_entry *posture_config_section(const posture_config *config, const char *name);

/* The value of a number such as "kp" for all joints, in the unit of files; false: not given. */
bool posture_config_general(const posture_config *config, const char *key, double *value);

/* The keys of files and options, for help and documentation. */
typedef struct posture_key_info {
    const char *name;
    const char *unit; /* in a file; the words of a choice */
    const char *description;
} posture_key_info;

/* Row `index` of the table; false past the end. */
bool posture_config_key_at(size_t index, posture_key_info *info);

STICTION_END_C

#endif
