/* SPDX-License-Identifier: MIT
 * The digits of a solution: Newton's method on the conditions of Kuhn and Tucker, with residuals
 * from the data as they were given, but for powers of 2.
 */
#include <math.h>
#include <string.h>

#include "qp_internal.h"

double dense_dot(size_t n, const double *a, const double *b) {
    /* several sums: a single one would wait for each addition */
    double sum[4] = {0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t j = 0; j < 4; j++) sum[j] += a[k + j] * b[k + j];
    for (; k < n; k++) sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double qp_row_value(const solver *s, size_t row) {
    const row_info *info = &s->rows[row];
    double value;
    if (info->single < s->n) return info->entry * s->x[info->single];
    s->k->dots(1, s->A + row * s->stride, s->stride, s->stride, s->x, &value);
    return value;
}

double qp_row_size(const solver *s, size_t row) {
    const row_info *info = &s->rows[row];
    if (info->single < s->n) return fabs(info->entry * s->x[info->single]);
    const double *a = s->A + row * s->stride;
    double size = 0;
    for (size_t k = 0; k < s->n; k++) size += fabs(a[k] * s->x[k]);
    return size;
}

/* residual = -(Hx + g - the forces of the rows that are held). */
static void stationarity_residual(solver *s, double *residual) {
    s->k->dots(s->n, s->H, s->stride, s->stride, s->x, residual);
    s->length = sqrt(fabs(dense_dot(s->n, s->x, residual)));
    for (size_t k = 0; k < s->n; k++) residual[k] = -s->g[k] - residual[k];
    for (size_t j = 0; j < s->count; j++) {
        const held_side *c = &s->held[j];
        const row_info *row = &s->rows[c->at.row];
        const double force = c->at.sign * s->multiplier[j] * c->inverse_length;
        if (row->single < s->n)
            residual[row->single] += force * row->entry;
        else
            s->k->combine(1, &force, s->A + c->at.row * s->stride, s->stride, s->stride, residual);
    }
}

/* R^-T times the distances of the held rows from their bounds. */
static void row_residual(const solver *s, double *w) {
    for (size_t j = 0; j < s->count; j++) {
        const held_side *c = &s->held[j];
        w[j] = (c->at.bound - c->at.sign * qp_row_value(s, c->at.row)) * c->inverse_length;
    }
    qp_solve_R_transposed(s, w);
}

void qp_correct_rows(solver *s) {
    memset(s->e, 0, s->stride * sizeof *s->e);
    row_residual(s, s->w);
    s->k->combine(s->count, s->w, s->Jt, s->stride, s->stride, s->e);
    for (size_t k = 0; k < s->n; k++) s->x[k] += s->e[k];
}

/* dy - N dlambda = e and N' dy = w, with N = Q [R; 0]. */
double qp_refine(solver *s, double *free_step) {
    const size_t n = s->n, count = s->count;
    double *d = s->d, *w = s->w;
    stationarity_residual(s, s->e);
    row_residual(s, w);
    qp_to_basis(s, s->e, d);
    double squares = 0, free_squares = 0;
    for (size_t j = 0; j < n; j++) {
        free_squares += d[j] * d[j];
        if (j < count) {
            const double projected = d[j];
            d[j] = w[j];
            w[j] -= projected;
        }
        squares += d[j] * d[j];
    }
    qp_from_basis(s, d, s->z);
    for (size_t k = 0; k < n; k++) s->x[k] += s->z[k];
    qp_solve_R(s, w);
    for (size_t j = 0; j < count; j++) s->multiplier[j] += w[j];
    if (free_step) *free_step = sqrt(free_squares);
    return sqrt(squares);
}
