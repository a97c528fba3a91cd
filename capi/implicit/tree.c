/* SPDX-License-Identifier: MIT */
/* Matrices of trees: one loop over a row and the tails of it that are rows of its ancestors. */
#include "implicit/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool find_columns(tree *t) {
    t->column = calloc(t->size + 1, sizeof *t->column);
    int *next = t->column;
    for (size_t i = 0; next && i < t->count; i++)
        for (int j = (int)i; j >= 0; j = t->parent[j]) *next++ = j;
    return next;
}

bool stiction_tree_create(tree *t, size_t count, const int *parent, size_t *wrong) {
    *t = (tree){.count = count,
                .parent = calloc(count + 1, sizeof *t->parent),
                .start = calloc(count + 1, sizeof *t->start),
                .length = calloc(count + 1, sizeof *t->length)};
    *wrong = count;
    bool fine = t->parent && t->start && t->length;
    for (size_t i = 0; fine && i < count; i++) {
        t->parent[i] = parent ? parent[i] : (int)i - 1;
        if (t->parent[i] < -1 || t->parent[i] >= (int)i) {
            *wrong = i;
            fine = false;
            break;
        }
        t->start[i] = t->size;
        t->length[i] = 1 + (t->parent[i] < 0 ? 0 : t->length[t->parent[i]]);
        t->size += t->length[i];
    }
    fine = fine && find_columns(t);
    if (!fine) stiction_tree_destroy(t);
    return fine;
}

void stiction_tree_destroy(tree *t) {
    free(t->parent);
    free(t->start);
    free(t->length);
    free(t->column);
    *t = (tree){0};
}

void stiction_tree_pack(const tree *t, const double *dense, double *packed) {
    for (size_t i = 0; i < t->count; i++) {
        const double *row = dense + i * t->count;
        if (t->length[i] == i + 1)
            for (size_t j = i + 1; j-- > 0;) *packed++ = row[j];
        else
            for (int j = (int)i; j >= 0; j = t->parent[j]) *packed++ = row[j];
    }
}

void stiction_tree_multiply(const tree *t, const double *H, const double *x, double *y) {
    for (size_t i = 0; i < t->count; i++) {
        const double *row = H + t->start[i], x_i = x[i];
        const int *column = t->column + t->start[i];
        double sum = row[0] * x_i;
        for (size_t n = 1; n < t->length[i]; n++) {
            sum += row[n] * x[column[n]];
            y[column[n]] += row[n] * x_i;
        }
        y[i] = sum;
    }
}

void stiction_tree_magnitude(const tree *t, const double *H, const double *x, double *y) {
    for (size_t i = 0; i < t->count; i++) {
        const double *row = H + t->start[i], x_i = fabs(x[i]);
        const int *column = t->column + t->start[i];
        double sum = fabs(row[0]) * x_i;
        for (size_t n = 1; n < t->length[i]; n++) {
            sum += fabs(row[n]) * fabs(x[column[n]]);
            y[column[n]] += fabs(row[n]) * x_i;
        }
        y[i] = sum;
    }
}

/* to -= factor from, two rows that do not overlap. */
static void subtract(size_t count, double factor, const double *restrict from,
                     double *restrict to) {
    for (size_t m = 0; m < count; m++) to[m] -= factor * from[m];
}

/* Two numbers anywhere in a row: rows are short, and a compiler's own vectors are made for long
 * ones. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* From two rows of ancestors at once, of which the second is one shorter. */
static void subtract_two(size_t count, const double *from, double first, double second, double *to,
                         double *next) {
    *to++ -= first * *from++;
    size_t m = 0;
    for (; m + 2 <= count; m += 2) {
        const pair both = *(const pair *)(from + m);
        *(pair *)(to + m) -= first * both;
        *(pair *)(next + m) -= second * both;
    }
    if (m == count) return;
    to[m] -= first * from[m];
    next[m] -= second * from[m];
}

/* One row of the factor leaves the rows of its ancestors. */
static void eliminate(const tree *t, double *H, size_t k, double inverse, const bool *held) {
    double *row = H + t->start[k];
    const int *column = t->column + t->start[k];
    const size_t length = t->length[k];
    size_t n = 1;
    for (; n + 2 <= length && !held; n += 2) {
        const double first = row[n] * inverse, second = row[n + 1] * inverse;
        if (first == 0 && second == 0) continue;
        subtract_two(length - n - 1, row + n, first, second, H + t->start[column[n]],
                     H + t->start[column[n + 1]]);
        row[n] = first;
        row[n + 1] = second;
    }
    for (; n < length; n++) {
        if (row[n] == 0 || (held && held[column[n]])) continue;
        const double factor = row[n] * inverse;
        subtract(length - n, factor, row + n, H + t->start[column[n]]);
        row[n] = factor;
    }
}

bool stiction_tree_factor(const tree *t, double *H, const bool *held) {
    for (size_t k = t->count; k-- > 0;) {
        const double pivot = H[t->start[k]];
        if (held && held[k]) continue;
        if (!(pivot > 0)) return false;
        eliminate(t, H, k, 1 / pivot, held);
    }
    return true;
}

bool stiction_factored_create(factored *f, const tree *t) {
    *f = (factored){.matrix = calloc(t->size + 1, sizeof *f->matrix),
                    .factor = calloc(t->size + 1, sizeof *f->factor)};
    return f->matrix && f->factor;
}

void stiction_factored_destroy(factored *f) {
    free(f->matrix);
    free(f->factor);
    *f = (factored){0};
}

bool stiction_factored_update(factored *f, const tree *t, const double *matrix, const bool *held) {
    const size_t bytes = t->size * sizeof *matrix;
    if (f->is_known && memcmp(f->matrix, matrix, bytes) == 0) return true;
    memcpy(f->matrix, matrix, bytes);
    memcpy(f->factor, matrix, bytes);
    return f->is_known = stiction_tree_factor(t, f->factor, held);
}

void stiction_tree_solve(const tree *t, const double *LDL, const bool *held, double *x) {
    for (size_t k = t->count; k-- > 0;) {
        const double *row = LDL + t->start[k];
        const int *column = t->column + t->start[k];
        if (held && held[k]) x[k] = 0;
        const double x_k = x[k];
        if (x_k == 0) continue;
        for (size_t n = 1; n < t->length[k]; n++) x[column[n]] -= row[n] * x_k;
    }
    for (size_t k = 0; k < t->count; k++) {
        const double *row = LDL + t->start[k];
        const int *column = t->column + t->start[k];
        if (held && held[k]) {
            x[k] = 0;
            continue;
        }
        double sum = x[k] / row[0];
        for (size_t n = 1; n < t->length[k]; n++) sum -= row[n] * x[column[n]];
        x[k] = sum;
    }
}

/* |inv(D)^(1/2) inv(L)' e_i|^2: only the ancestors of i are in it. */
double stiction_tree_inverse_at(const tree *t, const double *LDL, size_t i, double *scratch) {
    const int *ancestor = t->column + t->start[i];
    double sum = 0;
    for (size_t n = 0; n < t->length[i]; n++) scratch[ancestor[n]] = n == 0;
    for (size_t n = 0; n < t->length[i]; n++) {
        const size_t k = (size_t)ancestor[n];
        const double *row = LDL + t->start[k], x = scratch[k];
        sum += x * x / row[0];
        for (size_t m = 1; m < t->length[k]; m++) scratch[ancestor[n + m]] -= row[m] * x;
    }
    return sum;
}
