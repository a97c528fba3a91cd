/* SPDX-License-Identifier: MIT
 * The whole-body controller: made, reset, freed, and its step from part to part. What allocates is
 * here.
 */
#include "whole_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controllers/qp/qp.h"
#include "document/fail.h"
#include "whole_body_internal.h"

/* ---- making ---- */

/* An array of a controller, cut from one block that is counted first. */
typedef struct cutter {
    char *block; /* NULL: counting */
    size_t used;
} cutter;

static void *cut(cutter *c, size_t count, size_t size) {
    void *part = c->block ? c->block + c->used : NULL;
    c->used += (count * size + 15) / 16 * 16;
    return part;
}

#define CUT(field, count) (field = cut(c, (count), sizeof *(field)))

static void cut_all(whole_body *w, cutter *c) {
    const size_t n = w->n, d = w->dof, p = w->p, forces = w->most_forces;
    const size_t most = p + forces, rows = w->base + w->most_contact_rows + 2 * n + forces;
    CUT(w->dofs, p);
    CUT(w->starts, w->def.task_count);
    CUT(w->contacts, w->def.contact_count);
    CUT(w->tasks, w->def.task_count);
    for (size_t k = 0; k < w->def.task_count; k++) {
        double *J = cut(c, most_task_rows * p, sizeof(double));
        if (J) w->tasks[k].J = J;
    }
    CUT(w->generator_contact, forces);
    CUT(w->references, n);
    CUT(w->is_led, n);
    double **const of_joints[] = {&w->start,           &w->follows,     &w->led,
                                  &w->last_torque,     &w->feedforward, &w->ahead,
                                  &w->integral_torque, &w->reference_q, &w->reference_dq,
                                  &w->asked_joints,    &w->goal,        &w->external};
    double **const of_dof[] = {&w->desired, &w->later, &w->integral, &w->v,    &w->a,
                               &w->push,    &w->bias,  &w->coriolis, &w->apart};
    for (size_t k = 0; k < sizeof of_joints / sizeof of_joints[0]; k++) CUT(*of_joints[k], n);
    for (size_t k = 0; k < sizeof of_dof / sizeof of_dof[0]; k++) CUT(*of_dof[k], d);
    CUT(w->last_M, d * d);
    CUT(w->contact_J, w->most_contact_rows * p);
    CUT(w->contact_goal, w->most_contact_rows);
    CUT(w->generators, forces * 6);
    CUT(w->JtG, d * forces);
    CUT(w->H, most * most);
    CUT(w->Ha, p * p);
    CUT(w->g, most);
    CUT(w->b, p);
    CUT(w->x, most);
    CUT(w->A, rows * most);
    CUT(w->lower, rows);
    CUT(w->upper, rows);
    CUT(w->active, rows);
    w->workspace = cut(c, qp_workspace_size(most, rows), 1);
}

static void count_sizes(whole_body *w) {
    w->n = w->def.posture.joint_count;
    w->base = w->def.floating ? 6 : 0;
    w->dof = w->p = w->n + w->base;
    for (size_t k = 0; w->def.apart && k < w->n; k++) w->p -= w->def.apart[k];
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const size_t corners = w->def.contacts[k].corner_count;
        w->most_forces += corners * WHOLE_BODY_GENERATORS;
        w->most_contact_rows += corners == 1 ? 3 : 6;
    }
}

static void number_dofs(whole_body *w) {
    size_t p = 0;
    for (size_t i = 0; i < w->dof; i++)
        if (i < w->base || !w->def.apart || !w->def.apart[i - w->base]) w->dofs[p++] = i;
}

stiction_status whole_body_create(const whole_body_def *def, whole_body **body,
                                  stiction_error *error) {
    whole_body *w = calloc(1, sizeof *w);
    cutter c = {0};
    *body = NULL;
    if (w) {
        w->def = *def;
        count_sizes(w);
        cut_all(w, &c);
        c = (cutter){.block = calloc(1, c.used + 16)};
    }
    if (!w || !c.block) {
        free(w);
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the controller");
    }
    w->block = c.block;
    cut_all(w, &c);
    number_dofs(w);
    whole_body_reset(w);
    *body = w;
    return STICTION_OK;
}

void whole_body_destroy(whole_body *body) {
    if (body) free(body->block);
    free(body);
}

const whole_body_def *whole_body_definition(const whole_body *body) {
    return &body->def;
}

void whole_body_reset(whole_body *w) {
    double *const of_joints[] = {w->follows, w->led, w->last_torque};
    double *const of_dof[] = {w->desired, w->later, w->integral};
    w->started = w->has_last_M = false;
    w->guessed_rows = 0;
    compensation_reset(w->def.friction);
    memset(w->counts, 0, sizeof w->counts);
    w->view = (whole_body_view){.cop = {(double)NAN, (double)NAN}};
    for (size_t k = 0; k < sizeof of_joints / sizeof of_joints[0]; k++)
        memset(of_joints[k], 0, w->n * sizeof(double));
    for (size_t k = 0; k < sizeof of_dof / sizeof of_dof[0]; k++)
        memset(of_dof[k], 0, w->dof * sizeof(double));
}

/* ---- a step ---- */

static bool usable(size_t count, const double *values) {
    if (!values) return false;
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k])) return false;
    return true;
}

static bool input_is_usable(const whole_body *w, step_input in) {
    const size_t d = w->dof;
    bool fine = isfinite(in->time) && in->joint_count == w->n && in->dof == d &&
                usable(w->n, in->q) && usable(w->n, in->dq) && usable(3, in->position) &&
                usable(4, in->rotation) && usable(3, in->linear) && usable(3, in->angular) &&
                usable(d * d, in->mass_matrix) && usable(d, in->bias);
    fine = fine && (w->def.link_count == 0 || (in->jacobians && in->link_states));
    for (size_t k = 0; fine && k < w->def.link_count; k++) {
        const stiction_controller_link_state *s = &in->link_states[k];
        fine = usable(6 * d, in->jacobians[k]) && usable(3, s->position) &&
               usable(4, s->rotation) && usable(6, s->bias);
    }
    return fine;
}

static void take_velocities(whole_body *w, step_input in) {
    for (size_t k = 0; w->base && k < 3; k++) {
        w->v[k] = in->linear[k];
        w->v[3 + k] = in->angular[k];
    }
    memcpy(w->v + w->base, in->dq, w->n * sizeof *w->v);
}

static void begin(whole_body *w, step_input in) {
    memcpy(w->start, in->q, w->n * sizeof *w->start);
    body_integral_begin(w);
    body_tasks_begin(w, in);
}

/* Accelerations and torques of the solution; false: not finite. */
static bool take_solution(whole_body *w, step_input in, double *torque) {
    const size_t d = w->dof;
    memcpy(w->a, w->apart, d * sizeof *w->a);
    for (size_t i = 0; i < w->p; i++) w->a[w->dofs[i]] = w->x[i];
    const double *f = w->x + w->p;
    for (size_t k = 0; k < w->n; k++) {
        const size_t i = w->base + k;
        const double limit = w->def.posture.joints[k].torque_limit;
        const double whole = body_along(in->mass_matrix + i * d, w->a, d) + w->bias[i] +
                             w->feedforward[k] -
                             body_along(w->JtG + i * w->most_forces, f, w->forces);
        if (!isfinite(whole)) return false;
        torque[k] = fmin(fmax(whole, -limit), limit);
        /* a row at its bound misses it by rounding: that is not clamped */
        if (fabs(torque[k] - whole) > 1e-9 * limit) w->events |= 1u << WHOLE_BODY_CLAMPED;
    }
    return true;
}

/* Keeps the solution for records. */
static void record_solution(whole_body *w, step_input in) {
    whole_body_view *view = &w->view;
    const body_com c = body_com_of(w, in);
    double force = 0, moment[2] = {0};
    view->mass = c.mass;
    for (size_t k = 0; w->base && k < 3; k++) {
        view->com[k] = c.position[k];
        view->com_velocity[k] = c.velocity[k];
        view->com_planned[k] =
            body_along(in->mass_matrix + k * w->dof, w->a, w->dof) / c.mass + c.bias[k];
    }
    for (size_t f = 0; f < w->forces; f++) {
        const double *g = w->generators + 6 * f, x = w->x[w->p + f];
        const size_t link = w->def.contacts[w->generator_contact[f]].link;
        const double *at = in->link_states[body_link(w, link)].position;
        double about[3];
        cross3(at, g, about);
        force += x * g[2];
        moment[0] -= x * (g[4] + about[1]);
        moment[1] += x * (g[3] + about[0]);
    }
    for (int k = 0; k < 2; k++) view->cop[k] = force > 1 ? moment[k] / force : (double)NAN;
    view->closed = w->closed;
}

/* False: the last torque is kept. */
static bool control(whole_body *w, step_input in, double *torque) {
    take_velocities(w, in);
    if (!w->started) begin(w, in);
    body_integral_push(w, in);
    body_references(w, in);
    body_tasks_rows(w, in);
    body_contacts_detect(w, in);
    body_contacts_rows(w, in);
    body_objective(w);
    body_desired(w, in);
    body_feedforward(w, in);
    if (!body_solve(w, in) || !take_solution(w, in, torque)) return false;
    record_solution(w, in);
    body_integral_advance(w, in);
    return true;
}

void whole_body_step(whole_body *w, const stiction_controller_input *in, double *torque) {
    w->events = 0;
    if (!input_is_usable(w, in)) {
        memset(torque, 0, w->n * sizeof *torque);
        w->events = 1u << WHOLE_BODY_FAULT;
    } else {
        if (control(w, in, torque)) {
            memcpy(w->last_torque, torque, w->n * sizeof *torque);
        } else {
            memcpy(torque, w->last_torque, w->n * sizeof *torque);
            w->events |= 1u << WHOLE_BODY_HELD;
        }
        w->started = true;
    }
    for (size_t k = 0; k < WHOLE_BODY_EVENTS; k++) w->counts[k] += w->events >> k & 1;
}

uint64_t whole_body_count(const whole_body *body, whole_body_event event) {
    return body->counts[event];
}

double whole_body_task_error(const whole_body *w, size_t task) {
    const task_rows *rows = &w->tasks[task];
    const bool is_pose = w->def.tasks[task].kind == WHOLE_BODY_POSE;
    double sum = 0;
    for (size_t r = 0; r < (is_pose ? rows->count / 2 : rows->count); r++)
        sum += rows->values[TASK_ERROR][r] * rows->values[TASK_ERROR][r];
    return sqrt(sum);
}

whole_body_view whole_body_last_step(const whole_body *w) {
    whole_body_view view = w->view;
    view.acceleration = w->a;
    view.reference = w->reference_q;
    view.reference_velocity = w->reference_dq;
    view.integral_torque = w->integral_torque;
    view.feedforward = w->feedforward;
    return view;
}
