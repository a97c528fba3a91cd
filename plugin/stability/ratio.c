/* SPDX-License-Identifier: MIT
 * How near a simulation is to the limit of stability: joints that stick, a controller that samples
 * them and holds its torque, and the integrator. The map of one control period is linear; it is
 * stable while no eigenvalue is outside of the unit circle. For RK4 and one joint without a
 * controller that is |1 + z + z^2/2 + z^3/6 + z^4/24| <= 1, z = T lambda, M lambda^2 + B lambda +
 * K = 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "linear.h"
#include "stability.h"

/* To this part a ratio is found. */
static const double precision = 1e-3;
/* An eigenvalue may be outside by this: those of a motion without damping are on the circle. */
static const double rounding = 1e-7;
/* Of the search: it reaches 2^40 either way, and what is beyond counts as infinite or 0. */
enum { most_steps = 50 };
/* A controller that holds a torque for more time steps is as good as none. */
static const double longest_hold = 1e6;

/*
 * The motion of n joints, in accelerations: matrices of n x n. A state has their positions, their
 * velocities, and the accelerations that the controller holds.
 */
typedef struct motion {
    size_t n;
    const stability_loop *loop;
    double *stiffness, *damping;           /* inv(M) K and inv(M) B of friction */
    double *held_stiffness, *held_damping; /* the same of the controller */
    double *steps;                         /* 3n x 3n: what some steps make of a state */
    double *map;                           /* 2n x 2n: a period of positions and velocities */
    double *state, *stage, *sum;           /* 3n */
    double *acceleration;                  /* n */
} motion;

static double *memory_for(motion *m, size_t n) {
    double *next = calloc(17 * n * n + 10 * n + 1, sizeof *next), *const memory = next;
    const struct {
        double **array;
        size_t size;
    } arrays[] = {
        {&m->stiffness, n * n},    {&m->damping, n * n},   {&m->held_stiffness, n * n},
        {&m->held_damping, n * n}, {&m->steps, 9 * n * n}, {&m->map, 4 * n * n},
        {&m->state, 3 * n},        {&m->stage, 3 * n},     {&m->sum, 3 * n},
        {&m->acceleration, n},
    };
    for (size_t k = 0; memory && k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k].array = next;
        next += arrays[k].size;
    }
    return memory;
}

/* Of a state, with all loads times `scale`. */
static void accelerate(const motion *m, double scale, const double *x) {
    const size_t n = m->n;
    const double *q = x, *v = x + n, *held = x + 2 * n;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += m->stiffness[i * n + j] * q[j] + m->damping[i * n + j] * v[j];
        m->acceleration[i] = held[i] - scale * sum;
    }
}

/* Friction uses the velocity before the step, the position moves with the one after it. */
static void step_euler(const motion *m, double scale) {
    const double T = m->loop->timestep;
    double *q = m->state, *v = q + m->n;
    accelerate(m, scale, m->state);
    for (size_t k = 0; k < m->n; k++) {
        v[k] += T * m->acceleration[k];
        q[k] += T * v[k];
    }
}

static void step_rk4(const motion *m, double scale) {
    static const double reach[] = {0.5, 0.5, 1, 0}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    const size_t n = m->n, size = 3 * n * sizeof *m->state;
    const double T = m->loop->timestep;
    memcpy(m->stage, m->state, size);
    memcpy(m->sum, m->state, size);
    for (size_t s = 0; s < 4; s++) {
        accelerate(m, scale, m->stage);
        for (size_t k = 0; k < n; k++) {
            const double velocity = m->stage[n + k], acceleration = m->acceleration[k];
            m->sum[k] += T * weight[s] * velocity;
            m->sum[n + k] += T * weight[s] * acceleration;
            m->stage[k] = m->state[k] + T * reach[s] * velocity;
            m->stage[n + k] = m->state[n + k] + T * reach[s] * acceleration;
        }
    }
    memcpy(m->state, m->sum, size);
}

static void find_step(const motion *m, double scale) {
    const size_t size = 3 * m->n;
    for (size_t column = 0; column < size; column++) {
        memset(m->state, 0, size * sizeof *m->state);
        m->state[column] = 1;
        (m->loop->integrator == STABILITY_RK4 ? step_rk4 : step_euler)(m, scale);
        for (size_t row = 0; row < size; row++) m->steps[row * size + column] = m->state[row];
    }
}

/* From the steps of a period: what is held in them follows from where it begins. */
static void close_loop(const motion *m, double scale) {
    const size_t n = m->n;
    for (size_t i = 0; i < 2 * n; i++) {
        const double *row = m->steps + i * 3 * n, *held = row + 2 * n;
        memcpy(m->map + i * 2 * n, row, 2 * n * sizeof *row);
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++) {
                m->map[i * 2 * n + j] -= scale * held[k] * m->held_stiffness[k * n + j];
                m->map[i * 2 * n + n + j] -= scale * held[k] * m->held_damping[k * n + j];
            }
    }
}

static bool is_finite(size_t count, const double *values) {
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k])) return false;
    return true;
}

/* Whether the motion grows where a torque is held for so many steps. */
static stiction_status grows_with(const motion *m, double scale, size_t held, bool *answer,
                                  stiction_error *error) {
    double radius = (double)INFINITY;
    find_step(m, scale);
    stiction_status status = stiction_matrix_power(3 * m->n, m->steps, held, m->steps, error);
    if (status != STICTION_OK) return status;
    close_loop(m, scale);
    if (is_finite(4 * m->n * m->n, m->map))
        status = stiction_spectral_radius(2 * m->n, m->map, &radius, error);
    *answer = radius > 1 + rounding;
    return status;
}

/* A period that is no whole number of steps takes turns of both of the nearest. */
static stiction_status grows(const motion *m, double scale, bool *answer, stiction_error *error) {
    const double steps = fmin(fmax(m->loop->period / m->loop->timestep, 1), longest_hold);
    const size_t most = (size_t)ceil(steps * (1 - 1e-9));
    stiction_status status = STICTION_OK;
    *answer = false;
    for (size_t held = (size_t)floor(steps * (1 + 1e-9)); held <= most && !*answer; held++) {
        status = grows_with(m, scale, held, answer, error);
        if (status != STICTION_OK) break;
    }
    return status;
}

/*
 * Goes from the loads as they are to larger ones that grow or, where they do so themselves, to
 * smaller ones that do not. Step by step, since a controller that holds its torque can be stable
 * again further on.
 */
static stiction_status find_ratio(const motion *m, double *ratio, stiction_error *error) {
    double stable = 0, unstable = (double)INFINITY, scale = 1;
    *ratio = 0;
    for (int k = 0; k < most_steps && m->n > 0 && unstable > (1 + precision) * stable; k++) {
        bool beyond;
        const stiction_status status = grows(m, scale, &beyond, error);
        if (status != STICTION_OK) return status;
        *(beyond ? &unstable : &stable) = scale;
        if (stable > 0 && isfinite(unstable))
            scale = sqrt(stable * unstable);
        else
            scale *= pow(fmax(scale, 1 / scale) < 4 ? 1.25 : 2, beyond ? -1 : 1);
    }
    if (m->n > 0) *ratio = 1 / sqrt(stable * unstable); /* infinite or 0: an end was not found */
    return STICTION_OK;
}

/* One robot at one pose */

typedef struct pose_view {
    const stability_loop *loop;
    const stability_spring *springs;
    size_t n;
    const double *W; /* inv(M) */
    motion all;      /* of its joints, but for those that nothing acts on */
    motion one;      /* of one of them */
} pose_view;

/* Entry i, j of W times a matrix of the controller. */
static double product(const pose_view *p, const double *matrix, size_t i, size_t j) {
    double sum = 0;
    for (size_t k = 0; matrix && k < p->n; k++) sum += p->W[i * p->n + k] * matrix[k * p->n + j];
    return sum;
}

/* Puts entry i, j of the robot to entry row, column of a motion. */
static void put(const pose_view *p, motion *m, size_t i, size_t j, size_t row, size_t column) {
    const double mobility = p->W[i * p->n + j];
    const size_t to = row * m->n + column;
    m->stiffness[to] = mobility * (p->springs[j].stiffness + p->springs[j].beside);
    m->damping[to] = mobility * p->springs[j].damping;
    m->held_stiffness[to] = product(p, p->loop->stiffness, i, j);
    m->held_damping[to] = product(p, p->loop->damping, i, j);
}

static bool has_load(const pose_view *p, size_t joint) {
    bool loaded = p->springs[joint].stiffness > 0 || p->springs[joint].damping > 0;
    for (size_t i = 0; p->loop->stiffness && i < p->n; i++)
        loaded = loaded || p->loop->stiffness[i * p->n + joint] != 0 ||
                 p->loop->damping[i * p->n + joint] != 0;
    return loaded;
}

/* Joints that nothing acts on move as they like, and back on no other. */
static void put_loaded(pose_view *p, size_t *loaded) {
    p->all.n = 0;
    for (size_t k = 0; k < p->n; k++)
        if (has_load(p, k)) loaded[p->all.n++] = k;
    for (size_t i = 0; i < p->all.n; i++)
        for (size_t j = 0; j < p->all.n; j++) put(p, &p->all, loaded[i], loaded[j], i, j);
}

/* A joint by itself. */
static stiction_status ratio_of_joint(pose_view *p, size_t joint, double *ratio,
                                      stiction_error *error) {
    p->one.n = has_load(p, joint) ? 1 : 0;
    if (p->one.n > 0) put(p, &p->one, joint, joint, 0, 0);
    return find_ratio(&p->one, ratio, error);
}

static stiction_status judge_pose(pose_view *p, size_t *loaded, double *joints, double *body,
                                  stiction_error *error) {
    double ratio;
    for (size_t k = 0; k < p->n; k++) {
        const stiction_status status = ratio_of_joint(p, k, &ratio, error);
        if (status != STICTION_OK) return status;
        joints[k] = fmax(joints[k], ratio);
    }
    put_loaded(p, loaded);
    const stiction_status status = find_ratio(&p->all, &ratio, error);
    *body = fmax(*body, ratio);
    return status;
}

stiction_status stability_ratios(const robot_mobility *mobility, const stability_spring *springs,
                                 const stability_loop *loop, double *joints, double *body,
                                 stiction_error *error) {
    const size_t n = mobility->joint_count;
    if (n > STABILITY_MOST_JOINTS) {
        *body = (double)NAN;
        for (size_t k = 0; k < n; k++) joints[k] = (double)NAN;
        return STICTION_OK;
    }
    pose_view p = {loop, springs, n, NULL, {.loop = loop}, {.loop = loop}};
    double *const of_all = memory_for(&p.all, n), *const of_one = memory_for(&p.one, 1);
    size_t *loaded = calloc(n + 1, sizeof *loaded);
    stiction_status status = of_all && of_one && loaded
                                 ? STICTION_OK
                                 : stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    *body = 0;
    for (size_t k = 0; k < n; k++) joints[k] = 0;
    for (size_t pose = 0; pose < mobility->pose_count && status == STICTION_OK; pose++) {
        p.W = mobility->matrices + pose * n * n;
        status = judge_pose(&p, loaded, joints, body, error);
    }
    free(of_all);
    free(of_one);
    free(loaded);
    return status;
}
