/* SPDX-License-Identifier: MIT
 * One step of the posture controller, Cisneros et al. (50) and (51). It allocates nothing.
 */
#include <math.h>
#include <string.h>

#include "controllers/qp/qp.h"
#include "joint_limits.h"
#include "posture_internal.h"

static size_t joint_count(const posture_state *s) {
    return s->controller->def.joint_count;
}

static double clamp(double value, double lower, double upper) {
    return fmin(fmax(value, lower), upper);
}

/* Whether an array is given and finite. */
static bool usable(size_t count, const double *values) {
    if (!values) return false;
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k])) return false;
    return true;
}

static bool input_is_usable(const posture_state *s, const posture_input *in) {
    const size_t n = joint_count(s);
    if (!isfinite(in->t) || !isfinite(in->dt) || !(in->dt > 0)) return false;
    if (!usable(n, in->q) || !usable(n, in->dq)) return false;
    if (in->feedforward && !usable(n, in->feedforward)) return false;
    return s->controller->def.mode != POSTURE_QP || (usable(n * n, in->M) && usable(n, in->c));
}

/* What the joint should do. */

posture_reference posture_desired(const posture_state *s, size_t joint, double t, double q) {
    const double start = s->started ? s->start[joint] : q;
    const bool torque = s->controller->def.mode == POSTURE_TORQUE;
    return posture_trajectory_at(&s->controller->joints[joint].trajectory, t, torque ? 0 : start);
}

/* (50), or the torque itself in the other modes. */
static double reference_of(posture_mode mode, const posture_joint_def *joint, posture_reference d,
                           double q, double dq) {
    if (mode == POSTURE_TORQUE) return d.q;
    const double tracking = joint->kp * (d.q - q) + joint->kv * (d.dq - dq);
    return mode == POSTURE_PD ? tracking : tracking + d.ddq;
}

/*
 * The limits, relaxed level by level. Torque limits are never relaxed; as M is positive definite,
 * some acceleration always keeps them.
 */

static double feedforward_of(const posture_input *in, size_t i) {
    return in->feedforward ? in->feedforward[i] : 0;
}

/* The feed-forward counts against the limit that it pushes to, since friction may be weaker than
 * assumed. Using M[i][i] alone is accurate enough: a limit that is missed by an acceleration is
 * kept to 4 dt^2 of it. */
static joint_range acceleration_range(const posture_joint_def *joint, limit_level at, size_t i,
                                      const posture_input *in, size_t n) {
    joint_range range = joint_acceleration_range(joint, at, in->q[i], in->dq[i], in->dt);
    const double ahead = feedforward_of(in, i) / in->M[i * n + i];
    range.lower -= fmin(ahead, 0);
    range.upper -= fmax(ahead, 0);
    if (range.lower > range.upper) range.lower = range.upper = 0.5 * (range.lower + range.upper);
    return range;
}

/* The quadratic program over x = weight (ddq - wanted). */

static void set_torque_rows(posture_state *s, const posture_input *in) {
    const size_t n = joint_count(s);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            s->A[i * n + j] = in->M[i * n + j] / s->controller->joints[j].weight;
}

static void set_bounds(posture_state *s, const posture_input *in, limit_level at) {
    const size_t n = joint_count(s);
    const posture_joint_def *joints = s->controller->joints;
    /* the joint still brakes as far as it can for a limit that was relaxed */
    for (size_t i = 0; i < n; i++) {
        const joint_range all = acceleration_range(&joints[i], LIMITS_ALL, i, in, n);
        const double asked = s->reference[i] + s->push[i];
        s->wanted[i] = at == LIMITS_ALL ? asked : clamp(asked, all.lower, all.upper);
    }
    for (size_t i = 0; i < n; i++) {
        const double torque =
            dense_dot(n, in->M + i * n, s->wanted) + in->c[i] + feedforward_of(in, i);
        s->lower[i] = -joints[i].torque_limit - torque;
        s->upper[i] = joints[i].torque_limit - torque;
        const joint_range motion = acceleration_range(&joints[i], at, i, in, n);
        s->lower[n + i] = motion.lower - s->wanted[i];
        s->upper[n + i] = motion.upper - s->wanted[i];
    }
}

/* Whether x = 0, the free minimum, keeps all rows: so it is in most steps. */
static bool nothing_limits(const posture_state *s) {
    for (size_t i = 0; i < 2 * joint_count(s); i++)
        if (!(s->lower[i] <= 0 && s->upper[i] >= 0)) return false;
    return true;
}

static qp_result solve_at(posture_state *s, const posture_input *in, limit_level at) {
    const size_t n = joint_count(s);
    set_bounds(s, in, at);
    if (nothing_limits(s)) {
        memset(s->x, 0, n * sizeof *s->x);
        return (qp_result){QP_SOLVED, 2 * n, 0, 0};
    }
    set_torque_rows(s, in);
    const qp_problem problem = {n, 2 * n, s->H, s->g, s->A, s->lower, s->upper};
    return qp_solve(&problem, s->x, NULL, s->workspace);
}

/* tau = M ddq + c + feed-forward, where ddq has the push of the integral term in it. */
static void compute_torque(posture_state *s, const posture_input *in, bool is_free) {
    const size_t n = joint_count(s);
    for (size_t i = 0; i < n; i++)
        s->acceleration[i] = s->wanted[i] + s->x[i] / s->controller->joints[i].weight;
    for (size_t i = 0; i < n; i++) {
        /* where nothing limits, term by term as in (51) */
        const double *row = in->M + i * n;
        const double whole =
            is_free ? dense_dot(n, row, s->reference) + in->c[i] + s->integral_torque[i]
                    : dense_dot(n, row, s->acceleration) + in->c[i];
        s->torque[i] = whole + feedforward_of(in, i);
    }
}

static unsigned inverse_dynamics(posture_state *s, const posture_input *in) {
    const posture *p = s->controller;
    const struct {
        bool relaxes; /* whether it relaxes a limit that the level before kept */
        unsigned event;
    } levels[] = {
        [LIMITS_ALL] = {true, 0},
        [LIMITS_OF_VELOCITY] = {p->has_joint_limits, POSTURE_RELAXED_JOINT_LIMITS},
        [LIMITS_NONE] = {p->has_velocity_limits, POSTURE_RELAXED_VELOCITY_LIMITS},
    };
    unsigned events = 0;
    for (limit_level at = LIMITS_ALL; at <= LIMITS_NONE; at++) {
        if (!levels[at].relaxes) continue;
        const qp_result result = solve_at(s, in, at);
        events |= levels[at].event;
        if (result.status == QP_SOLVED) {
            compute_torque(s, in, at == LIMITS_ALL && nothing_limits(s));
            return events;
        }
        if (at == LIMITS_ALL && result.status == QP_INFEASIBLE)
            s->blocking = result.row % joint_count(s);
        if (p->def.hold_infeasible) break;
    }
    return events | POSTURE_HELD;
}

/* (51) with K_I = M lambda: joint i accelerates by lambda_i times the velocity that it lacks.
 * The program is asked for it as well, so that all limits bind it. */
static void find_push(posture_state *s, const posture_input *in) {
    const size_t n = joint_count(s);
    memset(s->push, 0, n * sizeof *s->push);
    if (!s->controller->integrates) return;
    for (size_t i = 0; i < n; i++)
        s->push[i] = s->controller->joints[i].lambda * (s->integral[i] - in->dq[i]);
    for (size_t i = 0; i < n; i++) s->integral_torque[i] = dense_dot(n, in->M + i * n, s->push);
}

/* The integral at the next step: of ddq_r or, against windup, of what the limits leave of it. */
static double integrate(const posture_state *s, const posture_input *in, size_t i) {
    const posture_def *def = &s->controller->def;
    if (!s->controller->integrates) return s->integral[i];
    const double asked = def->anti_windup ? s->acceleration[i] - s->push[i] : s->reference[i];
    return s->integral[i] + in->dt * (asked - def->leak * (s->integral[i] - in->dq[i]));
}

/* A row at its bound misses it by rounding; within this share of the bound it is not clamped. */
static const double rounding = 1e-9;

static unsigned finish_torque(posture_state *s, const posture_input *in) {
    unsigned events = 0;
    for (size_t i = 0; i < joint_count(s); i++) {
        const double limit = s->controller->joints[i].torque_limit, whole = s->torque[i];
        s->torque[i] = isnan(whole) ? whole : clamp(whole, -limit, limit);
        s->next_integral[i] = integrate(s, in, i);
        if (fabs(s->torque[i] - whole) > rounding * limit) events |= POSTURE_CLAMPED;
    }
    return events;
}

/* The step. */

/* Everything that a step finds out, at its beginning. */
static void clear(posture_state *s) {
    const size_t size = joint_count(s) * sizeof(double);
    double *const arrays[] = {s->reference, s->acceleration, s->torque, s->integral_torque};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) memset(arrays[k], 0, size);
    s->blocking = joint_count(s);
}

static unsigned control(posture_state *s, const posture_input *in) {
    const size_t n = joint_count(s);
    const posture *p = s->controller;
    if (!input_is_usable(s, in)) return POSTURE_FAULT;
    if (!s->started) {
        /* tau_p is 0 at first, however fast the joint moves */
        memcpy(s->start, in->q, n * sizeof *s->start);
        memcpy(s->integral, in->dq, n * sizeof *s->integral);
    }
    for (size_t i = 0; in->wanted && i < n; i++)
        if (!isnan(in->wanted[i])) s->start[i] = in->wanted[i];
    for (size_t i = 0; i < n; i++) {
        const posture_reference desired = posture_desired(s, i, in->t, s->start[i]);
        s->reference[i] = reference_of(p->def.mode, &p->joints[i], desired, in->q[i], in->dq[i]);
    }
    unsigned events = 0;
    if (p->def.mode == POSTURE_QP) {
        find_push(s, in);
        events = inverse_dynamics(s, in);
    } else {
        for (size_t i = 0; i < n; i++) s->torque[i] = s->reference[i] + feedforward_of(in, i);
    }
    if (events & POSTURE_HELD) {
        memcpy(s->torque, s->last, n * sizeof *s->torque);
        memcpy(s->next_integral, s->integral, n * sizeof *s->next_integral);
    } else {
        events |= finish_torque(s, in);
    }
    /* numbers that are too large to compute with count as not finite */
    return usable(n, s->torque) && usable(n, s->next_integral) ? events : POSTURE_FAULT;
}

/* Stores what the next step needs. */
static void commit(posture_state *s) {
    const size_t size = joint_count(s) * sizeof(double);
    memcpy(s->integral, s->next_integral, size);
    memcpy(s->last, s->torque, size);
    s->started = true;
}

static void copy_output(const posture_state *s, const posture_output *out) {
    const struct {
        double *to;
        const double *from;
    } arrays[] = {
        {out->torque, s->torque},
        {out->reference, s->reference},
        {out->acceleration, s->acceleration},
        {out->integral_torque, s->integral_torque},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        if (arrays[k].to) memcpy(arrays[k].to, arrays[k].from, joint_count(s) * sizeof(double));
    if (out->blocking) *out->blocking = s->blocking;
}

unsigned posture_step(posture_state *s, const posture_input *input, const posture_output *output) {
    clear(s);
    const unsigned events = control(s, input);
    if (events & POSTURE_FAULT)
        clear(s);
    else
        commit(s);
    copy_output(s, output);
    for (size_t k = 0; k < event_count; k++) s->counts[k] += events >> k & 1;
    return events;
}
