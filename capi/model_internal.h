/* What a model holds. */
#ifndef STICTION_CAPI_MODEL_INTERNAL_H
#define STICTION_CAPI_MODEL_INTERNAL_H

#include "joint_internal.h"
#include "stiction/model.h"

struct stiction_model {
    double timestep;
    size_t count;
    char **names;
    joint *joints; /* at the model's time step */
    bool needs_effort;
    stiction_log log;
    void *log_user;
};

void stiction_model_log(const stiction_model *model, stiction_log_level level, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));

#endif
