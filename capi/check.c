/* SPDX-License-Identifier: MIT */
/* All that is wrong with a configuration for a robot, in one go. */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include <stdlib.h>

#include "config_internal.h"
#include "document/c_locale.h"
#include "document/error_list.h"

/* The number of names that are compared for hints, which bounds the time however many entries match
 * no joint. For a robot with a hundred joints this covers all errors that a list can hold. */
static const size_t most_compared = 100000;

typedef struct check {
    const stiction_config *config;
    const char *const *names; /* NULL: no robot is given */
    size_t count;
    double timestep;
    stiction_errors *errors;
    size_t compared;
} check;

/* Joints that have all of their friction from one profile have its errors, too: `profile` is the
 * key of these, and NULL for errors that are unlike any other. */
static void note(const check *c, stiction_status status, const stiction_error *error,
                 const char *profile) {
    if (status != STICTION_OK)
        stiction_errors_add_about(c->errors, profile,
                                  (stiction_place){error->path, error->line, error->column}, "",
                                  status, "%s", error->message);
}

static void check_pattern(check *c, const config_joint *entry) {
    stiction_error error;
    const bool hints = c->compared + c->count <= most_compared;
    const stiction_status status =
        stiction_config_check_pattern(c->config, entry, c->names, c->count, hints, &error);
    if (status != STICTION_OK && hints) c->compared += c->count;
    note(c, status, &error, NULL);
}

/* Each entry is examined once, by the name of the first joint that it gives its friction to; one
 * that gives it to none (others beat it) is not examined. */
static void check_entry(check *c, const config_joint *entry, const char *name) {
    stiction_error error;
    joint j;
    if (!c->names)
        name = entry->pattern;
    else if (!name)
        check_pattern(c, entry);
    if (name)
        note(c, stiction_config_make_joint(c->config, entry, name, 0, c->timestep, &j, &error),
             &error, entry->profile);
}

static stiction_status check_robot(check *c) {
    stiction_error error;
    const char **first = calloc(c->config->count + 1, sizeof *first);
    if (!first) {
        note(c, stiction_fail(&error, STICTION_OUT_OF_MEMORY, "out of memory"), &error, NULL);
        return STICTION_OUT_OF_MEMORY;
    }
    for (size_t n = 0; n < c->count; n++) {
        const config_joint *found = stiction_config_find(c->config, c->names[n]);
        const char **name = found ? &first[found - c->config->joints] : NULL;
        if (name && !*name) *name = c->names[n];
        if (!name && c->config->strict)
            note(c, stiction_config_refuse_unmatched(c->config, c->names[n], &error), &error, NULL);
    }
    for (size_t k = 0; k < c->config->count; k++) check_entry(c, &c->config->joints[k], first[k]);
    free(first);
    return stiction_errors_status(c->errors);
}

static stiction_status check_all(check *c, double host_timestep) {
    stiction_error error;
    stiction_status status =
        stiction_config_choose_timestep(c->config, host_timestep, &c->timestep, &error);
    if (status == STICTION_OK) status = stiction_config_check_names(c->names, c->count, &error);
    note(c, status, &error, NULL);
    return status == STICTION_OK ? check_robot(c) : status;
}

stiction_status stiction_config_check(const stiction_config *config, const char *const *names,
                                      size_t count, double timestep, stiction_errors *errors) {
    if (!config || (!names && count)) return STICTION_INVALID_ARGUMENT;
    stiction_errors *list = errors ? errors : stiction_errors_create();
    if (!list) return STICTION_OUT_OF_MEMORY;
    stiction_errors_begin(list);
    check c = {.config = config, .names = names, .count = count, .errors = list};
    const c_locale locale = c_locale_enter();
    const stiction_status status = check_all(&c, timestep);
    c_locale_leave(locale);
    if (!errors) stiction_errors_destroy(list);
    return status;
}
