/*
 * A friction configuration with some of its values replaced: the file's own text, but for them, so
 * that every other mistake is still told at its line. It knows no robot beyond the joints' names.
 */
#ifndef STICTION_MUJOCO_CONFIGURATION_H
#define STICTION_MUJOCO_CONFIGURATION_H

#include "document/reader.h"

/* One replacement: "joints.RWRR.law" = "rational", "profiles.wrist.viscous" = "4", "timestep" = ...
 */
typedef struct configuration_value {
    const char *path, *value;
} configuration_value;

/*
 * The YAML of the file at `path` with the values in it, on the lines where they were. joints.NAME
 * means an entry of the file, or else a joint of `names` that another entry matches: it gets an
 * entry of its own that differs in this value. joints.PATTERN means all such joints.
 */
const char *configuration_with(reader *r, const char *path, const configuration_value *values,
                               size_t count, const char *const *names, size_t name_count);

#endif
