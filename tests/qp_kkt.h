/* SPDX-License-Identifier: MIT
 * How well a point solves a quadratic program: the conditions of Kuhn and Tucker, each relative to
 * the sum of the magnitudes of the terms in it, so that units do not matter. Computed here from the
 * data; nothing of the solver is used. A wrong sign of a multiplier shows as a row that is not at
 * the bound that the sign names. Where all terms of a row with bound 0 are 0 there is nothing to be
 * relative to: 1e-13 of what the row is where all x are as large as the largest counts as none.
 */
#ifndef STICTION_TESTS_QP_KKT_H
#define STICTION_TESTS_QP_KKT_H

#include <math.h>
#include <stdbool.h>

#include "controllers/qp/qp.h"

/* An error of nothing is 0, also where there are no terms. */
static inline double relative_error(double error, double size) {
    return error > 0 ? error / size : isnan(error) ? (double)INFINITY : 0;
}

/* Hx + g + A' multipliers = 0. */
static inline double kkt_stationarity(const qp_problem *p, const double *x,
                                      const double *multipliers) {
    double worst = 0;
    for (size_t k = 0; k < p->n; k++) {
        double sum = p->g[k], size = fabs(p->g[k]);
        for (size_t j = 0; j < p->n; j++) {
            const double term = (j <= k ? p->H[k * p->n + j] : p->H[j * p->n + k]) * x[j];
            sum += term;
            size += fabs(term);
        }
        for (size_t i = 0; i < p->m; i++) {
            sum += p->A[i * p->n + k] * multipliers[i];
            size += fabs(p->A[i * p->n + k] * multipliers[i]);
        }
        worst = fmax(worst, relative_error(fabs(sum), size));
    }
    return worst;
}

/* lower <= Ax <= upper, with the bound that a multiplier names. */
static inline double kkt_rows(const qp_problem *p, const double *x, const double *multipliers) {
    double worst = 0, largest = 0;
    for (size_t k = 0; k < p->n; k++) largest = fmax(largest, fabs(x[k]));
    for (size_t i = 0; i < p->m; i++) {
        double value = 0, size = 0, none = 0;
        for (size_t k = 0; k < p->n; k++) {
            value += p->A[i * p->n + k] * x[k];
            size += fabs(p->A[i * p->n + k] * x[k]);
            none += 1e-13 * fabs(p->A[i * p->n + k]) * largest;
        }
        const double below = p->lower[i] - value, above = value - p->upper[i];
        if (isfinite(p->lower[i])) size += fabs(p->lower[i]);
        if (isfinite(p->upper[i])) size += fabs(p->upper[i]);
        worst = fmax(worst, relative_error(fmax(below, above) - none, size));
        if (p->lower[i] == p->upper[i]) continue;
        if (multipliers[i] > 0) worst = fmax(worst, relative_error(fabs(above) - none, size));
        if (multipliers[i] < 0) worst = fmax(worst, relative_error(fabs(below) - none, size));
    }
    return worst;
}

static inline double kkt_error(const qp_problem *p, const double *x, const double *multipliers) {
    return fmax(kkt_stationarity(p, x, multipliers), kkt_rows(p, x, multipliers));
}

#endif
