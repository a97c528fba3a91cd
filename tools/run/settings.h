/*
 * Former names, for tools/sweep until it takes errors.
 */
#ifndef STICTION_TOOLS_RUN_SETTINGS_H
#define STICTION_TOOLS_RUN_SETTINGS_H

#include "common/command.h"
#include "common/options.h"
#include "mujoco/overrides.h"
#include "project_traits.h"

typedef overrides settings;
typedef simulation_part settings_part;
#define SETTINGS_WORLD                 SIMULATION_WORLD
#define SETTINGS_PART_COUNT            SIMULATION_PART_COUNT
#define settings_part_of               override_part
#define settings_has_key               override_has_key
#define settings_is_option             override_is_of_controllers
#define settings_has_other_controllers project_has_other_controllers
#define settings_draws                 project_draws
#define settings_free                  overrides_free

static inline bool settings_read(settings *s, const text_list *given) {
    stiction_error error;
    return overrides_read(s, given->items, given->count, false, &error) || report_error(&error);
}

static inline bool settings_read_any(settings *s, const text_list *given) {
    stiction_error error;
    return overrides_read(s, given->items, given->count, true, &error) || report_error(&error);
}

static inline bool settings_check(const char *text, stiction_place at) {
    stiction_error error;
    return overrides_check(text, at, false, &error) || report_error(&error);
}

#endif
