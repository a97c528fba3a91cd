/* SPDX-License-Identifier: MIT
 * Position, velocity and acceleration of a log by local polynomials (weighted least squares with a
 * kernel), on the real time stamps. Only the motion is smoothed, never the torque: friction is not
 * linear in the velocity.
 */
#include "smooth_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_terms = 4 };

/* Solves a symmetric positive definite system of n <= 4 in place. */
static bool solve(size_t n, double a[most_terms][most_terms], double b[most_terms]) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (size_t k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
            if (i == j) {
                if (!(sum > 1e-12)) return false;
                a[i][i] = sqrt(sum);
            } else {
                a[i][j] = sum / a[j][j];
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return true;
}

/* The polynomial of `terms` coefficients around sample i, over the samples within `window`;
 * derivatives 0, 1, 2 in out[]. */
static void local_fit(const double *t, const double *y, size_t count, size_t i, double window,
                      size_t terms, size_t *from, size_t *to, double out[3]) {
    while (t[i] - t[*from] > window) ++*from;
    while (*to + 1 < count && t[*to + 1] - t[i] <= window) ++*to;
    size_t low = *from, high = *to > i ? *to : i;
    while (high - low + 1 < terms + 1 && (low > 0 || high + 1 < count)) {
        if (low > 0) low--;
        if (high + 1 < count) high++;
    }
    const double reach = fmax(t[high] - t[i], t[i] - t[low]) * 1.0001 + 1e-12;
    for (; terms > 0; terms--) {
        double a[most_terms][most_terms] = {{0}}, b[most_terms] = {0};
        for (size_t k = low; k <= high; k++) {
            const double x = (t[k] - t[i]) / reach, u = 1 - x * x, w = u * u + 1e-4;
            double power = w, powers[2 * most_terms - 1];
            for (size_t n = 0; n < 2 * terms - 1; n++, power *= x) powers[n] = power;
            for (size_t n = 0; n < terms; n++) {
                b[n] += powers[n] * (y[k] - y[i]);
                for (size_t m = 0; m <= n; m++) a[n][m] += powers[n + m];
            }
        }
        if (!solve(terms, a, b)) continue;
        out[0] = y[i] + b[0];
        out[1] = terms > 1 ? b[1] / reach : 0;
        out[2] = terms > 2 ? 2 * b[2] / (reach * reach) : 0;
        return;
    }
    out[0] = y[i], out[1] = out[2] = 0;
}

static void smooth_position(const double *t, size_t count, const double *q, double window,
                            double *const to[3]) {
    size_t from = 0, until = 0;
    for (size_t i = 0; i < count; i++) {
        double out[3];
        local_fit(t, q, count, i, window, 4, &from, &until, out);
        for (size_t n = 0; n < 3; n++) to[n][i] = out[n];
    }
}

static void smooth_velocity(const double *t, size_t count, const double *q, const double *v,
                            double window, double *const to[3]) {
    size_t from = 0, until = 0;
    for (size_t i = 0; i < count; i++) {
        double out[3];
        local_fit(t, v, count, i, window, 3, &from, &until, out);
        to[1][i] = out[0], to[2][i] = out[1];
        to[0][i] = q        ? q[i]
                   : i == 0 ? 0
                            : to[0][i - 1] + 0.5 * (t[i] - t[i - 1]) * (v[i] + v[i - 1]);
    }
}

void fit_smooth_along(const double *t, size_t count, const double *q, const double *v,
                      double window, double *const to[3]) {
    if (v)
        smooth_velocity(t, count, q, v, window, to);
    else
        smooth_position(t, count, q, window, to);
}

double fit_median_step(const fit_log *log) {
    const double *t = log->column[LOG_TIME];
    return (t[log->count - 1] - t[0]) / (double)(log->count - 1);
}

void fit_motion_make(fit_motion *m, const fit_log *log, const fit_smoothing *s, double most_step) {
    const size_t n = log->count;
    const double *t = log->column[LOG_TIME];
    if (!m->position) {
        m->position = allocate(n, sizeof(double));
        m->velocity = allocate(n, sizeof(double));
        m->acceleration = allocate(n, sizeof(double));
        m->at = allocate(n, sizeof(size_t));
        m->share = allocate(n, sizeof(double));
        const double step = fit_median_step(log);
        m->grid_step = step / ceil(step / most_step - 1e-6);
        m->grid = (size_t)((t[n - 1] - t[0]) / m->grid_step + 0.5) + 2;
        m->grid_velocity = allocate(m->grid, sizeof(double));
        m->grid_position = allocate(m->grid, sizeof(double));
        for (size_t i = 0; i < n; i++) {
            const double x = (t[i] - t[0]) / m->grid_step + 1e-7;
            m->at[i] = (size_t)x;
            m->share[i] = fmax(x - (double)m->at[i] - 1e-6, 0);
        }
    }
    double *const to[3] = {m->position, m->velocity, m->acceleration};
    fit_smooth_along(t, n, log->column[LOG_POSITION],
                     s->of_velocity ? log->column[LOG_VELOCITY] : NULL, s->window, to);
    size_t i = 0;
    for (size_t g = 0; g < m->grid; g++) {
        const double now = t[0] + (double)g * m->grid_step;
        while (i + 2 < n && t[i + 1] <= now) i++;
        const double x = fmin(fmax((now - t[i]) / (t[i + 1] - t[i]), 0), 1);
        m->grid_velocity[g] = m->velocity[i] + x * (m->velocity[i + 1] - m->velocity[i]);
        m->grid_position[g] = m->position[i] + x * (m->position[i + 1] - m->position[i]);
    }
}

void fit_motion_free(fit_motion *m) {
    free(m->position), free(m->velocity), free(m->acceleration);
    free(m->grid_velocity), free(m->grid_position), free(m->at), free(m->share);
    *m = (fit_motion){0};
}
