/*
 * Whether the friction of a simulation is stable where it starts, under its integrator and with the
 * gains of its controllers. Only a warning: `stiction check` looks at all poses and says which
 * parameters would hold.
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

static bool allocate(body_loop *b, size_t n) {
    *b = (body_loop){.n = n};
    b->springs = calloc(n + 1, sizeof *b->springs);
    b->mobility = calloc(3 * n * n + 1, sizeof *b->mobility);
    if (!b->springs || !b->mobility) return false;
    b->stiffness = b->mobility + n * n;
    b->damping = b->stiffness + n * n;
    return true;
}

/* The joints' block of the inverse mass matrix of the whole world. */
static bool fill_mobility(const world *w, mjData *data, const world_body *body, double *matrix) {
    const world_joint *joints = w->joints + body->first_joint;
    const size_t n = body->joint_count;
    mjtNum *column = calloc((size_t)w->model->nv + 1, sizeof *column);
    for (size_t j = 0; column && j < n; j++) {
        mju_zero(column, w->model->nv);
        column[joints[j].velocity] = 1;
        mj_solveM(w->model, data, column, column, 1);
        for (size_t i = 0; i < n; i++) matrix[i * n + j] = column[joints[i].velocity];
    }
    const bool whole = column != NULL;
    free(column);
    return whole;
}

static stiction_status fill(body_loop *b, const simulation_parts *parts, size_t body,
                            stiction_error *error) {
    const mjOption *option = &parts->world->model->opt;
    const world_body *of = &parts->world->bodies[body];
    if (!allocate(b, of->joint_count) || !fill_mobility(parts->world, parts->data, of, b->mobility))
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
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

/* One joint stands for all: the one with the largest ratio, where the body is not stable; the joint
 * count where it is. */
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

static bool is_safe_here(const simulation_parts *parts, size_t body) {
    double *ratios = calloc(parts->world->bodies[body].joint_count + 1, sizeof *ratios), whole;
    if (!ratios) (void)noted(parts, STICTION_OUT_OF_MEMORY);
    bool safe = ratios && simulation_stability(parts, body, ratios, &whole, NULL) == STICTION_OK &&
                whole <= STABILITY_SAFE;
    for (size_t k = 0; safe && k < parts->world->bodies[body].joint_count; k++)
        safe = ratios[k] <= STABILITY_SAFE;
    free(ratios);
    return safe;
}

/* A pose of many that fill the ranges of the joints evenly; a joint without limits turns once
 * around. The same for every call. */
static void take_pose(const simulation_parts *parts, size_t body, size_t pose) {
    const world *w = parts->world;
    const world_body *of = &w->bodies[body];
    for (size_t k = 0; k < of->joint_count; k++) {
        const world_joint *j = &w->joints[of->first_joint + k];
        const double turn = j->prismatic ? 0.5 : 3.141592653589793;
        const double lower = isfinite(j->lower) ? j->lower : -turn;
        const double upper = isfinite(j->upper) ? j->upper : turn;
        double whole;
        const double step = modf(0.6180339887498949 * (double)(k + 1), &whole);
        parts->data->qpos[j->position] =
            lower + (upper - lower) * modf(step * (double)(pose + 1), &whole);
    }
    mj_kinematics(w->model, parts->data);
    mj_comPos(w->model, parts->data);
    mujoco_compute_inertia(w->model, parts->data);
    mj_factorM(w->model, parts->data);
}

friction_safety simulation_judge(const simulation_parts *parts, size_t body) {
    enum { poses = 16 };
    const mjModel *model = parts->world->model;
    if (is_stopped(parts)) return FRICTION_STOPPED;
    if (has_too_many_joints(parts, body)) return FRICTION_UNJUDGED;
    if (!is_safe_here(parts, body)) return FRICTION_UNSAFE;
    double *start = calloc((size_t)model->nq + 1, sizeof *start);
    bool safe = start != NULL;
    if (!safe) (void)noted(parts, STICTION_OUT_OF_MEMORY);
    if (safe) mju_copy(start, parts->data->qpos, model->nq);
    /* a stretched arm may be four times as light about its elbow as a bent one */
    for (size_t k = 0; safe && k < poses && !is_stopped(parts); k++) {
        take_pose(parts, body, k);
        safe = is_safe_here(parts, body);
    }
    if (start) mju_copy(parts->data->qpos, start, model->nq);
    mj_forward(model, parts->data);
    free(start);
    return is_stopped(parts) ? FRICTION_STOPPED : safe ? FRICTION_SAFE : FRICTION_UNSAFE;
}

void simulation_warn_unstable(const simulation_log *log, const simulation_parts *parts) {
    if (!log->log) return;
    for (size_t k = 0; k < parts->world->body_count; k++)
        if (friction_acts_on(parts->friction, k) && !friction_is_implicit(parts->friction, k) &&
            !is_stopped(parts))
            warn_of_body(log, parts, k);
}
