/* SPDX-License-Identifier: MIT
 * The joint as a simulation: one step of the implicit solver moves as many independent joints as
 * there are sets of numbers, so that all derivatives cost one pass over the log.
 */
#include "output_error.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_step = 2e-3; /* s */
static const double lost = 1e3;       /* rad: a simulation that is this far away */

fit_joint fit_joint_of(const fit_problem *p, const fit_model *model) {
    fit_joint j = {.model = *model};
    size_t c = p->count;
    j.inertia = isnan(p->inertia) ? model->nuisance[c++] : p->inertia;
    if (p->gravity) j.gravity_sin = model->nuisance[c], j.gravity_cos = model->nuisance[c + 1];
    memcpy(j.offset, model->nuisance, p->count * sizeof *j.offset);
    if (!(j.inertia > 0)) j.inertia = 1e-3 * p->scale;
    return j;
}

fit_joint fit_joint_of_plain(const fit_problem *p, const fit_plain *plain) {
    fit_model m = {.law = "coulomb", .free = 0xf};
    m.theta[FIT_COULOMB] = log(fmax(plain->coulomb, 1e-6 * p->scale));
    m.theta[FIT_VISCOUS] = log(fmax(plain->viscous, 1e-6 * p->scale / p->fastest));
    m.theta[FIT_STIFFNESS] = log(1000 * p->scale);
    m.theta[FIT_DAMPING] = log(10 * p->scale);
    memcpy(m.nuisance, plain->nuisance, sizeof m.nuisance);
    return fit_joint_of(p, &m);
}

/* ---- simulation ---- */

typedef struct lanes {
    double mass[FIT_LANES], position[FIT_LANES], velocity[FIT_LANES], force[FIT_LANES],
        effort[FIT_LANES], external[FIT_LANES], temperature[FIT_LANES], next[FIT_LANES];
} lanes;

static double offset_of(const fit_problem *p, const fit_joint *j, size_t file) {
    if (!p->logs[file].held_out) return j->offset[file];
    double sum = 0, count = 0;
    for (size_t k = 0; k < p->count; k++)
        if (!p->logs[k].held_out) sum += j->offset[k], count++;
    return sum / fmax(count, 1);
}

static double between(const double *values, size_t i, double share) {
    return values[i] + share * (values[i + 1] - values[i]);
}

static bool run_file(stiction_implicit *solver, const fit_problem *p, size_t file,
                     const fit_joint *joints, size_t count, double *const *out) {
    const fit_log *log = &p->logs[file];
    const fit_motion *m = &p->motions[file];
    const double *t = log->column[LOG_TIME], *external = log->column[LOG_EXTERNAL];
    const double *temperature = log->column[LOG_TEMPERATURE];
    const double *target = log->column[LOG_TARGET], *torque = log->column[LOG_TORQUE];
    lanes at;
    memset(&at, 0, sizeof at);
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = stiction_implicit_output_default();
    input.mass = at.mass, input.velocity = at.velocity, input.force = at.force;
    input.position = at.position, input.effort = at.effort, input.external_torque = at.external;
    input.temperature = temperature ? at.temperature : NULL;
    output.velocity = at.next;
    for (size_t k = 0; k < count; k++) {
        at.mass[k] = joints[k].inertia;
        at.position[k] = m->position[0], at.velocity[k] = m->velocity[0];
        out[k][p->first[file]] = at.position[k];
    }
    stiction_error error;
    for (size_t i = 0; i + 1 < log->count; i++) {
        const size_t steps = (size_t)ceil((t[i + 1] - t[i]) / most_step - 1e-6);
        input.timestep = (t[i + 1] - t[i]) / (double)steps;
        for (size_t n = 0; n < steps; n++) {
            const double share = ((double)n + 0.5) / (double)steps;
            const double applied =
                p->controlled ? between(target, i, share) : between(torque, i, share);
            const double other = external ? between(external, i, share) : 0;
            for (size_t k = 0; k < count; k++) {
                const fit_joint *j = &joints[k];
                at.effort[k] = p->controlled
                                   ? p->kp * (applied - at.position[k]) - p->kd * at.velocity[k]
                                   : applied;
                at.external[k] = other;
                at.force[k] = at.effort[k] + other - offset_of(p, j, file) -
                              j->gravity_sin * sin(at.position[k]) -
                              j->gravity_cos * cos(at.position[k]);
                if (temperature) at.temperature[k] = between(temperature, i, share);
            }
            if (stiction_implicit_step(solver, &input, &output, &error) != STICTION_OK)
                return false;
            for (size_t k = 0; k < count; k++) {
                at.position[k] += input.timestep * at.next[k];
                at.velocity[k] = at.next[k];
                if (fabs(at.position[k]) > lost) at.position[k] = lost, at.velocity[k] = 0;
            }
        }
        for (size_t k = 0; k < count; k++) out[k][p->first[file] + i + 1] = at.position[k];
    }
    return true;
}

/* Positions at every sample, of held-out files only if `all`. */
static bool move(fit_simulator *s, const fit_problem *p, const fit_joint *joints, size_t count,
                 bool all, double *const *out) {
    fit_model models[FIT_LANES];
    int dof[FIT_LANES], parent[FIT_LANES];
    for (size_t k = 0; k < count; k++) models[k] = joints[k].model, dof[k] = (int)k, parent[k] = -1;
    stiction_state *state = fit_state(s, p, models, count);
    if (!state) return false;
    stiction_implicit_def def = stiction_implicit_def_default();
    def.count = count, def.parent = parent, def.packed = true;
    double *zeros = allocate(stiction_state_memory_size(state), sizeof *zeros);
    stiction_implicit *solver = NULL;
    stiction_error error;
    bool fine = stiction_implicit_create(&def, &solver, &error) == STICTION_OK &&
                stiction_implicit_add(solver, state, dof, &error) == STICTION_OK;
    for (size_t file = 0; file < p->count && fine; file++) {
        if (p->logs[file].held_out && !all) continue;
        fine = stiction_state_set_memory(state, zeros, &error) == STICTION_OK;
        stiction_implicit_reset(solver);
        fine = fine && run_file(solver, p, file, joints, count, out);
    }
    free(zeros);
    stiction_implicit_destroy(solver);
    return fine;
}

static bool subtract_logged(const fit_problem *p, double *position) {
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++)
            position[p->first[file] + i] -= p->logs[file].column[LOG_POSITION][i];
    return true;
}

bool fit_motion_error(fit_simulator *s, const fit_problem *p, const fit_joint *joint,
                      double *error) {
    return move(s, p, joint, 1, true, &error) && subtract_logged(p, error);
}

/* ---- the search ---- */

enum { most_numbers = FIT_PARAMETER_COUNT + 3 + FIT_NUISANCES };

/* A number that is searched. */
typedef struct number {
    size_t place; /* in the fit_joint, bytes */
    bool is_log;  /* its logarithm is searched */
    bool is_torque;
} number;

static const double small_step = 1e-3;

typedef struct search {
    fit_simulator *s;
    fit_problem *p;
    const fit_joint *start;
    number numbers[most_numbers];
    size_t count, rows;
    double *lanes[FIT_LANES];
    bool failed;
} search;

static double *number_in(fit_joint *j, const number *n) {
    return (double *)(void *)((char *)j + n->place);
}

static void add_number(search *t, size_t place, bool is_log, bool is_torque) {
    t->numbers[t->count++] = (number){place, is_log, is_torque};
}

/* The motion hardly depends on the bristle, which stays as it is. */
static unsigned searched(const fit_joint *j) {
    return j->model.free & ~(FIT_BIT(FIT_STIFFNESS) | FIT_BIT(FIT_DAMPING));
}

static void list_numbers(search *t) {
    const fit_problem *p = t->p;
    for (size_t k = 0; k < FIT_PARAMETER_COUNT; k++)
        if (searched(t->start) & FIT_BIT(k))
            add_number(t, offsetof(fit_joint, model.theta) + k * sizeof(double), false, false);
    if (isnan(p->inertia)) add_number(t, offsetof(fit_joint, inertia), true, false);
    if (p->gravity) {
        add_number(t, offsetof(fit_joint, gravity_sin), false, true);
        add_number(t, offsetof(fit_joint, gravity_cos), false, true);
    }
    for (size_t k = 0; k < p->count; k++)
        if (!p->logs[k].held_out)
            add_number(t, offsetof(fit_joint, offset) + k * sizeof(double), false, true);
}

/* Torques are searched in units of typical friction, which makes all numbers comparable. */
static double unit(const search *t, const number *n) {
    return n->is_torque ? t->p->scale : 1;
}

static void set_number(const search *t, fit_joint *j, const number *n, double x) {
    *number_in(j, n) = n->is_log ? exp(x) : x * unit(t, n);
}

static double get_number(const search *t, fit_joint *j, const number *n) {
    const double value = *number_in(j, n);
    return n->is_log ? log(value) : value / unit(t, n);
}

static fit_joint joint_at(const search *t, const gsl_vector *x) {
    fit_joint j = *t->start;
    for (size_t n = 0; n < t->count; n++) set_number(t, &j, &t->numbers[n], gsl_vector_get(x, n));
    return j;
}

static int value_of(const gsl_vector *x, void *context, gsl_vector *f) {
    search *t = context;
    const fit_joint j = joint_at(t, x);
    if (!move(t->s, t->p, &j, 1, false, t->lanes)) {
        t->failed = true;
        return GSL_EDOM;
    }
    (void)subtract_logged(t->p, t->lanes[0]);
    for (size_t k = 0, row = 0; k < t->p->samples; k++)
        if (t->p->weight[k] > 0) gsl_vector_set(f, row++, t->lanes[0][k]);
    return GSL_SUCCESS;
}

/* As many columns at a time as there are lanes, the first of which is the point itself. */
static int slope_of(const gsl_vector *x, void *context, gsl_matrix *jacobian) {
    search *t = context;
    fit_joint *joints = allocate(FIT_LANES, sizeof *joints);
    bool fine = true;
    for (size_t first = 0; first < t->count && fine; first += FIT_LANES - 1) {
        const size_t left = t->count - first, count = left < FIT_LANES - 1 ? left : FIT_LANES - 1;
        for (size_t n = 0; n <= count; n++) joints[n] = joint_at(t, x);
        for (size_t n = 0; n < count; n++) {
            const number *of = &t->numbers[first + n];
            set_number(t, &joints[n + 1], of, gsl_vector_get(x, first + n) + small_step);
        }
        fine = move(t->s, t->p, joints, count + 1, false, t->lanes);
        for (size_t n = 0; n < count && fine; n++) {
            for (size_t k = 0, row = 0; k < t->p->samples; k++)
                if (t->p->weight[k] > 0)
                    gsl_matrix_set(jacobian, row++, first + n,
                                   (t->lanes[n + 1][k] - t->lanes[0][k]) / small_step);
        }
    }
    free(joints);
    t->failed = t->failed || !fine;
    return fine ? GSL_SUCCESS : GSL_EDOM;
}

/* From blocks of time, whose errors are correlated: normal^-1 meat normal^-1. */
static void covariance_of(const search *t, const gsl_matrix *jacobian, const gsl_vector *residual,
                          double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT]) {
    const size_t n = t->count;
    gsl_matrix *normal = must_have(gsl_matrix_calloc(n, n)),
               *meat = must_have(gsl_matrix_calloc(n, n)),
               *half = must_have(gsl_matrix_alloc(n, n)),
               *whole = must_have(gsl_matrix_alloc(n, n));
    gsl_vector *score = must_have(gsl_vector_calloc(n));
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, jacobian, jacobian, 0, normal);
    double largest = 0;
    for (size_t a = 0; a < n; a++) largest = fmax(largest, gsl_matrix_get(normal, a, a));
    for (size_t a = 0; a < n; a++) *gsl_matrix_ptr(normal, a, a) += 1e-9 * largest;
    int block = -1;
    for (size_t k = 0, row = 0; k <= t->p->samples; k++) {
        if (k == t->p->samples || (t->p->block[k] != block && block >= 0)) {
            gsl_blas_dger(1, score, score, meat);
            gsl_vector_set_zero(score);
        }
        if (k == t->p->samples) break;
        block = t->p->block[k];
        if (!(t->p->weight[k] > 0)) continue;
        const gsl_vector_const_view of = gsl_matrix_const_row(jacobian, row);
        gsl_blas_daxpy(gsl_vector_get(residual, row++), &of.vector, score);
    }
    if (gsl_linalg_cholesky_decomp1(normal) == GSL_SUCCESS &&
        gsl_linalg_cholesky_invert(normal) == GSL_SUCCESS) {
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, normal, meat, 0, half);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, half, normal, 0, whole);
        size_t index[FIT_PARAMETER_COUNT], free_count = 0;
        for (size_t k = 0; k < FIT_PARAMETER_COUNT; k++)
            if (searched(t->start) & FIT_BIT(k)) index[free_count++] = k;
        for (size_t a = 0; a < free_count; a++)
            for (size_t k = 0; k < FIT_PARAMETER_COUNT; k++)
                covariance[index[a]][k] = covariance[k][index[a]] = 0;
        for (size_t a = 0; a < free_count; a++)
            for (size_t b = 0; b < free_count; b++)
                covariance[index[a]][index[b]] = gsl_matrix_get(whole, a, b);
    }
    gsl_matrix_free(normal), gsl_matrix_free(meat), gsl_matrix_free(half), gsl_matrix_free(whole);
    gsl_vector_free(score);
}

bool fit_motion_estimate(fit_simulator *s, fit_problem *p, fit_joint *joint,
                         double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT]) {
    enum { iterations = 25 };
    fit_joint best = *joint;
    search t = {.s = s, .p = p, .start = &best};
    list_numbers(&t);
    for (size_t k = 0; k < p->samples; k++) t.rows += p->weight[k] > 0;
    for (size_t k = 0; k < FIT_LANES; k++) t.lanes[k] = allocate(p->samples, sizeof(double));
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    parameters.solver = gsl_multifit_nlinear_solver_cholesky;
    gsl_multifit_nlinear_workspace *w = must_have(
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, t.rows, t.count));
    gsl_multifit_nlinear_fdf fdf = {
        .f = value_of, .df = slope_of, .n = t.rows, .p = t.count, .params = &t};
    gsl_vector *x = must_have(gsl_vector_alloc(t.count));
    for (size_t n = 0; n < t.count; n++) gsl_vector_set(x, n, get_number(&t, joint, &t.numbers[n]));
    bool fine = gsl_multifit_nlinear_init(x, &fdf, w) == GSL_SUCCESS && !t.failed;
    if (fine) {
        double last = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w));
        for (size_t k = 0; k < iterations && !t.failed; k++) {
            if (gsl_multifit_nlinear_iterate(w) != GSL_SUCCESS || t.failed) break;
            const double now = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w));
            if (now > last * (1 - 1e-4)) break;
            last = now;
        }
        t.failed = false;
        *joint = joint_at(&t, gsl_multifit_nlinear_position(w));
        joint->model.rms = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w)) / sqrt((double)t.rows);
        if (covariance)
            covariance_of(&t, gsl_multifit_nlinear_jac(w), gsl_multifit_nlinear_residual(w),
                          covariance);
    }
    gsl_vector_free(x);
    gsl_multifit_nlinear_free(w);
    for (size_t k = 0; k < FIT_LANES; k++) free(t.lanes[k]);
    return fine;
}
