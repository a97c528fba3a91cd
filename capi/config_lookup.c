/* SPDX-License-Identifier: MIT
 * Lookups in a configuration that need no model: whether it is for a body, and the friction of one
 * joint by name.
 */
#include <string.h>

#include "config_internal.h"

bool stiction_config_is_for(const stiction_config *config, const char *model_name,
                            const char *const *names, size_t count) {
    if (!config) return false;
    for (size_t k = 0; model_name && k < config->model_count; k++)
        if (strcmp(config->models[k], model_name) == 0) return true;
    for (size_t k = 0; !config->model_count && names && k < count; k++)
        if (names[k] && stiction_config_find(config, names[k])) return true;
    return false;
}

const char *stiction_config_find_joint(const stiction_config *config, const char *name,
                                       stiction_joint_def *def) {
    const config_joint *found = config && name ? stiction_config_find(config, name) : NULL;
    if (found && def) stiction_config_give_def(config, (size_t)(found - config->joints), name, def);
    return found ? found->pattern : NULL;
}
