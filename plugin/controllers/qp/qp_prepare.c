/* SPDX-License-Identifier: MIT
 * A quadratic program made ready: the workspace cut, the problem scaled, H factored.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "qp_internal.h"

/* More variables or rows than any robot has joints. */
enum { most = 4096 };

/* The workspace. */

enum { line = 64 }; /* bytes: arrays begin where the processor's lines of memory do */

typedef struct memory {
    char *start; /* NULL: only the size is wanted */
    size_t used;
} memory;

static void *take(memory *from, size_t count, size_t item_size) {
    const size_t at = from->used;
    from->used += (count * item_size + line - 1) / line * line;
    return from->start ? from->start + at : NULL;
}

static void lay_out(solver *s, size_t n, size_t m, memory *from) {
    s->n = n;
    s->m = m;
    s->stride = (n + 3) / 4 * 4;
    double **const squares[] = {&s->H, &s->U, &s->R, &s->V, &s->Jt, &s->wide};
    for (size_t k = 0; k < sizeof squares / sizeof squares[0]; k++)
        *squares[k] = take(from, n * s->stride, sizeof(double));
    double **const of_variables[] = {&s->scale,     &s->g,          &s->inverse_diagonal,
                                     &s->deviation, &s->multiplier, &s->inverse_R,
                                     &s->beta,      &s->x,          &s->d,
                                     &s->r,         &s->z,          &s->e,
                                     &s->w,         &s->gathered};
    for (size_t k = 0; k < sizeof of_variables / sizeof of_variables[0]; k++)
        *of_variables[k] = take(from, s->stride, sizeof(double));
    s->A = take(from, m * s->stride, sizeof(double));
    s->value = take(from, m, sizeof(double));
    s->rows = take(from, m, sizeof(row_info));
    s->dense = take(from, m, sizeof(size_t));
    s->sides = take(from, m, sizeof(side));
    s->held = take(from, n, sizeof(held_side));
}

size_t qp_workspace_size(size_t n, size_t m) {
    if (n == 0 || n > most || m > most) return 0;
    solver s;
    memory counted = {NULL, 0};
    lay_out(&s, n, m, &counted);
    return counted.used + line;
}

static void *aligned(void *workspace) {
    const size_t beyond = (size_t)((uintptr_t)workspace % line);
    return (char *)workspace + (beyond ? line - beyond : 0);
}

/* The problem, scaled. */

bool qp_input_is_usable(const qp_problem *p, const double *x, const void *workspace) {
    if (!p || !x || !workspace || qp_workspace_size(p->n, p->m) == 0 || !p->H || !p->g)
        return false;
    if (p->m == 0) return true;
    if (!p->A || !p->lower || !p->upper) return false;
    for (size_t i = 0; i < p->m; i++)
        if (!(p->lower[i] < (double)INFINITY) || !(p->upper[i] > -(double)INFINITY)) return false;
    return true;
}

/* A power of 2 near 1/value or, at half the exponent, near 1/sqrt(value): scaling is exact. */
static double balancing(double value, int share) {
    int exponent;
    (void)frexp(value, &exponent);
    return ldexp(1, -exponent / share);
}

/* False: not positive definite, numbers overflow, or a number is not finite. */
static bool scale_objective(solver *s) {
    const qp_problem *p = s->p;
    const size_t n = s->n, stride = s->stride;
    for (size_t i = 0; i < n; i++) {
        if (!(p->H[i * n + i] > 0)) return false;
        s->scale[i] = balancing(p->H[i * n + i], 2);
    }
    for (size_t i = 0; i < n; i++) {
        double *row = s->H + i * stride;
        for (size_t j = 0; j <= i; j++)
            row[j] = s->H[j * stride + i] = p->H[i * n + j] * s->scale[i] * s->scale[j];
        for (size_t j = n; j < stride; j++) row[j] = 0;
        s->g[i] = p->g[i] * s->scale[i];
    }
    return s->k->all_finite(n * stride, s->H) && s->k->all_finite(n, s->g);
}

/* Whether a bound became infinite by the scaling. */
static bool overflows(double given, double scaled) {
    return isfinite(given) && !isfinite(scaled);
}

/* False: numbers overflow, or a number is not finite. */
static bool scale_row(solver *s, size_t i) {
    const qp_problem *p = s->p;
    const size_t n = s->n;
    double *row = s->A + i * s->stride;
    size_t used;
    const double sum = s->k->scale(n, p->A + i * n, s->scale, row, &used);
    row_info *info = &s->rows[i];
    *info = (row_info){.state = ROW_OPEN, .equality = p->lower[i] == p->upper[i], .single = n};
    if (sum == 0) {
        info->state = ROW_EMPTY;
        return true;
    }
    if (!isfinite(sum)) return false;
    info->scale = balancing(sum, 1);
    if (!isfinite(info->scale)) return false;
    info->sum = sum * info->scale;
    info->reach = info->sum; /* until more is known */
    info->lower = p->lower[i] * info->scale;
    info->upper = p->upper[i] * info->scale;
    if (used == 1) {
        size_t k = 0;
        while (row[k] == 0) k++;
        info->single = k;
        info->entry = row[k] * info->scale;
        info->inverse_norm = 1 / fabs(info->entry);
    } else {
        for (size_t k = 0; k < n; k++) row[k] *= info->scale;
        info->inverse_norm = 1 / sqrt(dense_dot(n, row, row));
        s->dense[s->dense_count++] = i;
    }
    return !overflows(p->lower[i], info->lower) && !overflows(p->upper[i], info->upper);
}

double qp_contradiction(const solver *s, size_t i) {
    const double lower = s->p->lower[i], upper = s->p->upper[i];
    return s->rows[i].state == ROW_EMPTY ? fmax(lower, -upper) : lower - upper;
}

const qp_kernels *qp_kernels_best(void) {
#ifdef STICTION_QP_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return &qp_kernels_avx2;
#endif
    return &qp_kernels_baseline;
}

bool qp_prepare(solver *s, const qp_problem *p, void *workspace) {
    memset(s, 0, sizeof *s);
    s->p = p;
    s->k = qp_kernels_best();
    lay_out(s, p->n, p->m, &(memory){aligned(workspace), 0});
    double *const padded[] = {s->g, s->x, s->d, s->z, s->e, s->deviation};
    for (size_t k = 0; k < sizeof padded / sizeof padded[0]; k++)
        memset(padded[k], 0, s->stride * sizeof *padded[k]);
    if (!scale_objective(s) || !qp_factor(s)) return false;
    for (size_t i = 0; i < s->m; i++) {
        for (size_t k = s->n; k < s->stride; k++) s->A[i * s->stride + k] = 0;
        if (!scale_row(s, i)) return false;
    }
    s->limit = 100 + 20 * (s->n + s->m);
    return true;
}
