/* SPDX-License-Identifier: MIT */
/* What a configuration holds, and what it means for a robot. */
#ifndef STICTION_CAPI_CONFIG_INTERNAL_H
#define STICTION_CAPI_CONFIG_INTERNAL_H

#include "document/yaml_tree.h"
#include "draw.h"
#include "joint_internal.h"
#include "stiction/config.h"
#include "valid.h"

typedef struct config_place {
    int line, column; /* 0: not in a file */
} config_place;

typedef struct config_joint {
    const char *pattern;    /* of its config_name */
    stiction_joint_def def; /* complete; the values of random parameters are not used */
    joint_draws *draws;     /* NULL: nothing is drawn */
    config_place at;        /* of the pattern */
    config_place damping;   /* where an illegal Z is reported; line 0: at the pattern */
    char *profile;          /* NULL, or the profile that all of the friction comes from */
    char *overrides;        /* NULL, or what of it was overridden: "joints.RWRR.viscous=4, ..." */
} config_joint;

typedef struct config_valid {
    char *pattern; /* of a joint */
    valid_ranges ranges;
} config_valid;

typedef struct config_name {
    size_t index; /* of the joint with this pattern */
    char pattern[];
} config_name;

struct stiction_config {
    char *path;      /* NULL: not from a file */
    double timestep; /* 0: none */
    uint64_t seed;   /* of what is drawn */
    bool strict;
    stiction_coupling coupling;
    stiction_element_choice element;
    config_valid *valid; /* where its friction was identified */
    size_t valid_count;
    config_place joints_at; /* of the key `joints` */
    char **models;
    size_t model_count;
    config_joint *joints;
    size_t count, capacity;
    void *by_name;    /* a config_name of each, found by tsearch */
    size_t *patterns; /* those that are patterns, in the order of the file */
    size_t pattern_count, pattern_bytes;
    arena tree;      /* the file, for overrides */
    tree_node *root; /* NULL: it is from no file, or was changed since */
};

/* The tree no longer describes the configuration. */
void stiction_config_forget_tree(stiction_config *config);

/* Checks a def without its time step. On success *complete has the fallbacks filled in.
 */
stiction_status stiction_config_check_def(const char *name, const stiction_joint_def *def,
                                          stiction_joint_def *complete, stiction_error *error);

/* Adds a joint whose def is complete and whose pattern is not there yet; NULL: no memory. */
config_joint *stiction_config_append(stiction_config *config, const char *pattern,
                                     const stiction_joint_def *complete);

/* The friction of a joint: its own name's, else the last pattern's that matches, else NULL. */
const config_joint *stiction_config_find(const stiction_config *config, const char *name);
/* The entry of this very name, or NULL. */
const config_joint *stiction_config_find_exactly(const stiction_config *config, const char *name);

/* The friction that an entry gives a joint of this name, for a caller: sample 0 of random
 * parameters. */
void stiction_config_give_def(const stiction_config *config, size_t index, const char *name,
                              stiction_joint_def *def);

/* The time step of the host, or where that is 0 the configuration's. */
stiction_status stiction_config_choose_timestep(const stiction_config *config, double host,
                                                double *timestep, stiction_error *error);

/* A joint of the robot with the friction that was found for it, in a sample at this time step. */
stiction_status stiction_config_make_joint(const stiction_config *config, const config_joint *found,
                                           const char *name, uint64_t sample, double timestep,
                                           joint *j, stiction_error *error);

#endif
