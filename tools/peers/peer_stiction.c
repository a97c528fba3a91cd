/* SPDX-License-Identifier: MIT */
/* Ours, in a host of its own: MuJoCo computes the mass matrix and the other forces, the C ABI the
 * friction. */
#include <math.h>
#include <stdlib.h>

#include "chain_mjcf.h"
#include "stiction/stiction.h"

typedef struct made {
    mjModel *model;
    mjData *data;
    stiction_model *friction;
    stiction_state *state;
    stiction_implicit *implicit; /* NULL: explicit */
    double force[PEER_MOST_LINKS], out[PEER_MOST_LINKS];
} made;

static void destroy(void *of) {
    made *m = of;
    stiction_implicit_destroy(m->implicit);
    stiction_state_destroy(m->state);
    stiction_model_destroy(m->friction);
    mj_deleteData(m->data);
    mj_deleteModel(m->model);
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
    }
    if (falls) {
        def.static_torque = c->static_torque;
        def.stribeck_velocity = c->stribeck;
    }
    model_def.timestep = c->timestep;
    for (int k = 0; k < c->count; k++) {
        (void)snprintf(names[k], sizeof names[k], "J%d", k);
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
    stiction_error error;
    stiction_implicit_def def = stiction_implicit_def_default();
    if (c->static_torque > 0) without.viscous = 0; /* the law has it */
    made *m = calloc(1, sizeof *m);
    m->model = chain_compile(&without, "", "");
    m->data = mj_makeData(m->model);
    bool fine = make_friction(m, c);
    for (int k = 0; k < c->count; k++) dof[k] = k;
    def.count = (size_t)c->count;
    def.parent = m->model->dof_parentid;
    def.packed = true;
    def.rigid = rigid;
    if (fine && implicit)
        fine = stiction_implicit_create(&def, &m->implicit, &error) == STICTION_OK &&
               stiction_implicit_add(m->implicit, m->state, dof, &error) == STICTION_OK;
    if (fine) return m;
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

static void step(void *of, const double *torque) {
    made *m = of;
    const size_t count = (size_t)m->model->nv;
    const double T = m->model->opt.timestep;
    if (m->implicit) {
        stiction_implicit_input input = stiction_implicit_input_default();
        stiction_implicit_output output = stiction_implicit_output_default();
        mj_fwdPosition(m->model, m->data);
        mj_fwdVelocity(m->model, m->data);
        for (size_t k = 0; k < count; k++)
            m->force[k] = torque[k] + m->data->qfrc_passive[k] - m->data->qfrc_bias[k];
        input.timestep = T;
        input.mass = m->data->qM;
        input.velocity = m->data->qvel;
        input.force = m->force;
        output.velocity = m->out;
        if (stiction_implicit_step(m->implicit, &input, &output, NULL) != STICTION_OK)
            for (size_t k = 0; k < count; k++) m->out[k] = (double)NAN;
        memcpy(m->data->qvel, m->out, count * sizeof *m->out);
        mj_integratePos(m->model, m->data->qpos, m->data->qvel, T);
        return;
    }
    (void)stiction_step(m->state, T, m->data->qvel, m->out, NULL);
    for (size_t k = 0; k < count; k++) m->data->qfrc_applied[k] = torque[k] - m->out[k];
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

#define ROW(id, title, text, maker)                                                                \
    const peer stiction_##id = {                                                                   \
        "stiction " title, text, true, stiction_version, maker, destroy, step, read_state, place};
ROW(rigid, "implicit, rigid", "element: rigid", create_rigid)
ROW(bristle, "implicit, bristle", "stiffness and damping: auto", create_bristle)
ROW(explicit, "explicit", "stiffness and damping: auto", create_explicit)
