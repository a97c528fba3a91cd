/* What a configuration holds. */
#ifndef STICTION_CAPI_CONFIG_INTERNAL_H
#define STICTION_CAPI_CONFIG_INTERNAL_H

#include "stiction/config.h"

typedef struct config_joint {
    char *pattern;
    stiction_joint_def def; /* complete */
} config_joint;

struct stiction_config {
    double timestep; /* 0: none */
    config_joint *joints;
    size_t count, capacity;
};

#endif
