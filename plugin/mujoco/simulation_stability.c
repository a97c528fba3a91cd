/* SPDX-License-Identifier: MIT
 * Which coupling auto takes in a simulation, and a warning where explicit friction is not stable at
 * the start, under the integrator and with the gains of the controllers.
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
    double *mobility, *stiffness, *damping; /* n x n: the inverse mass matrix, the gains */
    double *ratios, *start;                 /* one entry per joint */
    double *column;                         /* one entry per degree of freedom of the world */
    stability_spring *springs;              /* one entry per joint */
    pose_joint *joints;                     /* one entry per joint */
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
}

static stiction_status begin_judge(body_judge *j, const simulation_parts *parts, size_t body,
                                   stiction_error *error) {
    const world *w = parts->world;
    const size_t n = w->bodies[body].joint_count;
    *j = (body_judge){.parts = parts, .of = &w->bodies[body], .body = body, .n = n};
    j->mobility = calloc(3 * n * n + 2 * n + (size_t)w->model->nv + 1, sizeof *j->mobility);
    j->springs = calloc(n + 1, sizeof *j->springs);
    j->joints = calloc(n + 1, sizeof *j->joints);
    if (!j->mobility || !j->springs || !j->joints)
        return note_memory(parts, stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory"));
    j->stiffness = j->mobility + n * n;
    j->damping = j->stiffness + n * n;
    j->ratios = j->damping + n * n;
    j->start = j->ratios + n;
    j->column = j->start + n;
    for (size_t k = 0; k < n; k++) {
        const world_joint *joint = &w->joints[j->of->first_joint + k];
        j->springs[k] = stability_spring_of(friction_joint(parts->friction, j->of->first_joint + k),
                                            w->model->opt.timestep);
        j->joints[k] = (pose_joint){joint->name, joint->prismatic, joint->lower, joint->upper};
        j->start[k] = parts->data->qpos[joint->position];
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

static robot_mobility mobility_of(const body_judge *j) {
    fill_columns(j, 0, j->n, j->mobility);
    return (robot_mobility){.joint_count = j->n, .pose_count = 1, .matrices = j->mobility};
}

static bool uses_rk4(const simulation_parts *parts) {
    return parts->world->model->opt.integrator == mjINT_RK4;
}

/* At the pose of the data; writes the ratios. */
static stiction_status find_ratios(const body_judge *j, bool with_gains, double *whole,
                                   stiction_error *error) {
    const simulation_parts *parts = j->parts;
    const robot_mobility mobility = mobility_of(j);
    stability_loop loop = {.integrator = uses_rk4(parts) ? STABILITY_RK4 : STABILITY_EULER,
                           .timestep = parts->world->model->opt.timestep};
    if (with_gains && parts->controllers &&
        controllers_gains(parts->controllers, parts->data, j->body, j->stiffness, j->damping,
                          &loop.period)) {
        loop.stiffness = j->stiffness;
        loop.damping = j->damping;
    }
    return note_memory(parts,
                       stability_ratios(&mobility, j->springs, &loop, j->ratios, whole, error));
}

stiction_status simulation_stability(const simulation_parts *parts, size_t body, double *joints,
                                     double *whole, stiction_error *error) {
    AUTO(end_judge) body_judge j;
    stiction_status status = begin_judge(&j, parts, body, error);
    if (status != STICTION_OK) return status;
    status = find_ratios(&j, true, whole, error);
    mju_copy(joints, j.ratios, (int)j.n);
    return status;
}

/* ---- warnings ---- */

/* The joint with the largest ratio if the body is not stable; the joint count if it is. One joint
 * is reported for all. */
static size_t find_culprit(const body_judge *j, bool with_gains) {
    size_t worst = 0;
    double whole;
    if (find_ratios(j, with_gains, &whole, NULL) != STICTION_OK) return j->n;
    for (size_t k = 1; k < j->n; k++)
        if (j->ratios[k] > j->ratios[worst]) worst = k;
    return j->n > 0 && fmax(whole, j->ratios[worst]) >= 1 ? worst : j->n;
}

/* What is wrong with the friction of a joint. What is unstable under RK4 is unstable with Euler's
 * rule as well, so its verdict holds for both. */
static const char *friction_clause(const body_judge *j, size_t joint) {
    stability_verdict verdict = STABILITY_TOGETHER;
    stability_body whole;
    const robot_mobility mobility = mobility_of(j);
    AUTO_FREE stability_joint *judged = calloc(j->n, sizeof *judged);
    const double timestep = j->parts->world->model->opt.timestep;
    const stiction_status status =
        judged ? stability_judge(&mobility, j->springs, timestep, judged, &whole, NULL)
               : STICTION_OUT_OF_MEMORY;
    if (note_memory(j->parts, status) == STICTION_OK && judged[joint].verdict > STABILITY_STABLE)
        verdict = judged[joint].verdict;
    return stability_verdict_clause(verdict);
}

static const char *label_of(const body_judge *j, size_t joint) {
    return j->parts->world->joints[j->of->first_joint + joint].label;
}

/* False: there is nothing to warn of. */
static bool find_warning(const body_judge *j, char *message, size_t size) {
    const simulation_parts *parts = j->parts;
    const char *controller =
        parts->controllers ? controllers_name_of(parts->controllers, j->body) : NULL;
    if (j->n > STABILITY_MOST_JOINTS) {
        (void)snprintf(message, size,
                       "'%.200s': explicit friction is not judged of more than %d joints, and may "
                       "chatter",
                       j->of->source->name, STABILITY_MOST_JOINTS);
        return true;
    }
    size_t culprit = find_culprit(j, false);
    if (culprit < j->n) {
        (void)snprintf(message, size,
                       "joint '%.200s': friction %s at this time step and may chatter; "
                       "`stiction check CONFIG --body %.200s` says what would hold",
                       label_of(j, culprit), friction_clause(j, culprit),
                       j->of->source->file->path);
        return true;
    }
    if (!controller) return false;
    culprit = find_culprit(j, true);
    if (culprit == j->n) return false;
    (void)snprintf(message, size,
                   "joint '%.200s': friction by itself is stable at this time step, but not with "
                   "the gains of controller '%.200s', and may chatter; lower the gains or the "
                   "time step",
                   label_of(j, culprit), controller);
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

/* A coupling_ratio. */
static stiction_status find_ratio(void *host, const double *positions, double *ratio,
                                  stiction_error *error) {
    const body_judge *j = host;
    stiction_status status = set_pose(j, positions, error);
    if (status == STICTION_OK) status = find_ratios(j, true, ratio, error);
    for (size_t k = 0; k < j->n; k++) *ratio = fmax(*ratio, j->ratios[k]);
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
    const bool is_controlled = parts->controllers && controllers_name_of(parts->controllers, body);
    const coupling_robot robot = {{j.joints, j.n, dof_count, find_columns, &j},
                                  .friction = friction_joint(parts->friction, j.of->first_joint),
                                  .timestep = model->opt.timestep,
                                  .rk4 = uses_rk4(parts),
                                  .with_gains = is_controlled ? find_ratio : NULL,
                                  .start = j.start};
    status = coupling_decide(STICTION_COUPLING_AUTO, &robot, NULL, NULL, decision, error);
    mj_resetDataKeyframe(model, parts->data, 0);
    if (parts->controllers) controllers_start(parts->controllers, parts->data);
    mj_forward(model, parts->data);
    return status;
}
