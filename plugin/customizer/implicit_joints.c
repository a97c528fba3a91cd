/* See implicit_joints.h. */
#include "implicit_joints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct implicit_joints {
    size_t count;
    stiction_state *state;
    stiction_implicit *solver;
    double *mass; /* a matrix of trees of one joint each is its diagonal */
    int *dof, *parent;
};

/* 2 T B/M + T^2 K/M, whose limit is 4, at half of it. */
static bool is_safe(const stiction_joint_def *def, double T) {
    return def->law == NULL || strcmp(def->law, "none") == 0 ||
           (2 * def->damping + T * def->stiffness) * T <= 2 * def->inertia;
}

static stiction_joint_def joint_at(const stiction_model *model, size_t k) {
    stiction_joint_def def = stiction_joint_def_default();
    (void)stiction_model_joint(model, k, &def, NULL);
    return def;
}

bool implicit_joints_wanted(const stiction_config *config, const stiction_model *model,
                            double timestep, char *why, size_t size) {
    const stiction_coupling coupling = stiction_config_coupling(config);
    const char *unknown = NULL;
    bool safe = true;
    why[0] = '\0';
    if (coupling == STICTION_COUPLING_EXPLICIT) return false;
    for (size_t k = 0; k < stiction_model_joint_count(model); k++) {
        const stiction_joint_def def = joint_at(model, k);
        stiction_law_info info;
        (void)stiction_law_info_find(def.law, &info);
        /* auto leaves alone what it knows nothing of */
        if (coupling == STICTION_COUPLING_AUTO && info.reference) return false;
        if (!(def.inertia > 0) && strcmp(def.law, "none") != 0)
            unknown = stiction_model_joint_name(model, k);
        safe = safe && is_safe(&def, timestep);
    }
    if (coupling == STICTION_COUPLING_AUTO && (unknown || safe)) return false;
    if (!unknown) return true;
    (void)snprintf(why, size,
                   "joint '%.100s': a customizer sees one joint at a time and needs its 'inertia:' "
                   "in the configuration for implicit coupling; coupling is explicit. The "
                   "StictionItem needs none",
                   unknown);
    return false;
}

static bool make_arrays(implicit_joints *j) {
    j->mass = calloc(j->count + 1, sizeof *j->mass);
    j->dof = calloc(j->count + 1, sizeof *j->dof);
    j->parent = calloc(j->count + 1, sizeof *j->parent);
    for (size_t k = 0; j->mass && j->dof && j->parent && k < j->count; k++) {
        stiction_joint_def def = stiction_joint_def_default();
        (void)stiction_state_joint(j->state, k, &def, NULL);
        /* a joint without friction is none of this; any inertia does */
        j->mass[k] = def.inertia > 0 ? def.inertia : 1;
        j->dof[k] = (int)k;
        j->parent[k] = -1;
    }
    return j->mass && j->dof && j->parent;
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
    free(joints->parent);
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
