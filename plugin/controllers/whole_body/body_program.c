/* SPDX-License-Identifier: MIT
 * The quadratic program over accelerations a and forces f:
 *
 *     minimise   tasks + posture + force_weight |f|^2
 *     base       M a + c = J'f                        six rows
 *     contacts   J a + (dJ/dt) v = 0                  six rows a sole
 *     joints     M a + c - J'f + feed-forward         within the torque limits
 *                a                                    within velocity and joint limits
 *     forces     f >= 0
 *
 * a is what the body does where there is no friction that is not fed forward; the integral term is
 * part of it. If no solution satisfies all rows, they are relaxed in this order: joint limits,
 * velocity limits, contacts; torque limits never: a = -inv(M) c with no force and no torque keeps
 * the rest.
 */
#include <math.h>
#include <string.h>

#include "controllers/posture/joint_limits.h"
#include "controllers/qp/qp.h"
#include "whole_body_internal.h"

/* Keeps the objective strictly convex in directions that no task determines. */
static const double least_cost = 1e-6;

/* The cost of the acceleration of a contact whose rows were relaxed. */
static const double soft_contact = 1e4;

static size_t joint_of(const whole_body *w, size_t i) {
    return w->dofs[i] - w->base;
}

/* Lower triangle of `cost` times the square of a row. */
static void add_square(size_t p, double cost, const double *row, double *H, size_t stride) {
    for (size_t i = 0; i < p; i++) {
        const double factor = cost * row[i];
        if (factor == 0) continue;
        for (size_t j = 0; j <= i; j++) H[i * stride + j] += factor * row[j];
    }
}

void body_objective(whole_body *w) {
    const size_t p = w->p;
    memset(w->Ha, 0, p * p * sizeof *w->Ha);
    for (size_t i = 0; i < p; i++)
        w->Ha[i * p + i] =
            least_cost + (w->dofs[i] < w->base ? 0 : body_posture_cost(w, joint_of(w, i)));
    for (size_t k = 0; k < w->def.task_count; k++) {
        const task_rows *t = &w->tasks[k];
        for (size_t r = 0; r < t->count; r++) add_square(p, t->weight, t->J + r * p, w->Ha, p);
    }
}

void body_add_tasks(const whole_body *w, task_value value, double *g) {
    for (size_t k = 0; k < w->def.task_count; k++) {
        const task_rows *t = &w->tasks[k];
        for (size_t r = 0; r < t->count; r++)
            for (size_t i = 0; i < w->p; i++)
                g[i] -= t->weight * t->values[value][r] * t->J[r * w->p + i];
    }
}

/* After the levels of joint_limits.h. */
enum { SOFT_CONTACTS = LIMITS_NONE + 1, level_count };

static void set_objective(whole_body *w, bool soft_contacts) {
    const size_t p = w->p, n = p + w->forces;
    memset(w->H, 0, n * n * sizeof *w->H);
    memset(w->g, 0, n * sizeof *w->g);
    for (size_t i = 0; i < p; i++) memcpy(w->H + i * n, w->Ha + i * p, (i + 1) * sizeof *w->H);
    for (size_t i = p; i < n; i++) w->H[i * n + i] = w->def.force_weight;
    body_add_tasks(w, TASK_ACCELERATION, w->g);
    for (size_t i = w->base; i < p; i++) {
        const size_t joint = joint_of(w, i);
        w->g[i] -= body_posture_cost(w, joint) * (w->asked_joints[joint] + w->push[w->dofs[i]]);
    }
    for (size_t r = 0; soft_contacts && r < w->contact_rows; r++) {
        const double *row = w->contact_J + r * p;
        add_square(p, soft_contact, row, w->H, n);
        for (size_t i = 0; i < p; i++) w->g[i] -= soft_contact * w->contact_goal[r] * row[i];
    }
}

/* The row of a degree of freedom in M a + c - J'f, and the part of it that is already known. */
static double dynamics_row(const whole_body *w, step_input in, size_t dof, double *row) {
    const double *M = in->mass_matrix + dof * w->dof;
    for (size_t i = 0; i < w->p; i++) row[i] = M[w->dofs[i]];
    for (size_t f = 0; f < w->forces; f++) row[w->p + f] = -w->JtG[dof * w->most_forces + f];
    return w->bias[dof] + body_along(M, w->apart, w->dof);
}

static void set_rows(whole_body *w, step_input in) {
    const size_t p = w->p, n = p + w->forces;
    size_t row = 0;
    for (size_t i = 0; i < w->base; i++, row++) {
        const double known = dynamics_row(w, in, i, w->A + row * n);
        w->lower[row] = w->upper[row] = -known;
    }
    w->contact_row = row;
    for (size_t r = 0; r < w->contact_rows; r++, row++) {
        memcpy(w->A + row * n, w->contact_J + r * p, p * sizeof *w->A);
        memset(w->A + row * n + p, 0, w->forces * sizeof *w->A);
        w->lower[row] = w->upper[row] = w->contact_goal[r];
    }
    for (size_t i = w->base; i < p; i++, row++) {
        const size_t j = joint_of(w, i);
        const double known = dynamics_row(w, in, w->dofs[i], w->A + row * n) + w->feedforward[j];
        const double limit = w->def.posture.joints[j].torque_limit;
        w->lower[row] = -limit - known;
        w->upper[row] = limit - known;
    }
    w->motion_row = row;
    memset(w->A + row * n, 0, (n - w->base) * n * sizeof *w->A);
    for (size_t i = w->base; i < p; i++, row++) w->A[row * n + i] = 1;
    for (size_t f = 0; f < w->forces; f++, row++) {
        w->A[row * n + p + f] = 1;
        w->lower[row] = 0;
        w->upper[row] = (double)INFINITY;
    }
    w->rows = row;
}

/* The rows that can be relaxed. The feed-forward counts against the limit that it pushes to, since
 * friction may be weaker than assumed. */
static void set_motion_bounds(whole_body *w, step_input in, int at) {
    const limit_level limits = at == SOFT_CONTACTS ? LIMITS_NONE : (limit_level)at;
    for (size_t i = w->base; i < w->p; i++) {
        const size_t j = joint_of(w, i), row = w->motion_row + i - w->base;
        const joint_range range = joint_acceleration_range(&w->def.posture.joints[j], limits,
                                                           in->q[j], in->dq[j], w->def.timestep);
        w->lower[row] = range.lower - fmin(w->ahead[j], 0);
        w->upper[row] = range.upper - fmax(w->ahead[j], 0);
        if (w->lower[row] > w->upper[row])
            w->lower[row] = w->upper[row] = 0.5 * (w->lower[row] + w->upper[row]);
    }
    for (size_t r = 0; at == SOFT_CONTACTS && r < w->contact_rows; r++) {
        w->lower[w->contact_row + r] = -(double)INFINITY;
        w->upper[w->contact_row + r] = (double)INFINITY;
    }
}

/* Whether a level relaxes a row that the level before kept. */
static bool relaxes(const whole_body *w, int at) {
    if (at == SOFT_CONTACTS) return w->contact_rows > 0;
    for (size_t i = w->base; at != LIMITS_ALL && i < w->p; i++) {
        const posture_joint_def *joint = &w->def.posture.joints[joint_of(w, i)];
        if (at == LIMITS_OF_VELOCITY &&
            (isfinite(joint->lower_limit) || isfinite(joint->upper_limit)))
            return true;
        if (at == LIMITS_NONE && isfinite(joint->velocity_limit)) return true;
    }
    return at == LIMITS_ALL;
}

bool body_solve(whole_body *w, step_input in) {
    static const whole_body_event events[] = {
        [LIMITS_OF_VELOCITY] = WHOLE_BODY_RELAXED_JOINT_LIMITS,
        [LIMITS_NONE] = WHOLE_BODY_RELAXED_VELOCITY_LIMITS,
        [SOFT_CONTACTS] = WHOLE_BODY_RELAXED_CONTACTS,
    };
    const size_t n = w->p + w->forces;
    set_rows(w, in);
    /* the contacts have changed, and with them the rows */
    if (w->guessed_rows != w->rows || w->events) memset(w->active, 0, w->rows);
    w->guessed_rows = w->rows;
    for (int at = LIMITS_ALL; at < level_count; at++) {
        if (!relaxes(w, at)) continue;
        if (at == LIMITS_ALL || at == SOFT_CONTACTS) set_objective(w, at == SOFT_CONTACTS);
        set_motion_bounds(w, in, at);
        const qp_problem problem = {n, w->rows, w->H, w->g, w->A, w->lower, w->upper};
        const qp_result result = qp_solve_warm(&problem, w->active, w->x, NULL, w->workspace);
        w->view.variables = n;
        w->view.rows = w->rows;
        w->view.iterations = result.iterations;
        if (at != LIMITS_ALL) w->events |= 1u << events[at];
        if (result.status == QP_SOLVED) return true;
        if (w->def.posture.hold_infeasible) return false;
    }
    return false;
}
