/* SPDX-License-Identifier: MIT
 * The columns of joints.csv.
 */
#include "joint_columns.h"

#include <string.h>

/* The temperature has its own presence: the other levels may change without it. */
#define COLUMN(name, unit, presence, value, description) {#name, unit, presence, description},
#define LEVEL(type, name, unit, description)                                                       \
    {#name, unit,                                                                                  \
     joint_column_##name == joint_column_temperature ? COLUMN_WARMING : COLUMN_LEVEL_MOVING,       \
     description ", if it varies"},
const joint_column joint_columns[JOINT_COLUMN_COUNT] = {JOINT_COLUMNS(COLUMN, LEVEL)};
#undef COLUMN
#undef LEVEL

const char *joint_linear_unit(const char *unit) {
    static const char *const pairs[][2] = {
        {"rad", "m"}, {"rad/s", "m/s"}, {"N m", "N"}, {"N m/rad", "N/m"}, {"N m s/rad", "N s/m"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        if (strcmp(pairs[k][0], unit) == 0) return pairs[k][1];
    return unit;
}

/* ---- which quantities change ---- */

/* A parameter that is not given is NaN. */
static bool acts(double value) {
    return isfinite(value) && value != 0;
}

static bool reads(const char *name, const char *key) {
    stiction_law_info law;
    stiction_parameter_info info;
    if (!name || !stiction_law_info_find(name, &law)) return false;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (strcmp(info.key, key) == 0) return law.parameters >> k & 1;
    return false;
}

/* A load at rest acts on the static torque, which coulomb has not. */
static bool acts_at_rest(const stiction_joint_def *def, double load) {
    return acts(load) && reads(def->law, "static_torque");
}

static bool is_loaded(const stiction_joint_def *def) {
    return acts(def->load_external) || acts_at_rest(def, def->load_external_static);
}

static bool warms(const stiction_joint_def *def) {
    return acts(def->thermal_resistance);
}

static bool level_moves(const stiction_joint_def *def) {
    return is_loaded(def) || acts(def->load_motor) || acts_at_rest(def, def->load_motor_static) ||
           acts(def->ripple) || acts(def->lag) ||
           (acts(def->reverse_factor) && def->reverse_factor != 1) ||
           (acts(def->temperature_level) && warms(def));
}

bool joint_has_columns(const stiction_joint_def *friction, joint_column_presence presence) {
    static bool (*const moves[COLUMN_PRESENCES])(const stiction_joint_def *) = {
        [COLUMN_LOADED] = is_loaded, [COLUMN_WARMING] = warms, [COLUMN_LEVEL_MOVING] = level_moves};
    if (!moves[presence]) return true;
    /* for laws that are not drives these keys have no effect */
    return friction && reads(friction->law, "load_motor") && moves[presence](friction);
}

bool joint_friction_moves(const stiction_joint_def *friction) {
    return joint_has_columns(friction, COLUMN_WARMING) ||
           joint_has_columns(friction, COLUMN_LEVEL_MOVING);
}

/* ---- a sample ---- */

void joint_columns_fill(double *row, const results_sample *s, size_t k) {
#define FILL(name, unit, presence, value, description) row[joint_column_##name] = (value);
#define FILL_LEVEL(type, name, unit, description)                                                  \
    row[joint_column_##name] = sample_known(s->friction.name, k);
    JOINT_COLUMNS(FILL, FILL_LEVEL)
#undef FILL
#undef FILL_LEVEL
}
