/* SPDX-License-Identifier: MIT
 * One step from the forces before friction: M + T diag(damping) is the mass, MuJoCo's constraint
 * cost is added to that of friction, and both are minimised together (capi/implicit).
 */
#include "mujoco_solver/solver.h"

#include <stdlib.h>
#include <string.h>

#include "document/fail.h"

/* ---- constraints ---- */

static double evaluate(void *user, const double *velocity, double *force) {
    mujoco_solver *s = user;
    const mjModel *model = s->model;
    mjData *data = s->data;
    const double T = model->opt.timestep;
    mjtNum cost = 0;
    for (int i = 0; i < model->nv; i++) s->acceleration[i] = (velocity[i] - data->qvel[i]) / T;
    mj_mulJacVec(model, data, s->jar, s->acceleration);
    mju_subFrom(s->jar, data->efc_aref, data->nefc);
    mj_constraintUpdate(model, data, s->jar, &cost, 1);
    mju_copy(force, data->qfrc_constraint, model->nv);
    return T * cost;
}

/* The columns of a row of the constraints' Jacobian that are not zero. */
static int find_columns(const mujoco_solver *s, int i, int *columns) {
    const mjData *data = s->data;
    const int nv = s->model->nv;
    int count = 0;
    if (mj_isSparse(s->model)) {
        count = data->efc_J_rownnz[i];
        memcpy(columns, data->efc_J_colind + data->efc_J_rowadr[i],
               (size_t)count * sizeof *columns);
        return count;
    }
    for (int k = 0; k < nv; k++)
        if (data->efc_J[i * nv + k] != 0) columns[count++] = k;
    return count;
}

static void read_row(const mujoco_solver *s, int i, int count, const int *columns, double *values) {
    const mjData *data = s->data;
    if (!mj_isSparse(s->model)) {
        for (int n = 0; n < count; n++) values[n] = data->efc_J[i * s->model->nv + columns[n]];
        return;
    }
    const int first = data->efc_J_rowadr[i], own = data->efc_J_rownnz[i];
    for (int n = 0, k = 0; n < count; n++) {
        const bool is_there = k < own && data->efc_J_colind[first + k] == columns[n];
        values[n] = is_there ? data->efc_J[first + k++] : 0;
    }
}

/* The columns of all rows of a contact, in order. */
static int join_columns(mujoco_solver *s, int first, int dim, int *columns) {
    const int nv = s->model->nv;
    int *own = s->columns, *is_used = s->columns + nv, count = 0;
    memset(is_used, 0, (size_t)nv * sizeof *is_used);
    for (int i = 0; i < dim; i++)
        for (int n = find_columns(s, first + i, own); n-- > 0;) is_used[own[n]] = 1;
    for (int k = 0; k < nv; k++)
        if (is_used[k]) columns[count++] = k;
    return count;
}

/* What is not zero in the Jacobian: it stays the same for all iterations of a step. */
static void read_rows(mujoco_solver *s) {
    const mjData *data = s->data;
    const int nv = s->model->nv;
    for (int i = 0, dim; i < data->nefc; i += dim) {
        const bool is_cone = data->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC;
        dim = is_cone ? data->contact[data->efc_id[i]].dim : 1;
        int *columns = s->row_columns + (size_t)i * (size_t)nv;
        const int count = is_cone ? join_columns(s, i, dim, columns) : find_columns(s, i, columns);
        for (int k = i; k < i + dim; k++) {
            int *own = s->row_columns + (size_t)k * (size_t)nv;
            if (k > i) memcpy(own, columns, (size_t)count * sizeof *own);
            s->row_counts[k] = count;
            read_row(s, k, count, own, s->rows + (size_t)k * (size_t)nv);
        }
    }
}

/* matrix += factor a b', of which the lower triangle counts. */
static void add_product(double *matrix, int nv, double factor, int count, const int *columns,
                        const double *a, const double *b) {
    for (int i = 0; i < count; i++) {
        double *row = matrix + (size_t)columns[i] * (size_t)nv;
        const double scaled = factor * a[i];
        for (int k = 0; k <= i; k++) row[columns[k]] += scaled * b[k];
    }
}

/* The rows of one contact, which have the same columns: rows' H rows, a row of H rows at a time. */
static void add_cone(mujoco_solver *s, int first, const mjContact *contact, double *matrix) {
    const int nv = s->model->nv, dim = contact->dim, count = s->row_counts[first];
    const int *columns = s->row_columns + (size_t)first * (size_t)nv;
    const double *rows = s->rows + (size_t)first * (size_t)nv;
    double *values = s->row;
    for (int i = 0; i < dim; i++) {
        for (int n = 0; n < count; n++) values[n] = 0;
        for (int k = 0; k < dim; k++)
            for (int n = 0; n < count; n++) values[n] += contact->H[i * dim + k] * rows[k * nv + n];
        add_product(matrix, nv, 1 / s->model->opt.timestep, count, columns, rows + i * nv, values);
    }
}

static void add_curvature(void *user, double *matrix) {
    mujoco_solver *s = user;
    const mjData *data = s->data;
    const int nv = s->model->nv;
    for (int i = 0; i < data->nefc; i++) {
        if (data->efc_state[i] == mjCNSTRSTATE_QUADRATIC) {
            const double *row = s->rows + (size_t)i * (size_t)nv;
            add_product(matrix, nv, data->efc_D[i] / s->model->opt.timestep, s->row_counts[i],
                        s->row_columns + (size_t)i * (size_t)nv, row, row);
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
    s->row = calloc(n, sizeof *s->row);
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
    void *const arrays[] = {s->velocity, s->acceleration, s->position,  s->effort, s->damping,
                            s->row,      s->columns,      s->mass,      s->jar,    s->quantities,
                            s->rows,     s->row_columns,  s->row_counts};
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

/* Room for the rows of so many constraints. */
static bool has_room(mujoco_solver *s, int constraints) {
    if (constraints <= s->room) return true;
    const size_t rows = 2 * (size_t)constraints + 64, size = rows * ((size_t)s->model->nv + 1);
    double *jar = realloc(s->jar, rows * sizeof *jar);
    if (jar) s->jar = jar;
    double *values = realloc(s->rows, size * sizeof *values);
    if (values) s->rows = values;
    int *columns = realloc(s->row_columns, size * sizeof *columns);
    if (columns) s->row_columns = columns;
    int *counts = realloc(s->row_counts, rows * sizeof *counts);
    if (counts) s->row_counts = counts;
    if (!jar || !values || !columns || !counts) return false;
    s->room = (int)rows;
    return true;
}

stiction_status mujoco_solver_solve(mujoco_solver *s, const mjModel *model, mjData *data,
                                    stiction_implicit_outcome *outcome, stiction_error *error) {
    s->model = model;
    s->data = data;
    if (!has_room(s, data->nefc))
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %d constraints",
                             data->nefc);
    read_rows(s);
    mj_fwdActuation(model, data);
    mj_fwdAcceleration(model, data);
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
