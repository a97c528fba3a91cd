/* SPDX-License-Identifier: MIT */
#include "embedded_body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mujoco/body_view.h"

struct embedded_body {
    world *w;
    mjData *data;
    size_t body;
};

embedded_body *embedded_body_load(const char *path) {
    stiction_error error;
    const world_options options = world_options_default();
    embedded_body *e = calloc(1, sizeof *e);
    world *w = world_load(path, &options, &error);
    if (!e || !w) {
        (void)fprintf(stderr, "%s\n", w ? "out of memory" : error.message);
        free(e);
        world_destroy(w);
        return NULL;
    }
    e->w = w;
    e->data = mj_makeData(w->model);
    mj_resetDataKeyframe(w->model, e->data, 0);
    while (!w->bodies[e->body].joint_count) e->body++;
    return e;
}

void embedded_body_free(embedded_body *e) {
    mj_deleteData(e->data);
    world_destroy(e->w);
    free(e);
}

bool embedded_body_floats(const embedded_body *e) {
    return e->w->bodies[e->body].floats;
}

size_t embedded_body_dof(const embedded_body *e) {
    return body_view_dof(e->w, e->body);
}

size_t embedded_body_joint_count(const embedded_body *e) {
    return e->w->bodies[e->body].joint_count;
}

static const world_joint *joint_at(const embedded_body *e, size_t joint) {
    return &e->w->joints[e->w->bodies[e->body].first_joint + joint];
}

stiction_controller_joint embedded_body_joint(const embedded_body *e, size_t joint) {
    const world_joint *j = joint_at(e, joint);
    return (stiction_controller_joint){j->name,  j->prismatic,      j->lower,
                                       j->upper, j->velocity_limit, j->torque_limit};
}

size_t embedded_body_link_count(const embedded_body *e) {
    return e->w->bodies[e->body].link_count;
}

const char *embedded_body_link(const embedded_body *e, size_t link) {
    return body_view_link(e->w, e->body, link);
}

const double *embedded_body_gravity(const embedded_body *e) {
    return e->w->model->opt.gravity;
}

/* MuJoCo has the angular velocity of a free joint in the body's own axes. */
static void put_base(const embedded_body *e, const embedded_pose *base) {
    const mjModel *model = e->w->model;
    const int joint = model->body_jntadr[e->w->bodies[e->body].root];
    mjtNum *q = e->data->qpos + model->jnt_qposadr[joint];
    mjtNum *v = e->data->qvel + model->jnt_dofadr[joint], back[4];
    memcpy(q, base->position, sizeof base->position);
    memcpy(q + 3, base->rotation, sizeof base->rotation);
    memcpy(v, base->linear, sizeof base->linear);
    mju_negQuat(back, base->rotation);
    mju_rotVecQuat(v + 3, base->angular, back);
}

void embedded_body_put(embedded_body *e, const embedded_pose *base, const double *q,
                       const double *dq) {
    if (embedded_body_floats(e)) put_base(e, base);
    for (size_t k = 0; k < embedded_body_joint_count(e); k++) {
        e->data->qpos[joint_at(e, k)->position] = q[k];
        e->data->qvel[joint_at(e, k)->velocity] = dq[k];
    }
    mj_step1(e->w->model, e->data);
}

embedded_pose embedded_body_base(const embedded_body *e) {
    const body_base base = body_view_base(e->w, e->data, e->body);
    embedded_pose pose;
    memcpy(&pose, &base, sizeof pose);
    return pose;
}

void embedded_body_mass_matrix(const embedded_body *e, double *mass_matrix) {
    body_view_mass_matrix(e->w, e->data, e->body, mass_matrix);
}

void embedded_body_bias(const embedded_body *e, double *bias) {
    body_view_bias(e->w, e->data, e->body, bias);
}

void embedded_body_jacobian(const embedded_body *e, size_t link, double *jacobian) {
    body_view_jacobian(e->w, e->data, e->body, link, jacobian);
}

stiction_controller_link_state embedded_body_link_state(const embedded_body *e, size_t link) {
    return body_view_link_state(e->w, e->data, e->body, link);
}
