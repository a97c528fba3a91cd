/* SPDX-License-Identifier: MIT */
/* Ours, as the embedded engine has it: MuJoCo computes the mass matrix, the other forces and the
 * contacts; friction and contacts are solved together (plugin/mujoco_solver). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mujoco_native.h"
#include "mujoco_solver/solver.h"

typedef struct made {
    mujoco_world *world;
    stiction_model *friction;
    stiction_state *state;
    mujoco_solver *solver; /* NULL: explicit */
    double least, load;    /* N m: friction without load; the load */
} made;

static const double load_factor = 0.5; /* N m of friction per N m of torque of the motor */

static void destroy(void *of) {
    made *m = of;
    mujoco_solver_destroy(m->solver);
    stiction_state_destroy(m->state);
    stiction_model_destroy(m->friction);
    mujoco_close(m->world);
    free(m);
}

/* K and B derived from the rest, as a configuration with `auto` has them. */
static bool make_friction(made *m, const chain *c) {
    char names[PEER_MOST_LINKS][16];
    const char *list[PEER_MOST_LINKS];
    stiction_error error;
    stiction_joint_def def = stiction_joint_def_default();
    stiction_model_def model_def = stiction_model_def_default();
    stiction_config *config = stiction_config_create();
    const bool falls = c->static_torque > c->coulomb_torque;
    def.law = c->static_torque > 0 ? (falls ? "stribeck" : "coulomb") : "none";
    if (c->static_torque > 0) {
        def.coulomb_torque = c->coulomb_torque;
        def.viscous = c->viscous;
        def.stiffness = def.damping = STICTION_AUTO;
        if (c->is_loaded) def.load_motor = load_factor;
    }
    if (falls) {
        def.static_torque = c->static_torque;
        def.stribeck_velocity = c->stribeck;
    }
    model_def.timestep = c->timestep;
    for (int k = 0; k < c->count; k++) {
        (void)snprintf(names[k], sizeof names[k], "%s%d", k < c->stands ? "root" : "J", k);
        list[k] = names[k];
    }
    const bool fine = stiction_config_add_joint(config, "J*", &def, &error) == STICTION_OK &&
                      stiction_model_create(config, list, (size_t)c->count, &model_def,
                                            &m->friction, &error) == STICTION_OK &&
                      stiction_state_create(m->friction, &m->state, &error) == STICTION_OK;
    if (!fine) fprintf(stderr, "peers: %s\n", error.message);
    stiction_config_destroy(config);
    return fine;
}

static void *create(const chain *c, bool implicit, bool rigid) {
    chain without = *c;
    int dof[PEER_MOST_LINKS];
    stiction_error error = {0};
    if (c->static_torque > 0) without.viscous = 0; /* the law has it */
    made *m = calloc(1, sizeof *m);
    m->world = mujoco_open(c, mujoco_text(&without, "", "", ""));
    m->least = c->coulomb_torque;
    bool fine = make_friction(m, c);
    for (int k = 0; k < c->count; k++) dof[k] = m->world->before + k;
    if (fine && implicit) {
        m->solver = mujoco_solver_create(m->world->model, rigid, &error);
        fine = m->solver &&
               stiction_implicit_add(m->solver->implicit, m->state, dof, &error) == STICTION_OK;
    }
    if (fine) return m;
    fprintf(stderr, "peers: %s\n", error.message);
    destroy(m);
    return NULL;
}

static void *create_explicit(const chain *c) {
    return create(c, false, false);
}

static void *create_bristle(const chain *c) {
    return create(c, true, false);
}

static void *create_rigid(const chain *c) {
    return create(c, true, true);
}

static void step_implicit(made *m, const double *torque) {
    const mjModel *model = m->world->model;
    mjData *data = m->world->data;
    stiction_implicit_outcome outcome;
    mj_step1(model, data);
    for (int k = 0; k < m->world->count; k++) {
        data->qfrc_applied[m->world->before + k] = torque[k];
        m->solver->effort[m->world->before + k] = m->load;
    }
    if (mujoco_solver_solve(m->solver, model, data, &outcome, NULL) != STICTION_OK)
        m->world->has_failed = true;
    mujoco_solver_find_acceleration(m->solver); /* where the next step starts from */
    mju_copy(data->qvel, m->solver->velocity, model->nv);
    mj_integratePos(model, data->qpos, data->qvel, model->opt.timestep);
    data->time += model->opt.timestep;
}

static void step(void *of, const double *torque) {
    made *m = of;
    double friction[PEER_MOST_LINKS], load[PEER_MOST_LINKS];
    if (m->solver) {
        step_implicit(m, torque);
        return;
    }
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    for (int k = 0; k < m->world->count; k++) load[k] = m->load;
    input.timestep = m->world->model->opt.timestep;
    input.velocity = m->world->data->qvel + m->world->before;
    input.effort = load;
    output.torque = friction;
    (void)stiction_step_full(m->state, &input, &output, NULL);
    for (int k = 0; k < m->world->count; k++) friction[k] = torque[k] - friction[k];
    mujoco_step(m->world, friction);
}

static void read_state(void *of, double *position, double *velocity) {
    mujoco_read(((made *)of)->world, position, velocity);
}

static void place(void *of, const double *position, const double *velocity) {
    made *m = of;
    mujoco_place(m->world, position, velocity);
    (void)stiction_state_reset(m->state, NULL);
    if (m->solver) stiction_implicit_reset(m->solver->implicit);
}

static void set_level(void *of, double level) {
    made *m = of;
    m->load = (level - m->least) / load_factor;
}

#define ROW(id, title, text, maker)                                                                \
    const peer stiction_##id = {                                                                   \
        "stiction " title, text, true,       false, stiction_version, maker,                       \
        destroy,           step, read_state, place, set_level};
ROW(rigid, "implicit, rigid", "element: rigid", create_rigid)
ROW(bristle, "implicit, bristle", "stiffness and damping: auto", create_bristle)
ROW(explicit, "explicit", "stiffness and damping: auto", create_explicit)
