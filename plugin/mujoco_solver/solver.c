/* SPDX-License-Identifier: MIT
 * One step from the forces before friction: M + T diag(damping) is the mass, MuJoCo's constraint
 * cost is added to that of friction, and both are minimised together (capi/implicit).
 */
#include "mujoco_solver/solver.h"

#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "times/times.h"

/* ---- constraints ---- */

static double evaluate(void *user, const double *velocity, double *force) {
    mujoco_solver *s = user;
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
static int read_row(const mujoco_solver *s, int i, int *columns, double *values) {
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
static void add_cone(mujoco_solver *s, int first, const mjContact *contact, double *matrix) {
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
    mujoco_solver *s = user;
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

/* The numbers of a matrix that is packed along the parents. */
static size_t packed_size(const mjModel *model) {
    size_t size = 0;
    for (int k = 0; k < model->nv; k++)
        for (int i = k; i >= 0; i = model->dof_parentid[i]) size++;
    return size;
}

static bool make_arrays(mujoco_solver *s) {
    const size_t n = (size_t)s->model->nv + 1;
    double **const arrays[] = {&s->velocity, &s->acceleration, &s->position, &s->effort,
                               &s->damping};
    bool fine = true;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = calloc(n, sizeof(double));
        fine = fine && *arrays[k];
    }
    s->row = calloc(7 * n, sizeof *s->row);
    s->columns = calloc(2 * n, sizeof *s->columns);
    s->mass = calloc(packed_size(s->model) + 1, sizeof *s->mass);
    s->quantities = calloc(1, joint_arrays_place(&s->last, NULL, n));
    if (s->quantities) (void)joint_arrays_place(&s->last, s->quantities, n);
    return fine && s->row && s->columns && s->mass && s->quantities;
}

mujoco_solver *mujoco_solver_create(const mjModel *model, bool rigid, stiction_error *error) {
    mujoco_solver *s = calloc(1, sizeof *s);
    if (s) s->model = model;
    if (!s || !make_arrays(s)) {
        mujoco_solver_destroy(s);
        (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    s->constraints = (stiction_constraints){s, evaluate, add_curvature};
    for (int i = 0; i < model->nv; i++) s->damping[i] = model->dof_damping[i];
    stiction_implicit_def def = stiction_implicit_def_default();
    def.count = (size_t)model->nv;
    def.parent = model->dof_parentid;
    def.packed = true;
    def.rigid = rigid;
    if (stiction_implicit_create(&def, &s->implicit, error) == STICTION_OK) return s;
    mujoco_solver_destroy(s);
    return NULL;
}

void mujoco_solver_destroy(mujoco_solver *s) {
    if (!s) return;
    stiction_implicit_destroy(s->implicit);
    void *const arrays[] = {s->velocity, s->acceleration, s->position, s->effort, s->damping,
                            s->row,      s->columns,      s->mass,     s->jar,    s->quantities};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    free(s);
}

/* ---- a step ---- */

/* MuJoCo's own damping acts at the end of a step, as its integrator has it. */
static const double *mass_of(mujoco_solver *s) {
    const mjModel *model = s->model;
    mujoco_pack_inertia(model, s->data, s->mass);
    double *diagonal = s->mass;
    for (int k = 0; k < model->nv; k++) {
        if (s->damping[k] > 0) *diagonal += model->opt.timestep * s->damping[k];
        for (int i = k; i >= 0; i = model->dof_parentid[i]) diagonal++;
    }
    return s->mass;
}

static bool has_room(mujoco_solver *s, int constraints) {
    if (constraints <= s->jar_size) return true;
    const int size = 2 * constraints + 64;
    double *jar = realloc(s->jar, (size_t)size * sizeof *jar);
    if (!jar) return false;
    s->jar = jar;
    s->jar_size = size;
    return true;
}

stiction_status mujoco_solver_solve(mujoco_solver *s, const mjModel *model, mjData *data,
                                    stiction_implicit_outcome *outcome, stiction_error *error) {
    s->model = model;
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
    const stiction_status status = stiction_implicit_step(s->implicit, &input, &output, error);
    *outcome = output.outcome;
    return status;
}

void mujoco_solver_find_acceleration(mujoco_solver *s) {
    const mjModel *model = s->model;
    mjData *data = s->data;
    const double T = model->opt.timestep;
    for (int i = 0; i < model->nv; i++) data->qacc[i] = (s->velocity[i] - data->qvel[i]) / T;
    if (data->nefc) (void)evaluate(s, s->velocity, s->acceleration); /* the forces of contacts */
}
