/* SPDX-License-Identifier: MIT
 * Applies a configuration to a robot: which friction each joint gets, and the errors with their
 * location in the file. Used to create a model and to check a configuration.
 */
#include <float.h>
#include <string.h>

#include "config_internal.h"
#include "document/fail.h"
#include "document/names.h"

/* The location of an entry; empty in a configuration that was not read from a file. */
static stiction_place place_in(const stiction_config *config, config_place at) {
    if (!config->path) return (stiction_place){0};
    return (stiction_place){config->path, at.line, at.column};
}

static bool matches(const char *pattern, const char *name) {
    return strcmp(pattern, name) == 0 ||
           (stiction_name_is_pattern(pattern) && stiction_name_matches(pattern, name));
}

const config_joint *stiction_config_find(const stiction_config *config, const char *name) {
    const config_joint *found = stiction_config_find_exactly(config, name);
    for (size_t k = config->pattern_count; k-- > 0 && !found;) {
        const config_joint *candidate = &config->joints[config->patterns[k]];
        if (stiction_name_matches(candidate->pattern, name)) found = candidate;
    }
    return found;
}

stiction_status stiction_config_choose_timestep(const stiction_config *config, double host,
                                                double *timestep, stiction_error *error) {
    *timestep = host == 0 ? config->timestep : host;
    if (*timestep == 0)
        return stiction_fail_at(error, STICTION_INVALID_ARGUMENT,
                                place_in(config, (config_place){0, 0}),
                                "neither the host nor the configuration gives a time step");
    return stiction_check_timestep("time step", *timestep, STICTION_INVALID_ARGUMENT, error);
}

stiction_status stiction_config_check_names(const char *const *names, size_t count,
                                            stiction_error *error) {
    for (size_t k = 0; k < count; k++) {
        if (!names[k] || !*names[k])
            return stiction_fail(error, STICTION_INVALID_ARGUMENT, "joint %zu has no name", k);
        for (size_t n = 0; n < k; n++)
            if (strcmp(names[k], names[n]) == 0)
                return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                     "joints %zu and %zu are both named '%.200s'", n, k, names[k]);
    }
    return STICTION_OK;
}

stiction_status stiction_config_check_pattern(const stiction_config *config,
                                              const config_joint *entry, const char *const *names,
                                              size_t count, bool hints, stiction_error *error) {
    for (size_t n = 0; n < count; n++)
        if (matches(entry->pattern, names[n])) return STICTION_OK;
    char hint[NAME_HINT_SIZE];
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, place_in(config, entry->at),
                            "joint '%.200s': the robot has no %s%s", entry->pattern,
                            count ? "such joint" : "joints",
                            hints ? stiction_name_hint(entry->pattern, names, count, hint) : "");
}

static stiction_status init_joint(const stiction_config *config, const config_joint *found,
                                  const char *name, uint64_t sample, double timestep, joint *j,
                                  stiction_error *error) {
    const draw_key key = {config->seed, sample, name};
    return found->draws
               ? stiction_draw_joint(j, &found->def, found->draws, &key, timestep, NULL, error)
               : stiction_joint_init(j, NULL, &found->def, timestep, error);
}

stiction_status stiction_config_make_joint(const stiction_config *config, const config_joint *found,
                                           const char *name, uint64_t sample, double timestep,
                                           joint *j, stiction_error *error) {
    if (!found) {
        stiction_joint_def none = stiction_joint_def_default();
        none.law = "none";
        return stiction_joint_init(j, name, &none, timestep, error);
    }
    stiction_error sentence;
    const stiction_status status = init_joint(config, found, name, sample, timestep, j, &sentence);
    if (status == STICTION_OK) return STICTION_OK;
    const bool of_damping = status == STICTION_ILLEGAL_TIMESTEP && found->damping.line > 0;
    return stiction_fail_at(error, status,
                            place_in(config, of_damping ? found->damping : found->at),
                            "%s%s%s%s '%.200s': %.700s", found->overrides ? "override " : "",
                            found->overrides ? found->overrides : "", found->overrides ? ": " : "",
                            found->profile ? "profile" : "joint",
                            found->profile ? found->profile : name, sentence.message);
}

stiction_status stiction_config_refuse_unmatched(const stiction_config *config, const char *name,
                                                 stiction_error *error) {
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, place_in(config, config->joints_at),
                            "joint '%.200s': nothing in the configuration matches it", name);
}
