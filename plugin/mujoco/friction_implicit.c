/* SPDX-License-Identifier: MIT
 * Implicit friction in a step of the embedded engine: the memory of the joints in mjData, and the
 * solver that takes friction and constraints together (plugin/mujoco_solver).
 */
#include <stdio.h>
#include <string.h>

#include "friction_internal.h"
#include "mujoco_solver/solver.h"

/* ---- making ---- */

struct friction_solver {
    mujoco_solver *solver;
};

static void finish_solver(void *memory) {
    mujoco_solver_destroy(((friction_solver *)memory)->solver);
}

/* The place of its joints among the degrees of freedom of the world. */
static stiction_status add_part(friction_solver *s, const friction *f, const friction_part *part,
                                reader *r, stiction_error *error) {
    int *dof = stiction_reader_alloc(r, (part->count + 1) * sizeof *dof);
    for (size_t k = 0; k < part->count; k++) dof[k] = f->world->joints[part->first + k].velocity;
    return stiction_implicit_add(s->solver->implicit, part->state, dof, error);
}

friction_solver *friction_solver_create(const friction *f, reader *r) {
    friction_solver *s = stiction_reader_own(r, sizeof *s, finish_solver);
    stiction_error error;
    s->solver = mujoco_solver_create(f->world->model, f->rigid, &error);
    stiction_status status = s->solver ? STICTION_OK : error.status;
    for (const friction_part *p = f->parts; p && status == STICTION_OK; p = p->next)
        if (p->coupling == STICTION_COUPLING_IMPLICIT) status = add_part(s, f, p, r, &error);
    if (status != STICTION_OK)
        stiction_reader_refuse(r, (stiction_place){0}, "coupling implicit: %s", error.message);
    return s;
}

/* ---- a step ---- */

static void advance(mujoco_solver *s) {
    const mjModel *model = s->model;
    mjData *data = s->data;
    const double T = model->opt.timestep;
    mujoco_solver_find_acceleration(s);
    mju_copy(data->qvel, s->velocity, model->nv);
    mj_integratePos(model, data->qpos, data->qvel, T);
    data->time += T;
}

static void copy_outputs(friction *f, const mujoco_solver *s, const friction_part *part) {
    for (size_t k = part->first; k < part->first + part->count; k++) {
        const int dof = f->world->joints[k].velocity;
        f->last.torque[k] = s->last.torque[dof];
        f->last.dissipated_energy[k] = s->last.dissipated_energy[dof];
        f->last.slipping[k] = s->last.slipping[dof];
        if (part->is_modified) joint_arrays_copy_levels(&f->last, k, &s->last, (size_t)dof);
    }
}

bool friction_is_implicit(const friction *f, size_t body) {
    const friction_part *part = friction_part_of(f, body);
    return part && part->coupling == STICTION_COUPLING_IMPLICIT;
}

bool friction_is_auto(const friction *f, size_t body) {
    const friction_part *part = friction_part_of(f, body);
    return part && part->is_auto;
}

const char *friction_obstacle(const friction *f, size_t body) {
    const friction_part *part = friction_part_of(f, body);
    return part ? part->obstacle : NULL;
}

bool friction_has_implicit(const friction *f) {
    return f->solver;
}

const char *friction_coupling(const friction *f) {
    bool implicit = false, explicit = false;
    if (f->source != FRICTION_STICTION) return "none";
    for (const friction_part *p = f->parts; p; p = p->next)
        *(p->coupling == STICTION_COUPLING_IMPLICIT ? &implicit : &explicit) = true;
    return implicit ? explicit ? "both" : "implicit" : "explicit";
}

uint64_t friction_frozen_steps(const friction *f) {
    return f->frozen_steps;
}

const char *friction_frozen_where(const friction *f) {
    return f->frozen_where;
}

/* The contact that pushes most; -1: none. */
static int strongest_contact(const mjData *data) {
    int strongest = -1;
    double most = 0;
    for (int k = 0; k < data->ncon; k++) {
        const int row = data->contact[k].efc_address;
        if (row < 0 || !(data->efc_force[row] > most)) continue;
        most = data->efc_force[row];
        strongest = k;
    }
    return strongest;
}

static void note_frozen(friction *f, const mjData *data) {
    const mjModel *model = f->world->model;
    const int dof = (int)stiction_implicit_frozen_at(f->solver->solver->implicit);
    const char *joint = mj_id2name(model, mjOBJ_JOINT, model->dof_jntid[dof]);
    const int contact = strongest_contact(data);
    const int length =
        snprintf(f->frozen_where, sizeof f->frozen_where,
                 " (first at %.3g s because of joint '%.150s'", data->time, joint ? joint : "");
    const char *links[2] = {"", ""};
    for (int i = 0; i < 2 && contact >= 0; i++) {
        const mjContact *c = &data->contact[contact];
        links[i] = mj_id2name(model, mjOBJ_BODY, model->geom_bodyid[i ? c->geom2 : c->geom1]);
    }
    if (contact >= 0)
        (void)snprintf(f->frozen_where + length, sizeof f->frozen_where - (size_t)length,
                       " with '%.80s' on '%.80s')", links[0], links[1]);
    else
        (void)snprintf(f->frozen_where + length, sizeof f->frozen_where - (size_t)length, ")");
}

void friction_solver_set_inputs(const friction *f, const friction_part *part,
                                const double *command) {
    mujoco_solver *s = f->solver->solver;
    for (size_t k = part->first; k < part->first + part->count; k++) {
        const int dof = f->world->joints[k].velocity;
        s->position[dof] = f->position[k];
        s->effort[dof] = command[k];
        /* otherwise it was not read */
        if (part->needs & STICTION_NEEDS_EXTERNAL_TORQUE)
            s->last.external_torque[dof] = f->last.external_torque[k];
    }
}

stiction_status friction_solve(friction *f, mjData *data, stiction_error *error) {
    mujoco_solver *s = f->solver->solver;
    for (const friction_part *p = f->parts; p; p = p->next)
        if (p->coupling == STICTION_COUPLING_IMPLICIT) {
            (void)stiction_state_set_memory(p->state, friction_memory(p, data), NULL);
            /* the deflection that belongs to the position before the step */
            (void)stiction_state_get_deflections(p->state, f->last.deflection + p->first, NULL);
        }
    stiction_implicit_outcome outcome;
    TRY(mujoco_solver_solve(s, f->world->model, data, &outcome, error));
    if (outcome == STICTION_IMPLICIT_FROZEN && f->frozen_steps++ == 0) note_frozen(f, data);
    for (const friction_part *p = f->parts; p; p = p->next)
        if (p->coupling == STICTION_COUPLING_IMPLICIT) {
            (void)stiction_state_get_memory(p->state, friction_memory(p, data), NULL);
            copy_outputs(f, s, p);
        }
    advance(s);
    return STICTION_OK;
}
