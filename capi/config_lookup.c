/*
 * The friction of one joint by its name, as a model would find it, without a model.
 */
#include "config_internal.h"

const char *stiction_config_find_joint(const stiction_config *config, const char *name,
                                       stiction_joint_def *def) {
    const config_joint *found = config && name ? config_find(config, name) : NULL;
    return found ? stiction_config_joint_at(config, (size_t)(found - config->joints), def) : NULL;
}
