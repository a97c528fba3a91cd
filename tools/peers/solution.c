/* SPDX-License-Identifier: MIT */
/* Converged motion under rigid friction. */
#include "solution.h"

#include <math.h>
#include <string.h>

/* ---- one joint ---- */

enum { Q, V, I, WORK, STATES };

typedef struct motion {
    const chain *c;
    const drive *d;
    int direction; /* -1, 1: slides; 0: sticks */
} motion;

static double level_at(const chain *c, double speed) {
    const double falling = c->static_torque - c->coulomb_torque;
    return c->coulomb_torque + (falling > 0 ? falling * exp(-speed / c->stribeck) : 0);
}

static double torque_at(const motion *m, double t, const double *y) {
    return m->d->torque(m->d, t, y[Q], y[V], y[I]);
}

static void derivative(const motion *m, double t, const double *y, double *dy) {
    dy[Q] = y[V];
    dy[V] = 0;
    if (m->direction) {
        const double friction = m->direction * level_at(m->c, fabs(y[V])) + m->c->viscous * y[V];
        dy[V] = (torque_at(m, t, y) - friction) / m->d->inertia;
    } else {
        dy[Q] = 0;
    }
    dy[WORK] = torque_at(m, t, y) * dy[Q];
    dy[I] = m->d->rate ? m->d->rate(m->d, t, y[Q], y[V]) : 0;
}

/* Positive until the mode ends: sliding against its direction, or a load above F_S. */
static double margin(const motion *m, double t, const double *y) {
    return m->direction ? m->direction * y[V] : m->c->static_torque - fabs(torque_at(m, t, y));
}

/* One step of Dormand and Prince; returns the largest estimated error. */
static double step_fine(const motion *m, double t, double h, const double *y, double *out) {
    static const double a[7][6] = {
        {0},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static const double c[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
    static const double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double k[7][STATES], at[STATES], error = 0;
    for (int s = 0; s < 7; s++) {
        for (int n = 0; n < STATES; n++) {
            at[n] = y[n];
            for (int r = 0; r < s; r++) at[n] += h * a[s][r] * k[r][n];
        }
        derivative(m, t + c[s] * h, at, k[s]);
    }
    for (int n = 0; n < STATES; n++) {
        double off = 0;
        for (int s = 0; s < 7; s++) off += h * e[s] * k[s][n];
        out[n] = at[n];
        error = fmax(error, fabs(off) / fmax(1, fabs(y[n])));
    }
    return error;
}

static double step_coarse(const motion *m, double t, double h, const double *y, double *out) {
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[4][STATES], at[STATES];
    memcpy(out, y, STATES * sizeof *y);
    for (int s = 0; s < 4; s++) {
        for (int n = 0; n < STATES; n++) at[n] = y[n] + (s ? part[s] * h * k[s - 1][n] : 0);
        derivative(m, t + part[s] * h, at, k[s]);
        for (int n = 0; n < STATES; n++) out[n] += h / 6 * weight[s] * k[s][n];
    }
    return 0;
}

/* What comes after the end of a mode. */
static void change_mode(motion *m, double t, double *y, reference_motion *r) {
    if (m->direction) {
        y[V] = 0;
        const double torque = torque_at(m, t, y);
        const bool sticks = fabs(torque) <= m->c->static_torque;
        m->direction = sticks ? 0 : torque > 0 ? 1 : -1;
    } else {
        m->direction = torque_at(m, t, y) > 0 ? 1 : -1;
        if (r->breakaways == REFERENCE_MOST_EVENTS) return;
        r->times[r->breakaways] = t;
        r->places[r->breakaways++] = y[Q];
    }
}

reference_motion reference_joint(const chain *c, const drive *d, double duration, bool fine) {
    const double tolerance = 1e-12, longest = fine ? 1e-2 : 1e-4;
    motion m = {.c = c, .d = d};
    reference_motion r = {.breakaways = 0};
    double y[STATES] = {0}, out[STATES], t = 0, h = 1e-4;
    double (*step)(const motion *, double, double, const double *, double *) =
        fine ? step_fine : step_coarse;
    bool just_changed = false;
    while (t < duration) {
        if (!m.direction && margin(&m, t, y) <= 0) {
            change_mode(&m, t, y, &r);
            just_changed = true;
        }
        h = fmin(h, duration - t);
        const double error = step(&m, t, h, y, out);
        if (fine && error > tolerance && h > 1e-9) {
            h *= fmax(0.2, 0.9 * pow(tolerance / error, 0.2));
            continue;
        }
        /* a joint that has just begun to slide is not yet against its direction */
        if (margin(&m, t + h, out) < 0 && !(just_changed && h < 1e-8)) {
            double low = 0, high = h;
            for (int k = 0; k < 60; k++) {
                const double middle = (low + high) / 2;
                (void)step(&m, t, middle, y, out);
                if (margin(&m, t + middle, out) < 0)
                    high = middle;
                else
                    low = middle;
            }
            (void)step(&m, t, high, y, out);
            t += high;
            memcpy(y, out, sizeof y);
            change_mode(&m, t, y, &r);
            just_changed = true;
            h = 1e-5;
            continue;
        }
        just_changed = false;
        t += h;
        memcpy(y, out, sizeof y);
        h = fmin(longest,
                 fine ? h * fmin(3, 0.9 * pow(tolerance / fmax(error, 1e-16), 0.2)) : longest);
    }
    r.position = y[Q];
    r.velocity = y[V];
    r.work = y[WORK];
    return r;
}

/* ---- chains ---- */

enum { MOST = 8 };

/* Mass matrix and the forces of Coriolis and gravity, from the Jacobian of each link. */
static void dynamics(const chain *c, const double *q, const double *v, double M[MOST][MOST],
                     double *bias) {
    const int n = c->count;
    double x[MOST + 1] = {0}, y[MOST + 1] = {0}, rate = 0, angle = 0;
    double ax = 0, ay = 0; /* acceleration of a joint where all joint accelerations are 0 */
    memset(M, 0, sizeof(double[MOST][MOST]));
    memset(bias, 0, MOST * sizeof *bias);
    for (int k = 0; k < n; k++) {
        angle += q[k];
        rate += v[k];
        const double cs = cos(angle), sn = sin(angle);
        const double px = x[k] + c->centre * cs, py = y[k] + c->centre * sn;
        const double gx = ax - c->centre * cs * rate * rate;
        const double gy = ay - c->centre * sn * rate * rate + c->gravity;
        for (int i = 0; i <= k; i++) {
            const double jx = -(py - y[i]), jy = px - x[i];
            bias[i] += c->mass * (jx * gx + jy * gy);
            for (int j = 0; j <= k; j++)
                M[i][j] += c->mass * (jx * -(py - y[j]) + jy * (px - x[j])) + c->inertia;
        }
        x[k + 1] = x[k] + c->length * cs;
        y[k + 1] = y[k] + c->length * sn;
        ax -= c->length * cs * rate * rate;
        ay -= c->length * sn * rate * rate;
    }
}

static void invert(int n, double M[MOST][MOST], double A[MOST][MOST]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = i == j;
    for (int p = 0; p < n; p++) { /* positive definite: no pivoting */
        const double pivot = M[p][p];
        for (int j = 0; j < n; j++) M[p][j] /= pivot, A[p][j] /= pivot;
        for (int i = 0; i < n; i++) {
            const double factor = M[i][p];
            for (int j = 0; i != p && j < n; j++) {
                M[i][j] -= factor * M[p][j];
                A[i][j] -= factor * A[p][j];
            }
        }
    }
}

/* By steps: implicit in friction, by projected Gauss-Seidel. Returns when it came to rest. */
static double march(const chain *c, const double *velocity, double duration, double T, double *q) {
    const int n = c->count;
    double v[MOST], f[MOST] = {0}, M[MOST][MOST], A[MOST][MOST], bias[MOST], rest = 0;
    memset(q, 0, (size_t)n * sizeof *q);
    memcpy(v, velocity, (size_t)n * sizeof *v);
    const long steps = lround(duration / T);
    for (long s = 0; s < steps; s++) {
        double w[MOST], change = 1;
        dynamics(c, q, v, M, bias);
        invert(n, M, A);
        for (int i = 0; i < n; i++) {
            w[i] = v[i];
            for (int j = 0; j < n; j++) w[i] -= T * A[i][j] * (bias[j] + c->viscous * v[j] + f[j]);
        }
        for (int k = 0; k < 1000 && change > 1e-14 * c->coulomb_torque; k++) {
            change = 0;
            for (int i = 0; i < n; i++) {
                const double wanted = f[i] + w[i] / (T * A[i][i]);
                const double is = fmin(fmax(wanted, -c->coulomb_torque), c->coulomb_torque);
                const double by = is - f[i];
                f[i] = is;
                change = fmax(change, fabs(by));
                for (int j = 0; j < n; j++) w[j] -= T * A[j][i] * by;
            }
        }
        double fastest = 0;
        for (int i = 0; i < n; i++) {
            v[i] = w[i];
            q[i] += T * w[i];
            fastest = fmax(fastest, fabs(w[i]));
        }
        if (fastest > 1e-3) rest = (double)(s + 1) * T;
        if ((double)(s + 1) * T > rest + 0.5 && rest > 0) break; /* at rest for half a second */
    }
    return rest;
}

/* ---- chains, with location of every change ---- */

typedef struct chain_motion {
    const chain *c;
    int mode[MOST];    /* -1, 1: slides; 0: sticks */
    double load[MOST]; /* of joints that stick: what friction bears */
} chain_motion;

/* Accelerations: 0 where a joint sticks; the rest by elimination. */
static void accelerate(chain_motion *m, const double *q, const double *v, double *a) {
    const int n = m->c->count;
    int free[MOST], count = 0;
    double M[MOST][MOST], S[MOST][MOST], A[MOST][MOST], bias[MOST];
    dynamics(m->c, q, v, M, bias);
    for (int i = 0; i < n; i++) {
        bias[i] += m->mode[i] * m->c->coulomb_torque + m->c->viscous * v[i];
        a[i] = 0;
        if (m->mode[i] || m->c->coulomb_torque <= 0) free[count++] = i;
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) S[i][j] = M[free[i]][free[j]];
    invert(count, S, A);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) a[free[i]] -= A[i][j] * bias[free[j]];
    for (int i = 0; i < n; i++) {
        m->load[i] = -bias[i];
        for (int j = 0; j < n; j++) m->load[i] -= M[i][j] * a[j];
    }
}

/* Classical Runge-Kutta; positions, then velocities. */
static void step_chain(chain_motion *m, double h, const double *y, double *out) {
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const int n = m->c->count;
    double k[2 * MOST] = {0}, at[2 * MOST];
    memcpy(out, y, 2 * MOST * sizeof *y);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2 * MOST; i++) at[i] = y[i] + part[s] * h * k[i];
        memcpy(k, at + MOST, (size_t)n * sizeof *k);
        accelerate(m, at, at + MOST, k + MOST);
        for (int i = 0; i < 2 * MOST; i++) out[i] += h / 6 * weight[s] * k[i];
    }
}

/* The joint whose mode has ended; -1: none. */
static int ended(chain_motion *m, const double *y) {
    double a[MOST];
    accelerate(m, y, y + MOST, a);
    for (int i = 0; i < m->c->count && m->c->coulomb_torque > 0; i++)
        if (m->mode[i] ? m->mode[i] * y[MOST + i] < -1e-13
                       : fabs(m->load[i]) > m->c->coulomb_torque * (1 + 1e-12))
            return i;
    return -1;
}

/* The modes of joints at rest, from the friction that balances accelerations: Gauss-Seidel. */
static void choose_modes(chain_motion *m, const double *y) {
    const int n = m->c->count;
    const double level = m->c->coulomb_torque;
    double M[MOST][MOST], A[MOST][MOST], bias[MOST], f[MOST], a[MOST], change = 1;
    dynamics(m->c, y, y + MOST, M, bias);
    invert(n, M, A);
    for (int i = 0; i < n; i++) f[i] = y[MOST + i] != 0 ? copysign(level, y[MOST + i]) : 0;
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        for (int j = 0; j < n; j++)
            a[i] -= A[i][j] * (bias[j] + f[j] + m->c->viscous * y[MOST + j]);
    }
    for (int k = 0; k < 100000 && change > 1e-15 * level; k++) {
        change = 0;
        for (int i = 0; i < n; i++) {
            if (y[MOST + i] != 0) continue;
            const double is = fmin(fmax(f[i] + a[i] / A[i][i], -level), level), by = is - f[i];
            f[i] = is;
            change = fmax(change, fabs(by));
            for (int j = 0; j < n; j++) a[j] -= A[j][i] * by;
        }
    }
    for (int i = 0; i < n; i++)
        m->mode[i] = fabs(f[i]) < level * (1 - 1e-11) ? 0 : f[i] > 0 ? 1 : -1;
}

static double integrate(const chain *c, const double *velocity, double duration, double *q) {
    chain_motion m = {.c = c};
    double y[2 * MOST] = {0}, out[2 * MOST], t = 0, rest = 0;
    memcpy(y + MOST, velocity, (size_t)c->count * sizeof *y);
    if (c->coulomb_torque > 0) choose_modes(&m, y);
    while (t < duration) {
        double h = fmin(2e-4, duration - t), low = 0;
        step_chain(&m, h, y, out);
        int who = ended(&m, out);
        for (int k = 0; k < 60 && who >= 0; k++) {
            const double middle = (low + h) / 2;
            step_chain(&m, middle, y, out);
            const int earlier = ended(&m, out);
            if (earlier >= 0) who = earlier;
            *(earlier >= 0 ? &h : &low) = middle;
        }
        if (who >= 0) step_chain(&m, h, y, out);
        t += h;
        memcpy(y, out, sizeof y);
        if (who >= 0) {
            if (m.mode[who]) y[MOST + who] = 0;
            choose_modes(&m, y);
        }
        bool moves = c->coulomb_torque <= 0;
        for (int i = 0; i < c->count; i++) {
            moves = moves || m.mode[i];
            if (fabs(y[MOST + i]) > 1e-3) rest = t;
        }
        if (!moves) break;
    }
    memcpy(q, y, (size_t)c->count * sizeof *q);
    return rest;
}

void reference_chain(const chain *c, const double *velocity, double duration, double timestep,
                     double *position, double *rest, double *error, double *rest_error) {
    double coarse[MOST], fine[MOST];
    *rest = integrate(c, velocity, duration, position);
    const double first = march(c, velocity, duration, timestep, coarse);
    const double second = march(c, velocity, duration, timestep / 2, fine);
    *rest_error = fabs(2 * second - first - *rest);
    *error = 0;
    for (int k = 0; k < c->count; k++) /* of first order in T */
        *error = fmax(*error, fabs(2 * fine[k] - coarse[k] - position[k]));
}
