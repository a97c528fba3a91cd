/* SPDX-License-Identifier: MIT
 * A model: the friction of all joints of one robot, resolved and validated. It is immutable: any
 * number of threads may step states of one model.
 */
#ifndef STICTION_MODEL_H
#define STICTION_MODEL_H

#include "stiction/config.h"

STICTION_BEGIN_C

typedef struct stiction_model stiction_model;

/* Options of a model. Start from stiction_model_def_default(). */
typedef struct stiction_model_def {
    size_t size;      /* set by the default */
    double timestep;  /* s, > 0; 0: that of the configuration */
    bool strict;      /* a joint that nothing matches is an error, not a joint without friction */
    stiction_log log; /* NULL: none; used by the model and all of its states */
    void *log_user;
    bool partial;    /* `names` are not all joints of the robot: a pattern may match none of them */
    uint64_t sample; /* of randomly drawn parameters, see stiction/random.h; 0 by default */
} stiction_model_def;

STICTION_API stiction_model_def stiction_model_def_default(void);

/*
 * Creates a model for the joints of a robot, in the order of `names`. A pattern that matches none
 * of them is an error that names the nearest joint. def may be NULL. On failure, *model is NULL.
 */
STICTION_API stiction_status stiction_model_create(const stiction_config *config,
                                                   const char *const *names, size_t count,
                                                   const stiction_model_def *def,
                                                   stiction_model **model, stiction_error *error);
/* Destroy the states of a model first. */
STICTION_API void stiction_model_destroy(stiction_model *model);

STICTION_API size_t stiction_model_joint_count(const stiction_model *model);
STICTION_API double stiction_model_timestep(const stiction_model *model);
/* NULL past the end. */
STICTION_API const char *stiction_model_joint_name(const stiction_model *model, size_t index);
/* The index of a joint, or the joint count if no joint has that name. */
STICTION_API size_t stiction_model_find_joint(const stiction_model *model, const char *name);
/* The friction of a joint; law "none" if it has none. */
STICTION_API stiction_status stiction_model_joint(const stiction_model *model, size_t index,
                                                  stiction_joint_def *def, stiction_error *error);

STICTION_END_C

#endif
