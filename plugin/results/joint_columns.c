/* SPDX-License-Identifier: MIT
 * The columns of joints.csv.
 */
#include "joint_columns.h"

#include <string.h>

#define ROW(name, title, unit, linear_unit, presence, value, description)                          \
    {#name, title, unit, linear_unit, presence, description},
const joint_column joint_columns[JOINT_COLUMN_COUNT] = {JOINT_COLUMNS(ROW)};
#undef ROW

/* ---- which quantities change ---- */

/* A parameter that is not given is NaN. */
static bool acts(double value) {
    return isfinite(value) && value != 0;
}

/* For other laws these keys have no effect. */
static bool is_drive(const char *name) {
    stiction_law_info law;
    stiction_parameter_info info;
    if (!name || !stiction_law_info_find(name, &law)) return false;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (strcmp(info.key, "load_motor") == 0) return law.parameters >> k & 1;
    return false;
}

static bool is_loaded(const stiction_joint_def *def) {
    return acts(def->load_external) || acts(def->load_external_static);
}

static bool warms(const stiction_joint_def *def) {
    return acts(def->thermal_resistance);
}

static bool level_moves(const stiction_joint_def *def) {
    return is_loaded(def) || acts(def->load_motor) || acts(def->load_motor_static) ||
           acts(def->ripple) || acts(def->lag) ||
           (acts(def->reverse_factor) && def->reverse_factor != 1) ||
           (acts(def->temperature_level) && warms(def));
}

bool joint_has_columns(const stiction_joint_def *friction, joint_column_presence presence) {
    static bool (*const moves[COLUMN_PRESENCES])(const stiction_joint_def *) = {
        [COLUMN_LOADED] = is_loaded, [COLUMN_WARMING] = warms, [COLUMN_LEVEL_MOVING] = level_moves};
    if (!moves[presence]) return true;
    return friction && is_drive(friction->law) && moves[presence](friction);
}

bool joint_friction_moves(const stiction_joint_def *friction) {
    return joint_has_columns(friction, COLUMN_WARMING) ||
           joint_has_columns(friction, COLUMN_LEVEL_MOVING);
}

/* ---- a sample ---- */

void joint_columns_fill(double *row, const results_sample *s, size_t k) {
#define FILL(name, title, unit, linear_unit, presence, value, description)                         \
    row[joint_column_##name] = (value);
    JOINT_COLUMNS(FILL)
#undef FILL
}
