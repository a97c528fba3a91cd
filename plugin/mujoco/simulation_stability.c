/* SPDX-License-Identifier: MIT
 * Which coupling auto takes in a simulation, and a warning where explicit friction is not stable at
 * the start, under the integrator and with the gains of the controllers.
 */
#include "simulation_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "document/fail.h"
#include "stability/stability.h"

/* What there is to judge of a body. */
typedef struct body_loop {
    size_t n;
    stability_spring *springs; /* an entry a joint */
    double *mobility;          /* n x n, as the gains of the controller */
    double *stiffness, *damping;
    double *work; /* one a degree of freedom of the world */
    stability_loop loop;
} body_loop;

/* What cannot be judged is taken for unsafe, but not where only memory is missing: then the caller
 * must know. */
static stiction_status noted(const simulation_parts *parts, stiction_status status) {
    if (status == STICTION_OUT_OF_MEMORY && parts->no_memory) *parts->no_memory = true;
    return status;
}

static void release(body_loop *b) {
    free(b->springs);
    free(b->mobility);
}

static bool allocate(body_loop *b, size_t n, size_t nv) {
    *b = (body_loop){.n = n};
    b->springs = calloc(n + 1, sizeof *b->springs);
    b->mobility = calloc(3 * n * n + nv + 1, sizeof *b->mobility);
    if (!b->springs || !b->mobility) return false;
    b->stiffness = b->mobility + n * n;
    b->damping = b->stiffness + n * n;
    b->work = b->damping + n * n;
    return true;
}

/* Columns of the joints' block of the inverse mass matrix of the whole world; `work` has room for
 * one of the world. */
static void fill_columns(const world *w, mjData *data, const world_body *body, size_t first,
                         size_t count, double *work, double *columns) {
    const world_joint *joints = w->joints + body->first_joint;
    for (size_t k = 0; k < count; k++) {
        mju_zero(work, w->model->nv);
        work[joints[first + k].velocity] = 1;
        mj_solveM(w->model, data, work, work, 1);
        for (size_t i = 0; i < body->joint_count; i++)
            columns[k * body->joint_count + i] = work[joints[i].velocity];
    }
}

static stiction_status fill(body_loop *b, const simulation_parts *parts, size_t body,
                            stiction_error *error) {
    const mjOption *option = &parts->world->model->opt;
    const world_body *of = &parts->world->bodies[body];
    if (!allocate(b, of->joint_count, (size_t)parts->world->model->nv))
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    fill_columns(parts->world, parts->data, of, 0, b->n, b->work, b->mobility);
    for (size_t k = 0; k < b->n; k++)
        b->springs[k] = stability_spring_of(friction_joint(parts->friction, of->first_joint + k),
                                            option->timestep);
    b->loop = (stability_loop){.integrator = option->integrator == mjINT_RK4 ? STABILITY_RK4
                                                                             : STABILITY_EULER,
                               .timestep = option->timestep};
    if (parts->controllers && controllers_gains(parts->controllers, parts->data, body, b->stiffness,
                                                b->damping, &b->loop.period)) {
        b->loop.stiffness = b->stiffness;
        b->loop.damping = b->damping;
    }
    return STICTION_OK;
}

stiction_status simulation_stability(const simulation_parts *parts, size_t body, double *joints,
                                     double *whole, stiction_error *error) {
    body_loop b;
    stiction_status status = fill(&b, parts, body, error);
    const robot_mobility mobility = {.joint_count = b.n, .pose_count = 1, .matrices = b.mobility};
    if (status == STICTION_OK)
        status = stability_ratios(&mobility, b.springs, &b.loop, joints, whole, error);
    release(&b);
    return noted(parts, status);
}

/* ---- warnings ---- */

/* One joint is reported for all: the one with the largest ratio where the body is not stable; the
 * joint count where it is. */
static size_t find_culprit(const simulation_parts *parts, size_t body, double *ratios) {
    const size_t n = parts->world->bodies[body].joint_count;
    size_t worst = 0;
    double whole;
    if (simulation_stability(parts, body, ratios, &whole, NULL) != STICTION_OK) return n;
    for (size_t k = 1; k < n; k++)
        if (ratios[k] > ratios[worst]) worst = k;
    return n > 0 && fmax(whole, ratios[worst]) >= 1 ? worst : n;
}

/* What is wrong with its friction by itself. What is unstable under RK4 is so with Euler's rule as
 * well, whose verdict then holds for both. */
static const char *friction_clause(const simulation_parts *parts, size_t body, size_t joint) {
    stability_verdict verdict = STABILITY_TOGETHER;
    stability_body whole;
    body_loop b = {.n = 0};
    stability_joint *judged = calloc(parts->world->bodies[body].joint_count, sizeof *judged);
    stiction_status status = judged ? fill(&b, parts, body, NULL) : STICTION_OUT_OF_MEMORY;
    if (status == STICTION_OK) {
        const robot_mobility mobility = {
            .joint_count = b.n, .pose_count = 1, .matrices = b.mobility};
        status = stability_judge(&mobility, b.springs, b.loop.timestep, judged, &whole, NULL);
        if (status == STICTION_OK && judged[joint].verdict > STABILITY_STABLE)
            verdict = judged[joint].verdict;
    }
    (void)noted(parts, status);
    release(&b);
    free(judged);
    return stability_verdict_clause(verdict);
}

enum { sentence_size = 700 };

static bool complain_of_friction(const simulation_parts *parts, size_t body, double *ratios,
                                 char sentence[sentence_size]) {
    const world_body *of = &parts->world->bodies[body];
    simulation_parts alone = *parts;
    alone.controllers = NULL;
    const size_t culprit = find_culprit(&alone, body, ratios);
    if (culprit == of->joint_count) return false;
    (void)snprintf(sentence, sentence_size,
                   "joint '%.200s': friction %s at this time step and may chatter; "
                   "`stiction check CONFIG --body %.200s` says what would hold",
                   parts->world->joints[of->first_joint + culprit].label,
                   friction_clause(&alone, body, culprit), of->source->file->path);
    return true;
}

static bool complain_of_gains(const simulation_parts *parts, size_t body, double *ratios,
                              char sentence[sentence_size]) {
    const world_body *of = &parts->world->bodies[body];
    const char *controller =
        parts->controllers ? controllers_name_of(parts->controllers, body) : NULL;
    if (!controller) return false;
    const size_t culprit = find_culprit(parts, body, ratios);
    if (culprit == of->joint_count) return false;
    (void)snprintf(sentence, sentence_size,
                   "joint '%.200s': friction by itself is stable at this time step, but not with "
                   "the gains of controller '%.200s', and may chatter; lower the gains or the "
                   "time step",
                   parts->world->joints[of->first_joint + culprit].label, controller);
    return true;
}

/* Where auto would have taken implicit coupling, it is said why it did not. */
static void say(const simulation_log *log, const char *sentence, const char *obstacle) {
    char whole[2 * sentence_size];
    (void)snprintf(whole, sizeof whole, "%s%s%s", sentence,
                   obstacle ? "; auto cannot take implicit coupling: " : "",
                   obstacle ? obstacle : "");
    log->log(log->user, STICTION_LOG_WARNING, whole);
}

static bool has_too_many_joints(const simulation_parts *parts, size_t body) {
    return parts->world->bodies[body].joint_count > STABILITY_MOST_JOINTS;
}

static bool is_stopped(const simulation_parts *parts) {
    return parts->is_stopped && parts->is_stopped();
}

static void warn_of_body(const simulation_log *log, const simulation_parts *parts, size_t body) {
    char sentence[sentence_size];
    if (has_too_many_joints(parts, body)) {
        (void)snprintf(sentence, sentence_size,
                       "'%.200s': explicit friction is not judged of more than %d joints, and may "
                       "chatter",
                       parts->world->bodies[body].source->name, STABILITY_MOST_JOINTS);
        say(log, sentence, friction_obstacle(parts->friction, body));
        return;
    }
    double *ratios = calloc(parts->world->bodies[body].joint_count + 1, sizeof *ratios);
    if (!ratios) (void)noted(parts, STICTION_OUT_OF_MEMORY);
    if (ratios && (complain_of_friction(parts, body, ratios, sentence) ||
                   complain_of_gains(parts, body, ratios, sentence)))
        say(log, sentence, friction_obstacle(parts->friction, body));
    free(ratios);
}

/* ---- which coupling ---- */

typedef struct judge_host {
    const simulation_parts *parts;
    size_t body;
    double *ratios; /* one a joint */
    double *column; /* one a degree of freedom of the world */
} judge_host;

static stiction_status set_pose(const judge_host *h, const double *positions,
                                stiction_error *error) {
    const world *w = h->parts->world;
    const world_body *of = &w->bodies[h->body];
    if (is_stopped(h->parts))
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "the run was interrupted before its start");
    for (size_t k = 0; k < of->joint_count; k++)
        h->parts->data->qpos[w->joints[of->first_joint + k].position] = positions[k];
    mj_kinematics(w->model, h->parts->data);
    mj_comPos(w->model, h->parts->data);
    mujoco_compute_inertia(w->model, h->parts->data);
    mj_factorM(w->model, h->parts->data);
    return STICTION_OK;
}

static stiction_status find_columns(void *host, const double *positions, size_t first, size_t count,
                                    double *columns, stiction_error *error) {
    const judge_host *h = host;
    const stiction_status status = set_pose(h, positions, error);
    if (status == STICTION_OK)
        fill_columns(h->parts->world, h->parts->data, &h->parts->world->bodies[h->body], first,
                     count, h->column, columns);
    return status;
}

static stiction_status find_ratio(void *host, const double *positions, double *ratio,
                                  stiction_error *error) {
    const judge_host *h = host;
    stiction_status status = set_pose(h, positions, error);
    if (status == STICTION_OK)
        status = simulation_stability(h->parts, h->body, h->ratios, ratio, error);
    for (size_t k = 0; k < h->parts->world->bodies[h->body].joint_count; k++)
        *ratio = fmax(*ratio, h->ratios[k]);
    return status;
}

/* The degrees of freedom that a body has in the model. */
static size_t count_dofs(const world *w, const world_body *body) {
    size_t count = 0;
    for (size_t k = 0; k < body->link_count; k++)
        count += (size_t)w->model->body_dofnum[(size_t)body->root + k];
    return count;
}

static pose_joint *make_joints(const world *w, const world_body *body, double *start,
                               const mjData *data) {
    pose_joint *joints = calloc(body->joint_count + 1, sizeof *joints);
    for (size_t k = 0; joints && k < body->joint_count; k++) {
        const world_joint *j = &w->joints[body->first_joint + k];
        joints[k] = (pose_joint){j->name, j->prismatic, j->lower, j->upper};
        start[k] = data->qpos[j->position];
    }
    return joints;
}

stiction_status simulation_judge(const simulation_parts *parts, size_t body,
                                 coupling_decision *decision, stiction_error *error) {
    const world *w = parts->world;
    const world_body *of = &w->bodies[body];
    const size_t n = of->joint_count, nq = (size_t)w->model->nq, nv = (size_t)w->model->nv;
    double *memory = calloc(2 * n + nq + nv + 1, sizeof *memory);
    double *const start = memory, *const ratios = memory + n, *const qpos = ratios + n;
    judge_host host = {parts, body, ratios, qpos + nq};
    const bool is_controlled = parts->controllers && controllers_name_of(parts->controllers, body);
    pose_joint *joints = memory ? make_joints(w, of, start, parts->data) : NULL;
    stiction_status status = STICTION_OUT_OF_MEMORY;
    if (joints) {
        const coupling_robot whole = {{joints, n, count_dofs(w, of), find_columns, &host},
                                      .friction = friction_joint(parts->friction, of->first_joint),
                                      .timestep = w->model->opt.timestep,
                                      .rk4 = w->model->opt.integrator == mjINT_RK4,
                                      .with_gains = is_controlled ? find_ratio : NULL,
                                      .start = start};
        mju_copy(qpos, parts->data->qpos, w->model->nq);
        status = coupling_decide(STICTION_COUPLING_AUTO, &whole, NULL, NULL, decision, error);
        mju_copy(parts->data->qpos, qpos, w->model->nq);
        mj_forward(w->model, parts->data);
    } else {
        (void)stiction_fail(error, status, "out of memory");
    }
    free(joints);
    free(memory);
    return status;
}

void simulation_warn_unstable(const simulation_log *log, const simulation_parts *parts) {
    if (!log->log) return;
    for (size_t k = 0; k < parts->world->body_count; k++)
        if (friction_acts_on(parts->friction, k) && !friction_is_implicit(parts->friction, k) &&
            !is_stopped(parts))
            warn_of_body(log, parts, k);
}
