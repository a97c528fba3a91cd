/* SPDX-License-Identifier: MIT
 * Whether friction that is coupled explicitly is stable on a robot, and which K and B would be.
 */
#include "stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "linear.h"

/* By how much K T + B exceeds what a law needs where we choose them. */
static const double legal_margin = 1.1;

static const struct {
    const char *name, *clause;
} verdicts[] = {
    [STABILITY_NONE] = {"no spring", "has no spring"},
    [STABILITY_STABLE] = {"stable", "is stable"},
    [STABILITY_UNSTABLE] = {"unstable", "is unstable"},
    [STABILITY_TOGETHER] = {"unstable together", "is unstable together with that of other joints"},
    [STABILITY_ILLEGAL] = {"illegal", "is illegal"},
    [STABILITY_IMPOSSIBLE] = {"cannot be both", "cannot be both legal and stable"},
    [STABILITY_UNJUDGED] = {"not judged", "was not judged"},
};

const char *stability_verdict_name(stability_verdict verdict) {
    return verdicts[verdict].name;
}

const char *stability_verdict_clause(stability_verdict verdict) {
    return verdicts[verdict].clause;
}

/* The whole body */

/*
 * The eigenvalues of inv(M) A, A diagonal, zero but for the joints with a load, are those of
 * W x = lambda inv(A) x, with W the block of inv(M) of these joints.
 */
typedef struct body_view {
    const robot_mobility *mobility;
    double *loads;  /* of all joints */
    size_t *joints; /* those that have one */
    size_t count;
    double *W, *A;           /* count x count */
    double *u, *eigenvalues; /* count */
} body_view;

/* The largest eigenvalue at one pose; leaves W as it is there. */
static stiction_status pose_number(body_view *v, size_t pose, double *number,
                                   stiction_error *error) {
    const size_t n = v->count, all = v->mobility->joint_count;
    const double *matrix = v->mobility->matrices + pose * all * all;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            v->W[i * n + j] = matrix[v->joints[i] * all + v->joints[j]];
            v->A[i * n + j] = i == j ? 1 / v->loads[v->joints[i]] : 0;
        }
    const stiction_status status =
        stiction_pencil_eigenvalues(n, v->W, v->A, v->eigenvalues, error);
    *number = status == STICTION_OK ? v->eigenvalues[n - 1] : 0;
    return status;
}

static stiction_status body_number(body_view *v, double *number, stiction_error *error) {
    *number = 0;
    for (size_t pose = 0; pose < v->mobility->pose_count && v->count > 0; pose++) {
        double value;
        const stiction_status status = pose_number(v, pose, &value, error);
        if (status != STICTION_OK) return status;
        *number = fmax(*number, value);
    }
    return STICTION_OK;
}

/*
 * The parts that the joints have in the motion of this largest eigenvalue: the squares of the
 * eigenvector u of the symmetric sqrt(A) W sqrt(A), by inverse iteration.
 */
static stiction_status find_parts(body_view *v, double number, stiction_error *error) {
    const size_t n = v->count;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            v->A[i * n + j] =
                sqrt(v->loads[v->joints[i]] * v->loads[v->joints[j]]) * v->W[i * n + j] -
                (i == j ? (1 + 1e-9) * number : 0);
        v->u[i] = 1 + (double)i / (double)n; /* anything that no symmetry is orthogonal to */
    }
    stiction_status status = STICTION_OK;
    for (int round = 0; round < 3 && status == STICTION_OK; round++) {
        status = stiction_solve_symmetric(n, v->A, v->u, v->u, error);
        double square = 0;
        for (size_t k = 0; k < n; k++) square += v->u[k] * v->u[k];
        for (size_t k = 0; k < n; k++) v->u[k] /= sqrt(square);
    }
    return status;
}

/* A handful of rounds a joint is usual; what takes more than so many lets all joints give way. */
enum { patience = 1000 };

/*
 * Lowers loads until the body holds at one pose. Each joint gives way by the part that it has in
 * the worst motion, which changes the logarithms of the loads least.
 */
static stiction_status lower_at(body_view *v, size_t pose, stiction_error *error) {
    const double target = STABILITY_MARGIN * STABILITY_LIMIT;
    double number;
    stiction_status status = pose_number(v, pose, &number, error);
    for (int round = 0; status == STICTION_OK && number > target; round++) {
        status = find_parts(v, number, error);
        double squares = 0;
        for (size_t k = 0; k < v->count; k++) squares += pow(v->u[k], 4);
        const double step = fmin(log(number / target) / squares, 1) + 1e-6;
        for (size_t k = 0; k < v->count; k++)
            v->loads[v->joints[k]] *=
                round < patience ? exp(-step * v->u[k] * v->u[k]) : 0.999 * target / number;
        if (status == STICTION_OK) status = pose_number(v, pose, &number, error);
    }
    return status;
}

/* Lower loads lower the eigenvalues of all poses, so that one pass over the poses does. */
static stiction_status lower_loads(body_view *v, stiction_error *error) {
    stiction_status status = STICTION_OK;
    for (size_t pose = 0; pose < v->mobility->pose_count && status == STICTION_OK; pose++)
        status = lower_at(v, pose, error);
    return status;
}

/* One joint */

/*
 * Brings K and B within a load: both scaled, or where that is not legal with more of B or with less
 * of it. B = 0 carries the most K T + B under a load, but does not damp. False: nothing does.
 */
static bool fit(stability_spring *spring, double T, double load) {
    const double enough = spring->needed > 0 ? legal_margin * spring->needed : 0;
    const double beside = T * T * spring->beside, own = load - beside;
    if (!(own > 0)) return false;
    const double scale = fmin(1, own / (stability_load(spring, T) - beside));
    stability_spring s = *spring;
    s.stiffness *= scale;
    s.damping *= scale;
    if (!stability_is_legal(&s, T)) {
        s.damping = enough - s.stiffness * T;
        if (stability_load(&s, T) > load) {
            /* K T + B = c and 2 T B + T^2 K = own; K > 0 asks for c > own/(2 T) */
            const double c = fmax(enough, 0.55 * own / T);
            s.damping = own / T - c;
            s.stiffness = (c - s.damping) / T;
            if (!(s.damping > 0)) return false;
        }
    }
    *spring = s;
    return true;
}

static stability_verdict judge_alone(const stability_spring *spring, double T, double inertia,
                                     double number) {
    if (number == 0) return STABILITY_NONE;
    const bool legal = stability_is_legal(spring, T), stable = number < STABILITY_LIMIT;
    if (legal && stable) return STABILITY_STABLE;
    /* the most K T + B that is stable is 4 M/T, with B = 0 */
    if (spring->needed >= STABILITY_LIMIT * inertia / T - T * spring->beside)
        return STABILITY_IMPOSSIBLE;
    return legal ? STABILITY_UNSTABLE : STABILITY_ILLEGAL;
}

typedef struct judgement {
    const stability_spring *springs;
    double T;
    stability_joint *joints;
    stability_spring *holding;
    body_view view;
} judgement;

static bool allocate(judgement *j, const robot_mobility *mobility) {
    const size_t n = mobility->joint_count;
    body_view *v = &j->view;
    v->mobility = mobility;
    v->loads = calloc(2 * n * n + 3 * n + 1, sizeof *v->loads);
    v->joints = calloc(n + 1, sizeof *v->joints);
    j->holding = calloc(n + 1, sizeof *j->holding);
    if (!v->loads || !v->joints || !j->holding) return false;
    v->u = v->loads + n;
    v->eigenvalues = v->u + n;
    v->W = v->eigenvalues + n;
    v->A = v->W + n * n;
    return true;
}

static void release(judgement *j) {
    free(j->view.loads);
    free(j->view.joints);
    free(j->holding);
}

/* Which joints the body is judged by. */
static void choose_loaded(judgement *j) {
    j->view.count = 0;
    for (size_t k = 0; k < j->view.mobility->joint_count; k++)
        if (j->view.loads[k] > 0) j->view.joints[j->view.count++] = k;
}

/* Each joint by itself; the loads are left at what it has. */
static void judge_joints(judgement *j) {
    for (size_t k = 0; k < j->view.mobility->joint_count; k++) {
        stability_joint *joint = &j->joints[k];
        j->view.loads[k] = stability_load(&j->springs[k], j->T);
        joint->inertia = robot_effective_inertia(j->view.mobility, k);
        joint->number = j->view.loads[k] / joint->inertia;
        joint->verdict = judge_alone(&j->springs[k], j->T, joint->inertia, joint->number);
    }
    choose_loaded(j);
}

/* What would hold for each joint by itself; the loads become those. */
static void hold_alone(judgement *j) {
    for (size_t k = 0; k < j->view.mobility->joint_count; k++) {
        const stability_joint *joint = &j->joints[k];
        const double most = STABILITY_MARGIN * STABILITY_LIMIT * joint->inertia;
        const bool fine = joint->verdict == STABILITY_STABLE || joint->verdict == STABILITY_NONE;
        j->holding[k] = j->springs[k];
        if (!fine && !fit(&j->holding[k], j->T, most)) j->holding[k] = (stability_spring){0};
        j->view.loads[k] = stability_load(&j->holding[k], j->T);
    }
    choose_loaded(j);
}

/* The same for all together. */
static stiction_status hold_together(judgement *j, stiction_error *error) {
    const stiction_status status = lower_loads(&j->view, error);
    for (size_t k = 0; k < j->view.mobility->joint_count; k++) {
        double *load = &j->view.loads[k];
        if (!(*load > 0)) continue;
        /* 1e-3: not one that only gave way by a hair */
        if (j->joints[k].verdict == STABILITY_STABLE &&
            *load < (1 - 1e-3) * stability_load(&j->springs[k], j->T))
            j->joints[k].verdict = STABILITY_TOGETHER;
        if (!fit(&j->holding[k], j->T, *load)) j->holding[k] = (stability_spring){0};
        *load = stability_load(&j->holding[k], j->T);
    }
    choose_loaded(j);
    return status;
}

static void copy_judgement(judgement *j, stability_body *body) {
    body->stable = body->number < STABILITY_LIMIT;
    for (size_t k = 0; k < j->view.mobility->joint_count; k++) {
        stability_joint *joint = &j->joints[k];
        const bool none = joint->verdict != STABILITY_NONE && !(j->view.loads[k] > 0);
        joint->holding_stiffness = none ? (double)NAN : j->holding[k].stiffness;
        joint->holding_damping = none ? (double)NAN : j->holding[k].damping;
        body->stable = body->stable &&
                       (joint->verdict == STABILITY_STABLE || joint->verdict == STABILITY_NONE);
    }
}

static void leave_unjudged(judgement *j, stability_body *body) {
    *body = (stability_body){.number = (double)NAN, .holding = (double)NAN};
    for (size_t k = 0; k < j->view.mobility->joint_count; k++) {
        stability_joint *joint = &j->joints[k];
        joint->holding_stiffness = joint->holding_damping = (double)NAN;
        if (joint->verdict == STABILITY_STABLE) joint->verdict = STABILITY_UNJUDGED;
    }
}

static stiction_status judge(judgement *j, stability_body *body, stiction_error *error) {
    judge_joints(j);
    if (j->view.mobility->partial) {
        leave_unjudged(j, body);
        return STICTION_OK;
    }
    stiction_status status = body_number(&j->view, &body->number, error);
    if (status != STICTION_OK) return status;
    hold_alone(j);
    status = body_number(&j->view, &body->holding, error);
    if (status == STICTION_OK && body->holding >= STABILITY_LIMIT) {
        status = hold_together(j, error);
        if (status == STICTION_OK) status = body_number(&j->view, &body->holding, error);
    }
    if (status == STICTION_OK) copy_judgement(j, body);
    return status;
}

stiction_status stability_judge(const robot_mobility *mobility, const stability_spring *springs,
                                double timestep, stability_joint *joints, stability_body *body,
                                stiction_error *error) {
    judgement j = {.springs = springs, .T = timestep, .joints = joints};
    *body = (stability_body){0};
    const stiction_status status =
        allocate(&j, mobility) ? judge(&j, body, error)
                               : stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    release(&j);
    return status;
}
