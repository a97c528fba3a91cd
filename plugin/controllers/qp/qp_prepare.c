/*
 * A quadratic program made ready: the workspace cut, H balanced and factored, rows of length 1.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "qp_internal.h"

/* More variables or rows than any robot has joints. */
enum { most = 4096 };

/* The workspace. */

typedef struct memory {
    char *start; /* NULL: only the size is wanted */
    size_t used;
} memory;

static void *take(memory *from, size_t count, size_t item_size) {
    const size_t at = from->used, unit = sizeof(max_align_t);
    from->used += (count * item_size + unit - 1) / unit * unit;
    return from->start ? from->start + at : NULL;
}

static void lay_out(solver *s, size_t n, size_t m, memory *from) {
    s->H = (envelope){n, take(from, n, sizeof(size_t)), take(from, n * n, sizeof(double))};
    s->held = (basis){n, 0, take(from, n * n, sizeof(double)), take(from, n * n, sizeof(double))};
    s->normals = take(from, m * n, sizeof(double));
    double **const of_rows[] = {&s->norm, &s->lower, &s->upper};
    for (size_t k = 0; k < sizeof of_rows / sizeof of_rows[0]; k++)
        *of_rows[k] = take(from, m, sizeof(double));
    double **const of_variables[] = {&s->scale, &s->start,      &s->y, &s->x,
                                     &s->d,     &s->multiplier, &s->r, &s->z};
    for (size_t k = 0; k < sizeof of_variables / sizeof of_variables[0]; k++)
        *of_variables[k] = take(from, n, sizeof(double));
    s->sides = take(from, n, sizeof(side));
    s->state = take(from, m, sizeof(row_state));
}

size_t qp_workspace_size(size_t n, size_t m) {
    if (n == 0 || n > most || m > most) return 0;
    solver s;
    memory counted = {NULL, 0};
    lay_out(&s, n, m, &counted);
    return counted.used;
}

/* From the problem to y. */

bool qp_all_finite(size_t count, const double *values) {
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k])) return false;
    return true;
}

bool qp_input_is_usable(const qp_problem *p, const double *x, const void *workspace) {
    if (!p || !x || !workspace || qp_workspace_size(p->n, p->m) == 0 || !p->H || !p->g)
        return false;
    for (size_t i = 0; i < p->n; i++)
        if (!qp_all_finite(i + 1, p->H + i * p->n)) return false;
    if (!qp_all_finite(p->n, p->g)) return false;
    if (p->m == 0) return true;
    if (!p->A || !p->lower || !p->upper || !qp_all_finite(p->m * p->n, p->A)) return false;
    for (size_t i = 0; i < p->m; i++)
        if (!(p->lower[i] < (double)INFINITY) || !(p->upper[i] > -(double)INFINITY)) return false;
    return true;
}

/* A power of 2 near 1/sqrt(value): scaling by it is exact. */
static double balancing(double value) {
    int exponent;
    (void)frexp(value, &exponent);
    return ldexp(1, -exponent / 2);
}

static bool scale_objective(solver *s) {
    const qp_problem *p = s->p;
    const size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        if (!(p->H[i * n + i] > 0)) return false;
        s->scale[i] = balancing(p->H[i * n + i]);
    }
    if (!envelope_factor(&s->H, p->H, s->scale)) return false;
    for (size_t i = 0; i < n; i++) s->start[i] = -p->g[i] * s->scale[i];
    envelope_forward(&s->H, s->start);
    memcpy(s->y, s->start, n * sizeof *s->y);
    return qp_all_finite(n, s->y);
}

/* The length of v, which is made 1; 0 where v is 0. */
static double normalise(size_t n, double *v) {
    double largest = 0;
    for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(v[k]));
    if (largest == 0) return 0;
    for (size_t k = 0; k < n; k++) v[k] /= largest;
    const double length = sqrt(dense_dot(n, v, v));
    for (size_t k = 0; k < n; k++) v[k] /= length;
    return largest * length;
}

/* Whether a bound became infinite by the scaling. */
static bool overflows(double given, double scaled) {
    return isfinite(given) && !isfinite(scaled);
}

/* False: numbers overflow. */
static bool scale_row(solver *s, size_t i) {
    const qp_problem *p = s->p;
    double *normal = s->normals + i * p->n;
    for (size_t k = 0; k < p->n; k++) normal[k] = p->A[i * p->n + k] * s->scale[k];
    envelope_forward(&s->H, normal);
    const double norm = normalise(p->n, normal);
    s->norm[i] = norm;
    s->state[i] = norm == 0 ? ROW_EMPTY : ROW_OPEN;
    if (norm == 0) return true;
    s->lower[i] = p->lower[i] / norm;
    s->upper[i] = p->upper[i] / norm;
    return isfinite(norm) && !overflows(p->lower[i], s->lower[i]) &&
           !overflows(p->upper[i], s->upper[i]);
}

double qp_contradiction(const solver *s, size_t i) {
    const double lower = s->p->lower[i], upper = s->p->upper[i];
    return s->state[i] == ROW_EMPTY ? fmax(lower, -upper) : lower - upper;
}

void qp_to_x(const solver *s, double *v) {
    envelope_backward(&s->H, v);
    for (size_t k = 0; k < s->p->n; k++) v[k] *= s->scale[k];
}

bool qp_prepare(solver *s, const qp_problem *p, void *workspace) {
    memset(s, 0, sizeof *s);
    s->p = p;
    lay_out(s, p->n, p->m, &(memory){workspace, 0});
    if (!scale_objective(s)) return false;
    basis_reset(&s->held);
    for (size_t i = 0; i < p->m; i++)
        if (!scale_row(s, i)) return false;
    s->limit = 100 + 20 * (p->n + p->m);
    s->noise = (double)p->n * DBL_EPSILON * envelope_condition(&s->H);
    return true;
}
