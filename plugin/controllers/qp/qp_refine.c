/*
 * The last digits of a solution: Newton's method on the conditions of Kuhn and Tucker, with
 * residuals from the data as they were given.
 */
#include "qp_internal.h"

/* residual = -(Hx + g - the held rows' forces), from the lower triangle of H. */
static void stationarity_residual(const solver *s, double *residual) {
    const qp_problem *p = s->p;
    for (size_t i = 0; i < p->n; i++) {
        const double *row = p->H + i * p->n;
        residual[i] = -p->g[i] - dense_dot(i + 1, row, s->x);
        dense_add(i, -s->x[i], row, residual);
    }
    for (size_t j = 0; j < s->held.count; j++) {
        const side c = s->sides[j];
        const double force = c.sign * s->multiplier[j] / s->norm[c.row];
        dense_add(p->n, force, p->A + c.row * p->n, residual);
    }
}

/* How far a held row is from its bound, in the scale of y. */
static double row_residual(const solver *s, side c) {
    const qp_problem *p = s->p;
    const double bound = c.sign > 0 ? p->lower[c.row] : p->upper[c.row];
    const double value = dense_dot(p->n, p->A + c.row * p->n, s->x);
    return c.sign * (bound - value) / s->norm[c.row];
}

/* One Newton step on the conditions of Kuhn and Tucker, for the rows that are held:
 * dy - N dlambda = e and N' dy = w, with N = Q [R; 0]. */
void qp_refine(solver *s) {
    const size_t n = s->p->n, count = s->held.count;
    double *e = s->z, *w = s->r, *d = s->d;
    stationarity_residual(s, e);
    for (size_t k = 0; k < n; k++) e[k] *= s->scale[k];
    envelope_forward(&s->H, e);
    for (size_t j = 0; j < count; j++) w[j] = row_residual(s, s->sides[j]);
    basis_solve_transposed(&s->held, w);

    basis_project(&s->held, e, d);
    for (size_t j = 0; j < count; j++) {
        const double projected = d[j];
        d[j] = w[j];
        w[j] -= projected;
    }
    basis_expand(&s->held, 0, n, d, e);
    dense_add(n, 1, e, s->y);
    qp_to_x(s, e);
    dense_add(n, 1, e, s->x);
    basis_solve(&s->held, w);
    dense_add(count, 1, w, s->multiplier);
}
