/* SPDX-License-Identifier: MIT
 * Which coupling auto takes in a simulation, and a warning where explicit friction is not stable at
 * the start.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "document/auto.h"
#include "document/fail.h"
#include "simulation_internal.h"
#include "stability/stability.h"

/* A body that is judged. */
typedef struct body_judge {
    const simulation_parts *parts;
    const world_body *of;
    size_t body, n;
    double *mobility;          /* n x n: the inverse mass matrix */
    double *column;            /* one entry per degree of freedom of the world */
    stability_spring *springs; /* one entry per joint, as these */
    pose_joint *joints;
    stability_joint *judged;
} body_judge;

/* A body that cannot be judged counts as unsafe, but if memory is missing the caller must know. */
static stiction_status note_memory(const simulation_parts *parts, stiction_status status) {
    if (status == STICTION_OUT_OF_MEMORY && parts->no_memory) *parts->no_memory = true;
    return status;
}

static void end_judge(body_judge *j) {
    free(j->mobility);
    free(j->springs);
    free(j->joints);
    free(j->judged);
}

static stiction_status begin_judge(body_judge *j, const simulation_parts *parts, size_t body,
                                   stiction_error *error) {
    const world *w = parts->world;
    const size_t n = w->bodies[body].joint_count;
    *j = (body_judge){.parts = parts, .of = &w->bodies[body], .body = body, .n = n};
    j->mobility = calloc(n * n + (size_t)w->model->nv + 1, sizeof *j->mobility);
    j->springs = calloc(n + 1, sizeof *j->springs);
    j->joints = calloc(n + 1, sizeof *j->joints);
    j->judged = calloc(n + 1, sizeof *j->judged);
    if (!j->mobility || !j->springs || !j->joints || !j->judged)
        return note_memory(parts, stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory"));
    j->column = j->mobility + n * n;
    for (size_t k = 0; k < n; k++) {
        const world_joint *joint = &w->joints[j->of->first_joint + k];
        j->springs[k] = stability_spring_of(friction_joint(parts->friction, j->of->first_joint + k),
                                            w->model->opt.timestep);
        j->joints[k] = (pose_joint){joint->name, joint->prismatic, joint->lower, joint->upper};
    }
    return STICTION_OK;
}

/* Columns of the joints' block of the inverse mass matrix of the whole world. */
static void fill_columns(const body_judge *j, size_t first, size_t count, double *columns) {
    const world *w = j->parts->world;
    const world_joint *joints = w->joints + j->of->first_joint;
    for (size_t k = 0; k < count; k++) {
        mju_zero(j->column, w->model->nv);
        j->column[joints[first + k].velocity] = 1;
        mj_solveM(w->model, j->parts->data, j->column, j->column, 1);
        for (size_t i = 0; i < j->n; i++) columns[k * j->n + i] = j->column[joints[i].velocity];
    }
}

/* ---- warnings ---- */

/* RK4 is stable for a damper up to T B/M = 2.785 where Euler's rule is up to 2, and for a spring up
 * to T^2 K/M = 8 and 4: about as Euler's rule with a time step that is shorter by this factor. */
static const double rk4_as_euler = 2 / 2.785293563;

/* The joint with the largest stability number if the body is not stable at the pose of the data;
 * the joint count if it is. One joint is reported for all. */
static size_t find_culprit(const body_judge *j) {
    fill_columns(j, 0, j->n, j->mobility);
    const robot_mobility here = {.joint_count = j->n, .pose_count = 1, .matrices = j->mobility};
    const mjOption *option = &j->parts->world->model->opt;
    const double factor = option->integrator == mjINT_RK4 ? rk4_as_euler : 1;
    stability_body whole;
    const stiction_status status =
        stability_judge(&here, j->springs, factor * option->timestep, j->judged, &whole, NULL);
    if (note_memory(j->parts, status) != STICTION_OK || whole.stable) return j->n;
    size_t worst = 0;
    for (size_t k = 1; k < j->n; k++)
        if (j->judged[k].number > j->judged[worst].number) worst = k;
    return worst;
}

static const char *label_of(const body_judge *j, size_t joint) {
    return j->parts->world->joints[j->of->first_joint + joint].label;
}

/* False: there is nothing to warn of. */
static bool find_warning(const body_judge *j, char *message, size_t size) {
    if (j->n > STABILITY_MOST_JOINTS) {
        (void)snprintf(message, size,
                       "'%.200s': explicit friction is not judged of more than %d joints, and may "
                       "chatter",
                       j->of->source->name, STABILITY_MOST_JOINTS);
        return true;
    }
    const size_t culprit = find_culprit(j);
    if (culprit == j->n) return false;
    const stability_verdict verdict = j->judged[culprit].verdict;
    (void)snprintf(
        message, size,
        "joint '%.200s': friction %s at this time step and may chatter; "
        "`stiction check CONFIG --body %.200s` says what would hold",
        label_of(j, culprit),
        stability_verdict_clause(verdict > STABILITY_STABLE ? verdict : STABILITY_TOGETHER),
        j->of->source->file->path);
    return true;
}

static bool is_stopped(const simulation_parts *parts) {
    return parts->is_stopped && parts->is_stopped();
}

void simulation_warn_unstable(const simulation_parts *parts, stiction_log log, void *log_user) {
    for (size_t k = 0; k < parts->world->body_count; k++) {
        char message[700], line[1400];
        AUTO(end_judge) body_judge j = {.n = 0};
        if (!friction_acts_on(parts->friction, k) || friction_is_implicit(parts->friction, k) ||
            is_stopped(parts) || begin_judge(&j, parts, k, NULL) != STICTION_OK)
            continue;
        if (!find_warning(&j, message, sizeof message)) continue;
        const char *obstacle = friction_obstacle(parts->friction, k);
        (void)snprintf(line, sizeof line, "%s%s%s", message,
                       obstacle ? "; auto cannot take implicit coupling: " : "",
                       obstacle ? obstacle : "");
        log(log_user, STICTION_LOG_WARNING, line);
    }
}

/* ---- which coupling ---- */

static stiction_status set_pose(const body_judge *j, const double *positions,
                                stiction_error *error) {
    const world *w = j->parts->world;
    mjData *data = j->parts->data;
    if (is_stopped(j->parts))
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "the run was interrupted before its start");
    for (size_t k = 0; k < j->n; k++)
        data->qpos[w->joints[j->of->first_joint + k].position] = positions[k];
    mj_kinematics(w->model, data);
    mj_comPos(w->model, data);
    mujoco_compute_inertia(w->model, data);
    mj_factorM(w->model, data);
    return STICTION_OK;
}

/* A pose_columns. */
static stiction_status find_columns(void *host, const double *positions, size_t first, size_t count,
                                    double *columns, stiction_error *error) {
    const stiction_status status = set_pose(host, positions, error);
    if (status == STICTION_OK) fill_columns(host, first, count, columns);
    return status;
}

stiction_status simulation_judge(const void *user, size_t body, coupling_decision *decision,
                                 stiction_error *error) {
    const simulation_parts *parts = user;
    const mjModel *model = parts->world->model;
    AUTO(end_judge) body_judge j;
    stiction_status status = begin_judge(&j, parts, body, error);
    if (status != STICTION_OK) return status;
    size_t dof_count = 0;
    for (size_t k = 0; k < j.of->link_count; k++)
        dof_count += (size_t)model->body_dofnum[(size_t)j.of->root + k];
    const coupling_robot robot = {{j.joints, j.n, dof_count, find_columns, &j},
                                  .friction = friction_joint(parts->friction, j.of->first_joint),
                                  .timestep = model->opt.timestep,
                                  .rk4 = model->opt.integrator == mjINT_RK4};
    status = coupling_decide(STICTION_COUPLING_AUTO, &robot, NULL, NULL, decision, error);
    mj_resetDataKeyframe(model, parts->data, 0);
    if (parts->controllers) controllers_start(parts->controllers, parts->data);
    mj_forward(model, parts->data);
    return status;
}
