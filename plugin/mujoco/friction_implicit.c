/* SPDX-License-Identifier: MIT
 * Implicit friction in MuJoCo: solved as one problem with its constraints, whose convex cost of the
 * acceleration becomes a cost of the velocity after the step. Replaces MuJoCo's constraint solver
 * and its integrator, whose rounding would let a joint at rest move.
 */
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "friction_internal.h"
#include "times/times.h"

struct friction_solver {
    stiction_implicit *implicit;
    stiction_constraints constraints;
    const mjModel *model;
    mjData *data;   /* of the step */
    bool is_damped; /* a joint has MuJoCo's own damping */
    /* one entry per degree of freedom */
    joint_arrays last;
    double *velocity, *acceleration, *row;
    double *position, *effort;
    int *columns;
    double *mass; /* as qM, with damping */
    double *jar;  /* J acceleration - aref, one entry per constraint */
    int jar_size; /* MuJoCo 3 knows no bound of it before the step */
};

/* ---- constraints ---- */

static double evaluate(void *user, const double *velocity, double *force) {
    friction_solver *s = user;
    const mjModel *model = s->model;
    mjData *data = s->data;
    const double T = model->opt.timestep;
    mjtNum cost = 0;
    for (int i = 0; i < model->nv; i++) s->acceleration[i] = (velocity[i] - data->qvel[i]) / T;
    times_lap_in_step(TIMES_FRICTION);
    mj_mulJacVec(model, data, s->jar, s->acceleration);
    mju_subFrom(s->jar, data->efc_aref, data->nefc);
    mj_constraintUpdate(model, data, s->jar, &cost, 1);
    times_lap_in_step(TIMES_MUJOCO);
    mju_copy(force, data->qfrc_constraint, model->nv);
    return T * cost;
}

/* A row of the constraints' Jacobian: its columns that are not zero. */
static int read_row(const friction_solver *s, int i, int *columns, double *values) {
    const mjData *data = s->data;
    const int nv = s->model->nv;
    int count = 0;
    if (mj_isSparse(s->model)) {
        const int first = data->efc_J_rowadr[i];
        for (; count < data->efc_J_rownnz[i]; count++) {
            columns[count] = data->efc_J_colind[first + count];
            values[count] = data->efc_J[first + count];
        }
        return count;
    }
    for (int k = 0; k < nv; k++) {
        const double value = data->efc_J[i * nv + k];
        if (value == 0) continue;
        columns[count] = k;
        values[count++] = value;
    }
    return count;
}

/* matrix += factor a b', of which the lower triangle counts. */
static void add_product(double *matrix, int nv, double factor, int count, const int *columns,
                        const double *a, const double *b) {
    for (int i = 0; i < count; i++) {
        double *row = matrix + (size_t)columns[i] * (size_t)nv;
        const double scaled = factor * a[i];
        for (int k = 0; k < count && columns[k] <= columns[i]; k++)
            row[columns[k]] += scaled * b[k];
    }
}

/* The rows of one contact, whose columns are those of all of them. */
static void add_cone(friction_solver *s, int first, const mjContact *contact, double *matrix) {
    enum { most_rows = 6 };
    const int nv = s->model->nv, dim = contact->dim;
    double *rows = s->row; /* dim x nv */
    memset(rows, 0, (size_t)(most_rows * nv) * sizeof *rows);
    memset(s->columns, 0, (size_t)nv * sizeof *s->columns);
    int *const columns = s->columns + nv;
    double *const values = s->row + most_rows * nv;
    for (int i = 0; i < dim; i++) {
        const int count = read_row(s, first + i, columns, values);
        for (int k = 0; k < count; k++) {
            rows[i * nv + columns[k]] = values[k];
            s->columns[columns[k]] = 1;
        }
    }
    int used = 0;
    for (int k = 0; k < nv; k++)
        if (s->columns[k]) columns[used++] = k;
    for (int i = 0; i < dim; i++)
        for (int k = 0; k < used; k++) rows[i * nv + k] = rows[i * nv + columns[k]];
    /* rows' H rows, a row of H rows at a time */
    for (int i = 0; i < dim; i++) {
        for (int n = 0; n < used; n++) values[n] = 0;
        for (int k = 0; k < dim; k++)
            for (int n = 0; n < used; n++) values[n] += contact->H[i * dim + k] * rows[k * nv + n];
        add_product(matrix, nv, 1 / s->model->opt.timestep, used, columns, rows + i * nv, values);
    }
}

static void add_curvature(void *user, double *matrix) {
    friction_solver *s = user;
    const mjData *data = s->data;
    const int nv = s->model->nv;
    for (int i = 0; i < data->nefc; i++) {
        if (data->efc_state[i] == mjCNSTRSTATE_QUADRATIC) {
            const int count = read_row(s, i, s->columns, s->row);
            add_product(matrix, nv, data->efc_D[i] / s->model->opt.timestep, count, s->columns,
                        s->row, s->row);
        } else if (data->efc_state[i] == mjCNSTRSTATE_CONE) {
            const mjContact *contact = data->contact + data->efc_id[i];
            add_cone(s, i, contact, matrix);
            i += contact->dim - 1;
        }
    }
}

/* ---- making ---- */

static void finish_solver(void *memory) {
    friction_solver *s = memory;
    stiction_implicit_destroy(s->implicit);
    free(s->jar);
}

/* The place of its joints among the degrees of freedom of the world. */
static stiction_status add_part(friction_solver *s, const friction *f, const friction_part *part,
                                reader *r, stiction_error *error) {
    int *dof = stiction_reader_alloc(r, (part->count + 1) * sizeof *dof);
    for (size_t k = 0; k < part->count; k++) dof[k] = f->world->joints[part->first + k].velocity;
    return stiction_implicit_add(s->implicit, part->state, dof, error);
}

friction_solver *friction_solver_create(const friction *f, reader *r) {
    const mjModel *model = f->world->model;
    const size_t n = (size_t)model->nv + 1;
    friction_solver *s = stiction_reader_own(r, sizeof *s, finish_solver);
    s->model = model;
    s->constraints = (stiction_constraints){s, evaluate, add_curvature};
    double **arrays[] = {&s->velocity, &s->acceleration, &s->position, &s->effort};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = stiction_reader_alloc(r, n * sizeof(double));
    s->row = stiction_reader_alloc(r, 7 * n * sizeof *s->row);
    s->columns = stiction_reader_alloc(r, 2 * n * sizeof *s->columns);
    const size_t bytes = joint_arrays_place(&s->last, NULL, n);
    (void)joint_arrays_place(&s->last, stiction_reader_alloc(r, bytes), n);
    s->mass = stiction_reader_alloc(r, ((size_t)model->nM + 1) * sizeof *s->mass);
    for (int i = 0; i < model->nv; i++) s->is_damped = s->is_damped || model->dof_damping[i] > 0;
    stiction_implicit_def def = stiction_implicit_def_default();
    def.count = (size_t)model->nv;
    def.parent = model->dof_parentid;
    def.packed = true;
    def.rigid = f->rigid;
    stiction_error error;
    stiction_status status = stiction_implicit_create(&def, &s->implicit, &error);
    for (const friction_part *p = f->parts; p && status == STICTION_OK; p = p->next)
        if (p->coupling == STICTION_COUPLING_IMPLICIT) status = add_part(s, f, p, r, &error);
    if (status != STICTION_OK)
        stiction_reader_refuse(r, (stiction_place){0}, "coupling implicit: %s", error.message);
    return s;
}

/* ---- a step ---- */

/* MuJoCo's own damping acts at the end of a step, as its integrator has it. */
static const double *mass_of(friction_solver *s) {
    const mjModel *model = s->model;
    if (!s->is_damped) return s->data->qM;
    mju_copy(s->mass, s->data->qM, model->nM);
    for (int i = 0; i < model->nv; i++)
        s->mass[model->dof_Madr[i]] += model->opt.timestep * model->dof_damping[i];
    return s->mass;
}

static void advance(friction_solver *s) {
    const mjModel *model = s->model;
    mjData *data = s->data;
    const double T = model->opt.timestep;
    for (int i = 0; i < model->nv; i++) data->qacc[i] = (s->velocity[i] - data->qvel[i]) / T;
    if (data->nefc) (void)evaluate(s, s->velocity, s->acceleration); /* the forces of contacts */
    mju_copy(data->qvel, s->velocity, model->nv);
    mj_integratePos(model, data->qpos, data->qvel, T);
    data->time += T;
}

static void copy_outputs(friction *f, const friction_solver *s, const friction_part *part) {
    for (size_t k = part->first; k < part->first + part->count; k++) {
        const int dof = f->world->joints[k].velocity;
        f->last.torque[k] = s->last.torque[dof];
        f->last.dissipated_energy[k] = s->last.dissipated_energy[dof];
        f->last.slipping[k] = s->last.slipping[dof];
        if (part->is_modified) joint_arrays_copy_levels(&f->last, k, &s->last, (size_t)dof);
    }
}

bool friction_is_implicit(const friction *f, size_t body) {
    for (const friction_part *p = f->parts; p; p = p->next)
        if (p->body == body) return p->coupling == STICTION_COUPLING_IMPLICIT;
    return false;
}

bool friction_is_auto(const friction *f, size_t body) {
    for (const friction_part *p = f->parts; p; p = p->next)
        if (p->body == body) return p->is_auto;
    return false;
}

const char *friction_obstacle(const friction *f, size_t body) {
    for (const friction_part *p = f->parts; p; p = p->next)
        if (p->body == body) return p->obstacle;
    return NULL;
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

static bool has_room(friction_solver *s, int constraints) {
    if (constraints <= s->jar_size) return true;
    const int size = 2 * constraints + 64;
    double *jar = realloc(s->jar, (size_t)size * sizeof *jar);
    if (!jar) return false;
    s->jar = jar;
    s->jar_size = size;
    return true;
}

void friction_solver_set_inputs(const friction *f, const friction_part *part,
                                const double *command) {
    friction_solver *s = f->solver;
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
    friction_solver *s = f->solver;
    const mjModel *model = s->model;
    s->data = data;
    if (!has_room(s, data->nefc))
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %d constraints",
                             data->nefc);
    mj_fwdActuation(model, data);
    mj_fwdAcceleration(model, data);
    times_lap_in_step(TIMES_MUJOCO);
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = joint_arrays_implicit_output(&s->last);
    input.timestep = model->opt.timestep;
    input.mass = mass_of(s);
    input.velocity = data->qvel;
    input.force = data->qfrc_smooth;
    input.constraints = data->nefc ? &s->constraints : NULL;
    output.velocity = s->velocity;
    input.position = s->position;
    input.effort = s->effort;
    input.external_torque = s->last.external_torque;
    for (const friction_part *p = f->parts; p; p = p->next)
        if (p->coupling == STICTION_COUPLING_IMPLICIT) {
            (void)stiction_state_set_memory(p->state, friction_memory(p, data), NULL);
            /* the deflection that belongs to the position before the step */
            (void)stiction_state_get_deflections(p->state, f->last.deflection + p->first, NULL);
        }
    const stiction_status status = stiction_implicit_step(s->implicit, &input, &output, error);
    if (status != STICTION_OK) return status;
    f->frozen_steps += output.outcome == STICTION_IMPLICIT_FROZEN;
    for (const friction_part *p = f->parts; p; p = p->next)
        if (p->coupling == STICTION_COUPLING_IMPLICIT) {
            (void)stiction_state_get_memory(p->state, friction_memory(p, data), NULL);
            copy_outputs(f, s, p);
        }
    times_lap_in_step(TIMES_FRICTION);
    advance(s);
    return STICTION_OK;
}
