/* SPDX-License-Identifier: MIT
 * Which coupling `auto` takes. The largest eigenvalue of inv(M) A, with A = 2 T B + T^2 K diagonal,
 * is that of the symmetric sqrt(A) inv(M) sqrt(A) =: S. It is below x where x I - S is positive
 * definite, which one Cholesky factorization decides; plain C, because the customizer contains it.
 */
#include "coupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"

void robot_mobility_release(robot_mobility *mobility) {
    free(mobility->matrices);
    *mobility = (robot_mobility){0};
}

double robot_effective_inertia(const robot_mobility *mobility, size_t joint) {
    const size_t n = mobility->joint_count;
    double largest = 0;
    for (size_t k = 0; k < mobility->pose_count; k++)
        largest = fmax(largest, mobility->matrices[k * n * n + joint * (n + 1)]);
    return 1 / largest;
}

static stiction_status no_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
}

/* ---- the stability number of a pose ---- */

typedef struct number_view {
    size_t joint_count;
    size_t *loaded; /* joints with a load */
    size_t count;
    double *roots; /* of their loads */
    double *S, *L; /* count x count */
} number_view;

/* Whether x I - S is positive definite. */
static bool is_above(const number_view *v, double x) {
    const size_t n = v->count;
    for (size_t i = 0; i < n; i++) {
        double *const row = v->L + i * n;
        for (size_t j = 0; j <= i; j++) {
            const double *const other = v->L + j * n;
            double sum = (i == j ? x : 0) - v->S[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= row[k] * other[k];
            if (i != j)
                row[j] = sum / other[j];
            else if (sum > 0)
                row[j] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

/* The largest eigenvalue at a pose, where it exceeds `least`; else `least`. */
static double pose_number(const number_view *v, const double *matrix, double least) {
    const size_t n = v->count;
    double lower = least, upper = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            const double mobility = matrix[v->loaded[i] * v->joint_count + v->loaded[j]];
            v->S[i * n + j] = v->roots[i] * v->roots[j] * mobility;
            sum += fabs(v->S[i * n + j]);
        }
        lower = fmax(lower, v->S[i * (n + 1)]); /* no eigenvalue is below all of the diagonal */
        upper = fmax(upper, sum);
    }
    if (!(upper > least) || is_above(v, least * (1 + 1e-12))) return least;
    while (upper > lower * (1 + 1e-12)) {
        const double middle = lower + (upper - lower) / 2;
        if (!(middle > lower && middle < upper)) break;
        *(is_above(v, middle) ? &upper : &lower) = middle;
    }
    return upper;
}

/* ---- the decision ---- */

typedef struct decider {
    const coupling_robot *robot;
    pose_walk *walk;
    number_view view;
    double *loads;
    robot_mobility *all; /* NULL: not wanted */
    double *worst;       /* the pose of the largest ratio */
    coupling_decision *decision;
} decider;

static bool has_friction(const stiction_joint_def *def) {
    return def->law && strcmp(def->law, "none") != 0;
}

static bool allocate(decider *d) {
    const size_t n = d->robot->poses.joint_count;
    number_view *v = &d->view;
    v->joint_count = n;
    v->loaded = calloc(n + 1, sizeof *v->loaded);
    d->loads = calloc(n + 1, sizeof *d->loads);
    v->roots = calloc(2 * n * n + n + 1, sizeof *v->roots);
    if (!v->loaded || !d->loads || !v->roots) return false;
    v->S = v->roots + n;
    v->L = v->S + n * n;
    for (size_t k = 0; k < n; k++) {
        const stability_spring spring =
            stability_spring_of(&d->robot->friction[k], d->robot->timestep);
        d->loads[k] = stability_load(&spring, d->robot->timestep);
        if (!(d->loads[k] > 0)) continue;
        v->loaded[v->count] = k;
        v->roots[v->count++] = sqrt(d->loads[k]);
    }
    if (d->robot->poses.columns) d->walk = pose_walk_create(&d->robot->poses, d->loads);
    return d->walk || !d->robot->poses.columns;
}

static void release(decider *d) {
    pose_walk_destroy(d->walk);
    free(d->view.loaded);
    free(d->view.roots);
    free(d->loads);
}

static bool make_room(robot_mobility *all, size_t joints, size_t poses) {
    *all = (robot_mobility){.joint_count = joints};
    all->matrices = calloc(poses * joints * joints + 1, sizeof *all->matrices);
    return all->matrices != NULL;
}

static void append(robot_mobility *all, const double *matrix) {
    const size_t size = all->joint_count * all->joint_count;
    memcpy(all->matrices + all->pose_count++ * size, matrix, size * sizeof *matrix);
}

/* Why friction cannot be implicit; COUPLING_SAFE: it can. */
static coupling_reason find_obstacle(const coupling_robot *robot, size_t *joint) {
    for (size_t k = 0; k < robot->poses.joint_count; k++) {
        stiction_law_info info;
        if (!has_friction(&robot->friction[k])) continue;
        if (!stiction_law_info_find(robot->friction[k].law, &info) || !info.reference) continue;
        *joint = k;
        return COUPLING_NO_POTENTIAL;
    }
    return robot->rk4 ? COUPLING_RK4 : COUPLING_SAFE;
}

/* Visits the poses, all of them where they are wanted, else until one is not safe. */
static stiction_status judge_friction(decider *d, stiction_error *error) {
    const double safe = STABILITY_SAFE * STABILITY_LIMIT;
    const size_t n = d->robot->poses.joint_count;
    const bool feasible = pose_is_feasible(&d->robot->poses);
    double number = 0;
    if (d->all && !make_room(d->all, n, feasible ? pose_walk_count(d->walk) : 1))
        return no_memory(error);
    if (d->all) d->all->partial = !feasible;
    if (!feasible && !d->all) return STICTION_OK;
    while (d->all || number <= safe) {
        const double *matrix, *positions;
        const stiction_status status = pose_walk_next(d->walk, &matrix, &positions, error);
        if (status != STICTION_OK) return status;
        if (!matrix) break;
        if (d->all) append(d->all, matrix);
        if (!feasible) return STICTION_OK;
        const double value = pose_number(&d->view, matrix, number);
        if (value > number || number == 0) memcpy(d->worst, positions, n * sizeof *positions);
        number = fmax(number, value);
    }
    d->decision->ratio = number / STABILITY_LIMIT;
    return STICTION_OK;
}

static stiction_status decide(decider *d, stiction_error *error) {
    coupling_decision *const decision = d->decision;
    const coupling_reason obstacle = find_obstacle(d->robot, &decision->joint);
    const bool blind = !d->robot->poses.columns;
    if (blind || (obstacle != COUPLING_SAFE && !d->all)) {
        decision->reason = obstacle != COUPLING_SAFE ? obstacle : COUPLING_UNSAFE;
        return STICTION_OK;
    }
    const stiction_status status = judge_friction(d, error);
    if (status != STICTION_OK) return status;
    if (obstacle != COUPLING_SAFE)
        decision->reason = obstacle;
    else if (isnan(decision->ratio))
        decision->reason = COUPLING_UNJUDGED;
    else if (!(decision->ratio <= STABILITY_SAFE))
        decision->reason = COUPLING_UNSAFE;
    return STICTION_OK;
}

static bool is_implicit(coupling_reason reason) {
    return reason == COUPLING_UNSAFE || reason == COUPLING_UNJUDGED;
}

stiction_status coupling_decide(stiction_coupling configured, const coupling_robot *robot,
                                robot_mobility *all, double *worst, coupling_decision *decision,
                                stiction_error *error) {
    const size_t n = robot->poses.joint_count;
    *decision = (coupling_decision){
        .coupling = configured, .reason = COUPLING_CONFIGURED, .ratio = (double)NAN};
    if (configured != STICTION_COUPLING_AUTO && !all) return STICTION_OK;
    decider d = {.robot = robot, .all = all, .decision = decision};
    d.worst = calloc(n + 1, sizeof *d.worst);
    stiction_status status = STICTION_OUT_OF_MEMORY;
    decision->reason = COUPLING_SAFE;
    if (d.worst && allocate(&d)) {
        status = decide(&d, error);
        if (worst) memcpy(worst, d.worst, n * sizeof *worst);
    } else {
        status = no_memory(error);
    }
    if (configured != STICTION_COUPLING_AUTO)
        decision->reason = COUPLING_CONFIGURED;
    else
        decision->coupling =
            is_implicit(decision->reason) ? STICTION_COUPLING_IMPLICIT : STICTION_COUPLING_EXPLICIT;
    if (status != STICTION_OK && all) robot_mobility_release(all);
    release(&d);
    free(d.worst);
    return status;
}

stiction_status robot_mobility_over_poses(const pose_robot *robot, robot_mobility *mobility,
                                          stiction_error *error) {
    const bool feasible = pose_is_feasible(robot);
    pose_walk *walk = pose_walk_create(robot, NULL);
    const double *matrix = NULL, *positions;
    *mobility = (robot_mobility){0};
    if (!walk || !make_room(mobility, robot->joint_count, feasible ? pose_walk_count(walk) : 1)) {
        pose_walk_destroy(walk);
        return no_memory(error);
    }
    mobility->partial = !feasible;
    stiction_status status;
    do {
        status = pose_walk_next(walk, &matrix, &positions, error);
        if (status == STICTION_OK && matrix) append(mobility, matrix);
    } while (status == STICTION_OK && matrix && feasible);
    pose_walk_destroy(walk);
    if (status != STICTION_OK) robot_mobility_release(mobility);
    return status;
}
