/* SPDX-License-Identifier: MIT
 * What the controllers and the friction of a project are, for runs that share a process and for
 * repetitions.
 */
#include "project_traits.h"

#include <string.h>

#include "projects/project.h"
#include "stiction/stiction.h"

static void *read_project(reader *r, const void *path) {
    return (void *)(uintptr_t)project_read(r, path);
}

/* By its module, or by the controller that StictionController loads. */
static bool is_ours(const project_controller *c) {
    static const char *const built_in[] = {"posture", "whole_body", "none"};
    if (strcmp(c->module, "StictionPostureController") == 0) return true;
    const size_t length = strcspn(c->options ? c->options : "", ": ");
    for (size_t k = 0; k < sizeof built_in / sizeof built_in[0]; k++)
        if (strcmp(c->module, "StictionController") == 0 && length == strlen(built_in[k]) &&
            strncmp(c->options, built_in[k], length) == 0)
            return true;
    return false;
}

static bool is_posture(const project_controller *c) {
    return strcmp(c->module, "StictionPostureController") == 0;
}

/* A robot has no controllers, and one that cannot be read runs none. */
static bool are_all(const char *path, bool untrusted, bool is(const project_controller *)) {
    reader r = {.untrusted = untrusted ? path : NULL};
    const project *p = robot_is_file(path) ? NULL : stiction_reader_run(&r, read_project, path);
    bool all = true;
    for (size_t k = 0; p && k < p->body_count; k++)
        for (size_t n = 0; n < p->bodies[k].controller_count; n++)
            all = all && is(&p->bodies[k].controllers[n]);
    if (p) stiction_arena_free(&r.memory);
    return all;
}

bool project_has_other_controllers(const char *path, bool untrusted) {
    return !are_all(path, untrusted, is_posture);
}

bool project_has_our_controllers(const char *path, bool untrusted) {
    return are_all(path, untrusted, is_ours);
}

/* A project, and whether something of its friction is drawn. */
typedef struct drawing {
    const char *path;
    bool draws;
} drawing;

static bool friction_draws(reader *r, const project_friction *item) {
    stiction_config *config;
    if (!item->enabled || !item->configuration) return false;
    stiction_reader_permit(r, item->configuration_at, item->configuration);
    if (stiction_config_load(item->configuration, &config, NULL) != STICTION_OK)
        return true; /* a run reports what is wrong with it */
    const bool draws = stiction_config_is_random(config);
    stiction_config_destroy(config);
    return draws;
}

static void *find_draws(reader *r, const void *context) {
    drawing *d = *(drawing *const *)context;
    const project *p = project_read(r, d->path);
    for (size_t k = 0; k < p->simulator_count; k++)
        for (size_t n = 0; n < p->simulators[k].friction_count && !d->draws; n++)
            d->draws = friction_draws(r, &p->simulators[k].frictions[n]);
    return d;
}

bool project_draws(const char *path, bool untrusted) {
    reader r = {.untrusted = untrusted ? path : NULL};
    drawing d = {.path = path};
    drawing *const context = &d;
    const bool read = !robot_is_file(path) && stiction_reader_run(&r, find_draws, &context);
    if (read) stiction_arena_free(&r.memory);
    return d.draws || !read;
}
