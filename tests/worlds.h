/* SPDX-License-Identifier: MIT */
/* Worlds of projects for tests: load one, run it. */
#ifndef STICTION_TESTS_WORLDS_H
#define STICTION_TESTS_WORLDS_H

#include "document/auto.h"
#include "mujoco/world.h"
#include "projects.h"

OWNS(world, world_destroy)
OWNS(mjData, mj_deleteData)

/* A world without a mistake; its warnings are in `warnings`. */
static inline world *load_file(const char *path, world_options options) {
    stiction_error error;
    warnings[0] = '\0';
    options.log = keep_warning;
    world *w = world_load(path, &options, &error);
    if (!w) {
        FAIL("%s:%d:%d: %s", error.path, error.line, error.column, error.message);
        exit(EXIT_FAILURE);
    }
    return w;
}

/* Data at the start of a world. */
static inline mjData *start(const world *w) {
    mjData *data = mj_makeData(w->model);
    mj_resetDataKeyframe(w->model, data, 0);
    mj_forward(w->model, data);
    return data;
}

static inline void run(const world *w, mjData *data, double seconds) {
    const long steps = lround(seconds / w->model->opt.timestep);
    for (long k = 0; k < steps; k++) mj_step(w->model, data);
}

static inline void end_world(world *w, mjData *data) {
    mj_deleteData(data);
    world_destroy(w);
}

/* Where the root of a body is. */
static inline const double *root_of(const world *w, const mjData *data, size_t body) {
    return data->xpos + 3 * w->bodies[body].root;
}

#endif
