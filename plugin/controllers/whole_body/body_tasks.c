/* SPDX-License-Identifier: MIT
 * The rows of the tasks: what each asks for, kp (x_d - x) + kv (dx_d - dx) + feedforward ddx_d, and
 * its Jacobian with the columns of the program.
 */
#include <math.h>
#include <string.h>

#include "whole_body_internal.h"

/* ---- orientations as quaternions, and the rotation vectors between them ---- */

static void multiply(const double a[4], const double b[4], double to[4]) {
    const double w = a[0] * b[0] - dot3(a + 1, b + 1);
    double v[3];
    cross3(a + 1, b + 1, v);
    for (int k = 0; k < 3; k++) v[k] += a[0] * b[1 + k] + b[0] * a[1 + k];
    to[0] = w;
    for (int k = 0; k < 3; k++) to[1 + k] = v[k];
}

void turn_vector(const double q[4], const double v[3], double to[3]) {
    /* v + 2 w (u x v) + 2 u x (u x v) */
    double uv[3], uuv[3];
    cross3(q + 1, v, uv);
    cross3(q + 1, uv, uuv);
    for (int k = 0; k < 3; k++) to[k] = v[k] + 2 * (q[0] * uv[k] + uuv[k]);
}

void turn_between(const double from[4], const double to[4], double vector[3]) {
    const double back[4] = {from[0], -from[1], -from[2], -from[3]};
    double q[4];
    multiply(to, back, q);
    /* the shorter way round */
    const double sign = q[0] < 0 ? -1 : 1, length = sqrt(dot3(q + 1, q + 1));
    const double angle = 2 * atan2(length, sign * q[0]);
    const double factor = length > 1e-12 ? angle / length : 2;
    for (int k = 0; k < 3; k++) vector[k] = sign * factor * q[1 + k];
}

void turn_by(const double vector[3], const double q[4], double to[4]) {
    const double angle = sqrt(dot3(vector, vector));
    const double factor = angle > 1e-12 ? sin(angle / 2) / angle : 0.5;
    const double turn[4] = {cos(angle / 2), factor * vector[0], factor * vector[1],
                            factor * vector[2]};
    multiply(turn, q, to);
}

/* ---- the centre of mass ---- */

/*
 * The rows of the base's linear velocity contain all of it: M = m [1, -[c - p]x, ...], whose rows
 * are m times the Jacobian of the centre of mass, and the bias is m ((dJ/dt) v - gravity).
 */
body_com body_com_of(const whole_body *w, step_input in) {
    body_com c = {0};
    if (!w->base) return c;
    const double *M = in->mass_matrix;
    const size_t d = w->dof;
    c.mass = M[0];
    /* -m [r]x = m [0 rz -ry; -rz 0 rx; ry -rx 0] in columns 3 to 5 */
    const double r[3] = {M[1 * d + 5] / c.mass, M[2 * d + 3] / c.mass, M[0 * d + 4] / c.mass};
    for (size_t k = 0; k < 3; k++) {
        c.position[k] = in->position[k] + r[k];
        c.velocity[k] = body_along(M + k * d, w->v, d) / c.mass;
        c.bias[k] = in->bias[k] / c.mass + w->def.gravity[k];
    }
    return c;
}

double body_along(const double *row, const double *v, size_t count) {
    double sum = 0;
    for (size_t k = 0; k < count; k++) sum += row[k] * v[k];
    return sum;
}

/* ---- ways ---- */

/* A point of a task's path: position and orientation, with their derivatives. */
typedef struct way_point {
    double position[3], velocity[3], acceleration[3];
    double rotation[4], angular[3], angular_acceleration[3];
} way_point;

/* The end of move `index` - 1; of 0: the start. */
static void end_of(const whole_body_task *task, const task_start *start, size_t index,
                   double position[3], double rotation[4]) {
    memcpy(position, start->position, sizeof start->position);
    memcpy(rotation, start->rotation, sizeof start->rotation);
    if (index == 0) return;
    const whole_body_move *m = &task->moves[index - 1];
    for (int k = 0; k < 3; k++) position[k] = m->is_absolute ? m->to[k] : position[k] + m->to[k];
    turn_by(m->turn, start->rotation, rotation);
}

static way_point way_at(const whole_body_task *task, const task_start *start, double t) {
    way_point way = {0};
    size_t begun = 0;
    while (begun < task->move_count && task->moves[begun].time <= t) begun++;
    end_of(task, start, begun, way.position, way.rotation);
    if (begun == 0) return way;
    /* from the end of the previous move on; the share goes from 0 to 1 */
    const whole_body_move *m = &task->moves[begun - 1];
    const bool at_once = !(m->duration > 0) || task->shape == POSTURE_STEP;
    const posture_trajectory share_of = {.shape = at_once ? POSTURE_HOLD : task->shape,
                                         .from = 0,
                                         .target = 1,
                                         .time = m->time,
                                         .duration = m->duration};
    const posture_reference share = posture_trajectory_at(&share_of, t, 0);
    double from[3], from_rotation[4], turn[3], part[3];
    end_of(task, start, begun - 1, from, from_rotation);
    turn_between(from_rotation, way.rotation, turn);
    for (int k = 0; k < 3; k++) {
        const double path = way.position[k] - from[k];
        way.position[k] = from[k] + share.q * path;
        way.velocity[k] = share.dq * path;
        way.acceleration[k] = share.ddq * path;
        way.angular[k] = share.dq * turn[k];
        way.angular_acceleration[k] = share.ddq * turn[k];
        part[k] = share.q * turn[k];
    }
    turn_by(part, from_rotation, way.rotation);
    return way;
}

/* ---- rows ---- */

/* The measured state of a task: its value, its velocity and the bias of its acceleration. */
typedef struct measured {
    double position[3], rotation[4];
    double velocity[6], bias[6]; /* linear, then angular */
} measured;

static measured measure_link(const whole_body *w, step_input in, const whole_body_task *task,
                             double r[3]) {
    measured m = {0};
    const size_t l = body_link(w, task->link);
    const stiction_controller_link_state *s = &in->link_states[l];
    double spin[3], centripetal[3], tangential[3];
    turn_vector(s->rotation, task->point, r);
    for (int k = 0; k < 6; k++) {
        m.velocity[k] = body_along(in->jacobians[l] + (size_t)k * w->dof, w->v, w->dof);
        m.bias[k] = s->bias[k];
    }
    cross3(m.velocity + 3, r, spin);
    cross3(m.velocity + 3, spin, centripetal);
    cross3(m.bias + 3, r, tangential);
    for (int k = 0; k < 3; k++) {
        m.position[k] = s->position[k] + r[k];
        m.velocity[k] += spin[k];
        m.bias[k] += centripetal[k] + tangential[k];
    }
    memcpy(m.rotation, s->rotation, sizeof m.rotation);
    return m;
}

static measured measure(const whole_body *w, step_input in, const whole_body_task *task,
                        double r[3]) {
    if (task->kind != WHOLE_BODY_COM) return measure_link(w, in, task, r);
    measured m = {.rotation = {1, 0, 0, 0}};
    const body_com c = body_com_of(w, in);
    for (int k = 0; k < 3; k++) {
        m.position[k] = c.position[k];
        m.velocity[k] = c.velocity[k];
        m.bias[k] = c.bias[k];
    }
    return m;
}

void body_tasks_begin(whole_body *w, step_input in) {
    for (size_t k = 0; k < w->def.task_count; k++) {
        double r[3];
        const measured m = measure(w, in, &w->def.tasks[k], r);
        memcpy(w->starts[k].position, m.position, sizeof m.position);
        memcpy(w->starts[k].rotation, m.rotation, sizeof m.rotation);
    }
}

/* Element `column` of row `k` (0 to 2: linear of the point; 3 to 5: angular) over all dof. */
static double element(const whole_body *w, step_input in, const whole_body_task *task,
                      const double r[3], size_t k, size_t column) {
    const size_t d = w->dof;
    if (task->kind == WHOLE_BODY_COM) return in->mass_matrix[k * d + column] / in->mass_matrix[0];
    const double *J = in->jacobians[body_link(w, task->link)];
    if (k >= 3) return J[k * d + column];
    /* linear + angular x r */
    const size_t i = (k + 1) % 3, j = (k + 2) % 3;
    return J[k * d + column] + J[(3 + i) * d + column] * r[j] - J[(3 + j) * d + column] * r[i];
}

static void add_row(whole_body *w, step_input in, const whole_body_task *task, const double r[3],
                    size_t k, const double values[TASK_VALUES], task_rows *rows) {
    double *row = rows->J + rows->count * w->p, known = 0;
    for (size_t i = 0; i < w->p; i++) {
        row[i] = element(w, in, task, r, k, w->dofs[i]);
        known += row[i] * w->push[w->dofs[i]];
    }
    for (size_t i = 0; i < w->dof; i++)
        if (w->apart[i] != 0) known -= element(w, in, task, r, k, i) * w->apart[i];
    for (int v = 0; v < TASK_VALUES; v++) rows->values[v][rows->count] = values[v];
    rows->values[TASK_ACCELERATION][rows->count++] += known;
}

static void make_rows(whole_body *w, step_input in, size_t index) {
    const whole_body_task *task = &w->def.tasks[index];
    task_rows *rows = &w->tasks[index];
    double r[3] = {0}, turn[3];
    const measured m = measure(w, in, task, r);
    const way_point way = way_at(task, &w->starts[index], in->time);
    const way_point later =
        way_at(task, &w->starts[index], in->time + w->def.posture.compensation_lead);
    turn_between(m.rotation, way.rotation, turn);
    rows->count = 0;
    rows->weight = task->weight;
    const bool has_position = task->kind != WHOLE_BODY_ORIENTATION;
    const bool has_rotation = task->kind == WHOLE_BODY_ORIENTATION || task->kind == WHOLE_BODY_POSE;
    for (size_t k = 0; k < 3; k++) {
        if (!has_position || !task->axes[k]) continue;
        const double asked = task->kp * (way.position[k] - m.position[k]) +
                             task->kv * (way.velocity[k] - m.velocity[k]) +
                             task->feedforward * way.acceleration[k];
        add_row(w, in, task, r, k,
                (const double[]){asked - m.bias[k], way.velocity[k], later.velocity[k],
                                 way.position[k] - m.position[k]},
                rows);
        if (task->kind != WHOLE_BODY_COM) continue;
        w->view.com_asked[k] = asked;
        w->view.com_reference[k] = way.position[k];
    }
    for (size_t k = 0; k < 3; k++) {
        if (!has_rotation || !task->axes[k]) continue;
        const double asked = task->kp * turn[k] + task->kv * (way.angular[k] - m.velocity[3 + k]) +
                             task->feedforward * way.angular_acceleration[k];
        add_row(w, in, task, r, 3 + k,
                (const double[]){asked - m.bias[3 + k], way.angular[k], later.angular[k], turn[k]},
                rows);
    }
    if (has_rotation && task->link == 0) w->view.base_tilt = sqrt(dot3(turn, turn));
}

void body_tasks_rows(whole_body *w, step_input in) {
    for (size_t k = 0; k < w->def.task_count; k++) make_rows(w, in, k);
}
