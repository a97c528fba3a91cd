/* SPDX-License-Identifier: MIT
 * The units of what --set replaces, from the tables that read it.
 */
#include "setting_units.h"

#include <string.h>

#include "controllers/posture/posture_config.h"
#include "stiction/joint.h"

static const struct {
    const char *key, *unit;
} simple[] = {{"timestep", "s"}, {"duration", "s"}, {"control_period", "s"}, {"push.force", "N"}};
enum { simple_count = sizeof simple / sizeof simple[0] };

/* "1" and the names of a choice are not units. */
static const char *unit_or_none(const char *unit) {
    return strcmp(unit, "1") == 0 || strpbrk(unit, "|,") || strstr(unit, " or ") ? "" : unit;
}

static const char *unit_of_controller(const char *word) {
    posture_key_info info;
    for (size_t k = 0; posture_config_key_at(k, &info); k++)
        if (strcmp(info.name, word) == 0) return unit_or_none(info.unit);
    return "";
}

static const char *unit_of_friction(const char *word) {
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (strcmp(info.key, word) == 0) return unit_or_none(info.unit);
    return "";
}

const char *setting_unit(const char *key) {
    const char *dot = strrchr(key, '.'), *word = dot ? dot + 1 : key;
    for (size_t k = 0; k < simple_count; k++)
        if (strcmp(simple[k].key, key) == 0) return simple[k].unit;
    if (strncmp(key, "controller.", strlen("controller.")) == 0) return unit_of_controller(word);
    const bool of_friction = strncmp(key, "joints.", strlen("joints.")) == 0 ||
                             strncmp(key, "profiles.", strlen("profiles.")) == 0;
    return of_friction ? unit_of_friction(word) : "";
}
