/* SPDX-License-Identifier: MIT */
/* A robot whose friction is coupled implicitly: a tree of joints, semi-implicit Euler around it. */
#ifndef STICTION_TESTS_IMPLICIT_ROBOT_H
#define STICTION_TESTS_IMPLICIT_ROBOT_H

#include "check.h"
#include "random_tree.h"

typedef struct implicit_robot {
    /* given */
    random_tree tree;
    stiction_joint_def joints[most_joints];
    double T;
    double q[most_joints], v[most_joints], force[most_joints];
    /* made */
    int dof[most_joints];
    stiction_model *model;
    stiction_state *state;
    stiction_implicit *solver;
    /* told by the last step */
    double friction[most_joints], slip[most_joints], deflection[most_joints], energy[most_joints];
    unsigned char slipping[most_joints];
    stiction_implicit_output output;
} implicit_robot;

/* The states and the solver of the joints and the tree that are given. */
static inline void implicit_robot_start(implicit_robot *r, stiction_implicit_def def) {
    stiction_error error;
    def.count = r->tree.count;
    if (!random_tree_state(r->joints, r->tree.count, r->T, &r->model, &r->state)) abort();
    for (size_t k = 0; k < r->tree.count; k++) r->dof[k] = (int)k;
    if (stiction_implicit_create(&def, &r->solver, &error) != STICTION_OK ||
        stiction_implicit_add(r->solver, r->state, r->dof, &error) != STICTION_OK) {
        printf("%s\n", error.message);
        abort();
    }
    r->output = stiction_implicit_output_default();
    r->output.velocity = r->v;
    r->output.friction = r->friction;
    r->output.slip = r->slip;
    r->output.deflection = r->deflection;
    r->output.slipping = r->slipping;
    r->output.dissipated_energy = r->energy;
}

/* Dense, along the tree. */
static inline stiction_implicit_def implicit_robot_def(const implicit_robot *r, bool rigid) {
    stiction_implicit_def def = stiction_implicit_def_default();
    def.parent = r->tree.parent;
    def.rigid = rigid;
    return def;
}

/* One joint of inertia M. */
static inline void implicit_axis_start(implicit_robot *r, stiction_joint_def joint, double M,
                                       double T, bool rigid) {
    memset(r, 0, sizeof *r);
    r->tree.count = 1;
    r->tree.parent[0] = -1;
    r->tree.mass[0] = M;
    r->joints[0] = joint;
    r->T = T;
    implicit_robot_start(r, implicit_robot_def(r, rigid));
}

static inline void implicit_robot_free(implicit_robot *r) {
    stiction_implicit_destroy(r->solver);
    stiction_state_destroy(r->state);
    stiction_model_destroy(r->model);
}

static inline stiction_status implicit_robot_try(implicit_robot *r, const double *mass,
                                                 stiction_error *error) {
    stiction_implicit_input input = stiction_implicit_input_default();
    input.timestep = r->T;
    input.mass = mass;
    input.velocity = r->v;
    input.force = r->force;
    return stiction_implicit_step(r->solver, &input, &r->output, error);
}

static inline void implicit_robot_step(implicit_robot *r) {
    stiction_error error;
    if (implicit_robot_try(r, r->tree.mass, &error) != STICTION_OK) FAIL("%s", error.message);
    for (size_t k = 0; k < r->tree.count; k++) r->q[k] += r->T * r->v[k];
}

static inline void implicit_axis_step(implicit_robot *r, double load) {
    r->force[0] = load;
    implicit_robot_step(r);
}

static inline const char *implicit_element(bool rigid) {
    return rigid ? "rigid" : "bristle";
}

#endif
