/* SPDX-License-Identifier: MIT
 * The references of the joints: their own trajectories or, without one, the motion that the tasks
 * require. The velocity that tasks and trajectories desire is resolved for all joints at once, as
 * the program resolves accelerations: the weighted least squares of all desired velocities under
 * contacts that stay where they are.
 */
#include <math.h>
#include <string.h>

#include "controllers/posture/joint_limits.h"
#include "controllers/qp/qp.h"
#include "whole_body_internal.h"

/* Whether one of these rows depends on a degree of freedom of the program. */
static bool moves(const double *J, size_t rows, size_t p, size_t i) {
    for (size_t r = 0; r < rows; r++)
        if (J[r * p + i] != 0) return true;
    return false;
}

/*
 * Which joints follow the tasks: those without a target between the base and a closed contact or
 * the link of a task. The others stay: a robot that squats does so with its
 * legs, not by raising its arms.
 */
static void find_led(whole_body *w) {
    memset(w->is_led, 0, w->n * sizeof *w->is_led);
    for (size_t i = w->base; i < w->p; i++) {
        const size_t joint = w->dofs[i] - w->base;
        const posture_trajectory *t = &w->def.posture.joints[joint].trajectory;
        bool led = moves(w->contact_J, w->contact_rows, w->p, i);
        for (size_t k = 0; k < w->def.task_count && !led; k++)
            led = w->def.tasks[k].kind != WHOLE_BODY_COM &&
                  moves(w->tasks[k].J, w->tasks[k].count, w->p, i);
        w->is_led[joint] = led && t->shape == POSTURE_HOLD && isnan(t->target);
    }
}

static posture_reference reference_of(const whole_body *w, size_t joint, double t) {
    return posture_trajectory_at(&w->def.posture.joints[joint].trajectory, t, w->start[joint]);
}

/* (50). */
static double ask(const posture_joint_def *joint, posture_reference d, double q, double dq) {
    return joint->kp * (d.q - q) + joint->kv * (d.dq - dq) + d.ddq;
}

/* Joints that are kept apart have their reference, cut to what their limits allow. */
static void ask_apart(whole_body *w, step_input in, size_t joint) {
    const posture_joint_def *def = &w->def.posture.joints[joint];
    const joint_range range =
        joint_acceleration_range(def, LIMITS_ALL, in->q[joint], in->dq[joint], w->def.timestep);
    const double asked = w->asked_joints[joint] + w->push[w->base + joint];
    w->apart[w->base + joint] = fmin(fmax(asked, range.lower), range.upper);
}

void body_references(whole_body *w, step_input in) {
    for (size_t k = 0; k < w->n; k++) {
        if (!isnan(in->target[k])) w->start[k] = in->target[k];
        w->references[k] = reference_of(w, k, in->time);
        const bool is_apart = w->def.apart && w->def.apart[k];
        w->asked_joints[k] = ask(&w->def.posture.joints[k], w->references[k], in->q[k], in->dq[k]);
        if (is_apart) ask_apart(w, in, k);
    }
}

/* Whether anything is to move. */
static bool any_motion(const whole_body *w, task_value of_task, const double *of_joints) {
    for (size_t k = 0; k < w->def.task_count; k++)
        for (size_t r = 0; r < w->tasks[k].count; r++)
            if (w->tasks[k].values[of_task][r] != 0) return true;
    for (size_t k = 0; k < w->n; k++)
        if (of_joints[k] != 0) return true;
    return false;
}

/* A joint that follows the tasks has no target: its small cost only decides how the motion is
 * distributed over the joints. */
static const double following = 1e-4;

/*
 * The least squares of what tasks (`of_task`, a row each) and joints (`of_joints`) want of a
 * velocity, or of a small displacement, under contacts that stay; in w->x, a number a degree of
 * freedom of the program. False: none was found.
 */
static bool resolve(whole_body *w, task_value of_task, const double *of_joints) {
    const size_t p = w->p;
    memcpy(w->H, w->Ha, p * p * sizeof *w->H);
    for (size_t i = 0; i < p; i++) {
        w->b[i] = 0;
        if (w->dofs[i] < w->base) continue;
        const size_t joint = w->dofs[i] - w->base;
        const double cost = body_posture_cost(w, joint);
        const double kept = w->is_led[joint] ? following * cost : cost;
        w->H[i * p + i] -= cost - kept;
        w->b[i] = -kept * of_joints[joint];
    }
    body_add_tasks(w, of_task, w->b);
    for (size_t r = 0; r < w->contact_rows; r++) w->lower[r] = w->upper[r] = 0;
    const qp_problem problem = {p, w->contact_rows, w->H, w->b, w->contact_J, w->lower, w->upper};
    return qp_solve(&problem, w->x, NULL, w->workspace).status == QP_SOLVED;
}

static bool any_led(const whole_body *w) {
    for (size_t k = 0; k < w->n; k++)
        if (w->is_led[k]) return true;
    return false;
}

/* The desired velocity of all degrees of freedom, where tasks and joints want these. */
static void find_desired(whole_body *w, task_value of_task, const double *of_joints,
                         double *desired) {
    const bool is_resolved = any_motion(w, of_task, of_joints) && resolve(w, of_task, of_joints);
    for (size_t i = 0; i < w->base; i++) desired[i] = 0;
    memcpy(desired + w->base, of_joints, w->n * sizeof *of_joints);
    if (is_resolved)
        for (size_t i = 0; i < w->p; i++) desired[w->dofs[i]] = w->x[i];
}

/* The velocities compensation_lead later, with which friction is compensated before a start from
 * rest. */
static void find_starts(whole_body *w, step_input in) {
    const posture_def *p = &w->def.posture;
    double *wanted = w->reference_dq;
    if (p->compensation != POSTURE_COMPENSATE_DESIRED) return;
    for (size_t k = 0; k < w->n; k++) {
        wanted[k] = reference_of(w, k, in->time + p->compensation_lead).dq;
        w->goal[k] = w->is_led[k] ? (double)NAN : w->references[k].q;
    }
    find_desired(w, TASK_LATER, wanted, w->later);
}

/* The positions to which the tasks lead joints: the displacement of the joints that removes the
 * errors of the tasks. What the tasks do not determine stays where the desired velocity has led
 * it. */
static void find_places(whole_body *w, step_input in) {
    double *wanted = w->reference_q;
    for (size_t k = 0; k < w->n; k++)
        wanted[k] = (w->is_led[k] ? w->start[k] + w->follows[k] : w->references[k].q) - in->q[k];
    if (!any_led(w) || !resolve(w, TASK_ERROR, wanted)) return;
    for (size_t i = w->base; i < w->p; i++) {
        const size_t joint = w->dofs[i] - w->base;
        if (w->is_led[joint]) wanted[joint] = w->x[i];
    }
}

void body_desired(whole_body *w, step_input in) {
    const double dt = w->def.timestep;
    double *before = w->coriolis; /* no longer needed in this step */
    memcpy(before, w->desired, w->dof * sizeof *before);
    find_led(w);
    find_starts(w, in);
    for (size_t k = 0; k < w->n; k++) w->reference_dq[k] = w->references[k].dq;
    find_desired(w, TASK_VELOCITY, w->reference_dq, w->desired);
    find_places(w, in);
    for (size_t k = 0; k < w->n; k++) {
        const size_t i = w->base + k;
        if (w->is_led[k]) {
            w->references[k] =
                (posture_reference){in->q[k] + w->reference_q[k], w->desired[i],
                                    w->started ? (w->desired[i] - before[i]) / dt : 0};
            w->follows[k] += dt * w->desired[i];
            w->asked_joints[k] =
                ask(&w->def.posture.joints[k], w->references[k], in->q[k], in->dq[k]);
        } else {
            w->follows[k] = 0;
        }
        w->reference_q[k] = w->references[k].q;
        w->reference_dq[k] = w->desired[i];
    }
}
