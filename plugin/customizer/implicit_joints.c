/* SPDX-License-Identifier: MIT */
/* See implicit_joints.h. */
#include "implicit_joints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stability/coupling.h"

struct implicit_joints {
    size_t count;
    stiction_state *state;
    stiction_implicit *solver;
    double *mass;      /* a matrix of trees of one joint each is its diagonal */
    int *dof, *parent; /* one block */
};

/* For poses.h: a joint moves by itself, with the inertia of the configuration. */
static stiction_status find_columns(void *host, const double *positions, size_t first, size_t count,
                                    double *columns, stiction_error *error) {
    const coupling_robot *robot = host;
    const size_t n = robot->poses.joint_count;
    (void)positions, (void)error;
    for (size_t k = 0; k < count; k++) {
        memset(columns + k * n, 0, n * sizeof *columns);
        const double inertia = robot->friction[first + k].inertia;
        columns[k * n + first + k] = inertia > 0 ? 1 / inertia : 0;
    }
    return STICTION_OK;
}

static bool needs_inertia(const stiction_joint_def *def) {
    return !(def->inertia > 0) && strcmp(def->law, "none") != 0;
}

/* `defs` and `joints` have room for the joints of the model. */
static stiction_coupling decide(const stiction_config *config, const stiction_model *model,
                                double timestep, stiction_joint_def *defs, pose_joint *joints,
                                const char **unknown) {
    const size_t n = stiction_model_joint_count(model);
    for (size_t k = 0; k < n; k++) {
        defs[k] = stiction_joint_def_default();
        (void)stiction_model_joint(model, k, &defs[k], NULL);
        joints[k] = (pose_joint){.name = stiction_model_joint_name(model, k)};
        if (needs_inertia(&defs[k])) *unknown = joints[k].name;
    }
    coupling_robot robot = {
        {joints, n, n, find_columns, NULL}, .friction = defs, .timestep = timestep};
    robot.poses.host = &robot;
    coupling_decision decision;
    const stiction_coupling configured = stiction_config_coupling(config);
    /* auto leaves alone what it does not know the inertia of */
    if (configured == STICTION_COUPLING_AUTO && *unknown) return STICTION_COUPLING_EXPLICIT;
    if (coupling_decide(configured, &robot, NULL, NULL, &decision, NULL) != STICTION_OK)
        return STICTION_COUPLING_IMPLICIT;
    return decision.coupling;
}

bool implicit_joints_wanted(const stiction_config *config, const stiction_model *model,
                            double timestep, char *why, size_t size) {
    const size_t n = stiction_model_joint_count(model);
    stiction_joint_def *defs = calloc(n + 1, sizeof *defs);
    pose_joint *joints = calloc(n + 1, sizeof *joints);
    const char *unknown = NULL;
    why[0] = '\0';
    bool implicit = true;
    if (defs && joints)
        implicit =
            decide(config, model, timestep, defs, joints, &unknown) == STICTION_COUPLING_IMPLICIT;
    free(defs);
    free(joints);
    if (!implicit || !unknown) return implicit;
    (void)snprintf(why, size,
                   "joint '%.100s': a customizer sees one joint at a time and needs its 'inertia:' "
                   "in the configuration for implicit coupling; coupling is explicit. The "
                   "StictionItem does not need it",
                   unknown);
    return false;
}

static bool make_arrays(implicit_joints *j) {
    j->mass = calloc(j->count + 1, sizeof *j->mass);
    j->dof = calloc(2 * j->count + 1, sizeof *j->dof);
    if (!j->mass || !j->dof) return false;
    j->parent = j->dof + j->count;
    for (size_t k = 0; k < j->count; k++) {
        stiction_joint_def def = stiction_joint_def_default();
        (void)stiction_state_joint(j->state, k, &def, NULL);
        /* any inertia will do for a joint without friction */
        j->mass[k] = def.inertia > 0 ? def.inertia : 1;
        j->dof[k] = (int)k;
        j->parent[k] = -1;
    }
    return true;
}

implicit_joints *implicit_joints_create(stiction_state *state, stiction_error *error) {
    implicit_joints *made = calloc(1, sizeof *made);
    *error = (stiction_error){.status = STICTION_OUT_OF_MEMORY, .message = "out of memory"};
    if (!made) return NULL;
    made->state = state;
    made->count = stiction_state_joint_count(state);
    stiction_implicit_def def = stiction_implicit_def_default();
    def.count = made->count;
    def.packed = true;
    def.constraints_later = true;
    if (make_arrays(made)) {
        def.parent = made->parent;
        if (stiction_implicit_create(&def, &made->solver, error) == STICTION_OK &&
            stiction_implicit_add(made->solver, state, made->dof, error) == STICTION_OK)
            return made;
    }
    implicit_joints_destroy(made);
    return NULL;
}

void implicit_joints_destroy(implicit_joints *joints) {
    if (!joints) return;
    stiction_implicit_destroy(joints->solver);
    free(joints->mass);
    free(joints->dof);
    free(joints);
}

stiction_status implicit_joints_step(implicit_joints *joints, double timestep,
                                     const double *position, const double *velocity,
                                     const double *command, double *friction,
                                     stiction_error *error) {
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = stiction_implicit_output_default();
    input.timestep = timestep;
    input.mass = joints->mass;
    input.velocity = velocity;
    input.force = command;
    input.position = position;
    input.effort = command;
    output.friction = friction;
    return stiction_implicit_step(joints->solver, &input, &output, error);
}
