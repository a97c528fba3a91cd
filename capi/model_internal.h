/* SPDX-License-Identifier: MIT */
/* What a model holds. */
#ifndef STICTION_CAPI_MODEL_INTERNAL_H
#define STICTION_CAPI_MODEL_INTERNAL_H

#include "draw.h"
#include "groups.h"
#include "joint_internal.h"
#include "stiction/model.h"

typedef struct model_name {
    const char *name;
    size_t index; /* of the joint */
} model_name;

struct stiction_model {
    double timestep;
    size_t count;
    char **names;
    model_name *by_name; /* in alphabetical order */
    joint *joints;       /* at the model's time step */
    joint_draws **draws; /* of each joint, or NULL */
    joint_groups groups; /* of these joints */
    uint64_t seed, sample;
    unsigned needs; /* of all joints, bits of stiction_need */
    stiction_log log;
    void *log_user;
};

/* A joint of the model with random parameters, in a sample and at a time step; other parameters are
 * those of `from`. */
stiction_status stiction_model_draw(const stiction_model *model, size_t index, uint64_t sample,
                                    const joint *from, double timestep, joint *j,
                                    stiction_error *error);

void stiction_model_log(const stiction_model *model, stiction_log_level level, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));

#endif
