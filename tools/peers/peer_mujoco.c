/* SPDX-License-Identifier: MIT */
/* MuJoCo's own joint friction: frictionloss, with its default, a stiff and a noslip solver. */
#include <stdlib.h>

#include "chain_mjcf.h"

#ifndef PEER_MUJOCO_NAME
#define PEER_MUJOCO_NAME "MuJoCo 2"
#define PEER(name)       mujoco2_##name
#else
#define PEER(name) mujoco3_##name
#endif

typedef struct made {
    mjModel *model;
    mjData *data;
} made;

static void destroy(void *of) {
    made *m = of;
    mj_deleteData(m->data);
    mj_deleteModel(m->model);
    free(m);
}

static void *create(const chain *c, const char *option, const char *solver) {
    char joint[200];
    (void)snprintf(joint, sizeof joint, "frictionloss=\"%.17g\" %s", c->static_torque, solver);
    mjModel *model = chain_compile(c, option, c->static_torque > 0 ? joint : "");
    if (!model) return NULL;
    made *m = malloc(sizeof *m);
    *m = (made){model, mj_makeData(model)};
    return m;
}

static void *create_default(const chain *c) {
    return create(c, "", "");
}

/* The hardest constraint that the documentation recommends: solref at two steps, solimp near 1. */
static void *create_stiff(const chain *c) {
    char solver[200];
    (void)snprintf(solver, sizeof solver,
                   "solreffriction=\"%.17g 1\" solimpfriction=\"0.9999 0.9999 0.001 0.5 2\"",
                   2 * c->timestep);
    return create(c, "iterations=\"200\" tolerance=\"1e-14\"", solver);
}

static void *create_noslip(const chain *c) {
    return create(c, "noslip_iterations=\"20\" noslip_tolerance=\"1e-12\"", "");
}

static void step(void *of, const double *torque) {
    made *m = of;
    memcpy(m->data->qfrc_applied, torque, (size_t)m->model->nv * sizeof *torque);
    mj_step(m->model, m->data);
}

static void read_state(const void *of, double *position, double *velocity) {
    const made *m = of;
    memcpy(position, m->data->qpos, (size_t)m->model->nv * sizeof *position);
    memcpy(velocity, m->data->qvel, (size_t)m->model->nv * sizeof *velocity);
}

static void place(void *of, const double *position, const double *velocity) {
    made *m = of;
    memcpy(m->data->qpos, position, (size_t)m->model->nv * sizeof *position);
    memcpy(m->data->qvel, velocity, (size_t)m->model->nv * sizeof *velocity);
}

static const char *version(void) {
    return mj_versionString();
}

#define ROW(id, title, text, maker)                                                                \
    const peer PEER(id) = {PEER_MUJOCO_NAME " " title,                                             \
                           text,                                                                   \
                           false,                                                                  \
                           version,                                                                \
                           maker,                                                                  \
                           destroy,                                                                \
                           step,                                                                   \
                           read_state,                                                             \
                           place};
ROW(default, "frictionloss", "default solref and solimp", create_default)
ROW(stiff, "frictionloss, stiff", "solref two steps, solimp 0.9999, 200 iterations", create_stiff)
ROW(noslip, "frictionloss, noslip", "noslip_iterations 20", create_noslip)
