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

/* Whether the parent of a row is the row before it. Both have the same ancestors, so the two are
 * processed together. */
static inline bool is_paired(const tree *t, size_t k) {
    return k > 0 && t->parent[k] == (int)k - 1;
}

/* A row and its child, the next row: the entries of their common ancestors are read and written
 * once. */
static void multiply_two(const tree *t, const double *H, size_t i, const double *x, double *y) {
    const double *row = H + t->start[i], *child = H + t->start[i + 1];
    const int *column = t->column + t->start[i];
    const size_t length = t->length[i];
    const double x_row = x[i], x_child = x[i + 1];
    double sum = row[0] * x_row, sum_child = child[0] * x_child + child[1] * x_row;
    for (size_t n = 1; n < length; n++) {
        const int k = column[n];
        sum += row[n] * x[k];
        sum_child += child[n + 1] * x[k];
        y[k] = y[k] + row[n] * x_row + child[n + 1] * x_child;
    }
    y[i] = sum + child[1] * x_child;
    y[i + 1] = sum_child;
}

void stiction_tree_multiply(const tree *t, const double *H, const double *restrict x,
                            double *restrict y) {
    for (size_t i = 0; i < t->count; i++) {
        if (i + 1 < t->count && is_paired(t, i + 1)) {
            multiply_two(t, H, i++, x, y);
            continue;
        }
        const double *row = H + t->start[i], x_i = x[i];
        const int *column = t->column + t->start[i];
        const size_t length = t->length[i];
        double sum = row[0] * x_i;
        for (size_t n = 1; n < length; n++) {
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

/* What a row of the factor and its parent's row subtract from the rows of two of their common
 * ancestors; the second of these is one entry shorter. Subtracted in the order of the rows, so that
 * rounding is the same. */
typedef struct taken {
    const double *row, *parent;     /* from the first ancestor on */
    double of_row[2], of_parent[2]; /* factors, for either ancestor */
} taken;

static void subtract_four(size_t count, const taken *f, double *restrict to,
                          double *restrict next) {
    const double *row = f->row, *parent = f->parent;
    const double row_0 = f->of_row[0], row_1 = f->of_row[1];
    const double parent_0 = f->of_parent[0], parent_1 = f->of_parent[1];
    *to = *to - row_0 * *row - parent_0 * *parent;
    to++, row++, parent++;
    size_t m = 0;
    for (; m + 2 <= count; m += 2) {
        const pair r = *(const pair *)(row + m), p = *(const pair *)(parent + m);
        *(pair *)(to + m) = *(pair *)(to + m) - row_0 * r - parent_0 * p;
        *(pair *)(next + m) = *(pair *)(next + m) - row_1 * r - parent_1 * p;
    }
    if (m == count) return;
    to[m] = to[m] - row_0 * row[m] - parent_0 * parent[m];
    next[m] = next[m] - row_1 * row[m] - parent_1 * parent[m];
}

/* One row of the factor leaves the rows of its ancestors. */
static void eliminate(const tree *t, double *H, size_t k, double inverse, const bool *held) {
    double *row = H + t->start[k];
    const int *column = t->column + t->start[k];
    const size_t length = t->length[k];
    for (size_t n = 1; n < length; n++) {
        if (row[n] == 0 || (held && held[column[n]])) continue;
        const double factor = row[n] * inverse;
        subtract(length - n, factor, row + n, H + t->start[column[n]]);
        row[n] = factor;
    }
}

/* Eliminates a row and its parent, the row before it, together: the rows of their ancestors are
 * read and written once. False: the pivot of the parent is not positive. */
static bool eliminate_two(const tree *t, double *restrict H, size_t k, double inverse) {
    double *row = H + t->start[k], *parent = H + t->start[k - 1];
    const int *column = t->column + t->start[k];
    const size_t length = t->length[k];
    const double own = row[1] * inverse;
    subtract(length - 1, own, row + 1, parent);
    row[1] = own;
    if (!(parent[0] > 0)) return false;
    const double inverse_parent = 1 / parent[0];
    size_t n = 2;
    for (; n + 2 <= length; n += 2) {
        const taken f = {row + n,
                         parent + n - 1,
                         {row[n] * inverse, row[n + 1] * inverse},
                         {parent[n - 1] * inverse_parent, parent[n] * inverse_parent}};
        subtract_four(length - n - 1, &f, H + t->start[column[n]], H + t->start[column[n + 1]]);
        row[n] = f.of_row[0];
        row[n + 1] = f.of_row[1];
        parent[n - 1] = f.of_parent[0];
        parent[n] = f.of_parent[1];
    }
    if (n == length) return true;
    const double last = row[n] * inverse, last_parent = parent[n - 1] * inverse_parent;
    double *to = H + t->start[column[n]];
    *to = *to - last * row[n] - last_parent * parent[n - 1];
    row[n] = last;
    parent[n - 1] = last_parent;
    return true;
}

bool stiction_tree_factor(const tree *t, double *H, const bool *held) {
    for (size_t k = t->count; k-- > 0;) {
        const double pivot = H[t->start[k]];
        if (held && held[k]) continue;
        if (!(pivot > 0)) return false;
        if (held || !is_paired(t, k))
            eliminate(t, H, k, 1 / pivot, held);
        else if (!eliminate_two(t, H, k--, 1 / pivot))
            return false;
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

void stiction_tree_solve(const tree *t, const double *LDL, const bool *held, double *restrict x) {
    for (size_t k = t->count; k-- > 0;) {
        const double *row = LDL + t->start[k];
        const int *column = t->column + t->start[k];
        const size_t length = t->length[k];
        if (held && held[k]) x[k] = 0;
        const double x_k = x[k];
        if (x_k == 0) continue;
        if (held || !is_paired(t, k)) {
            for (size_t n = 1; n < length; n++) x[column[n]] -= row[n] * x_k;
            continue;
        }
        const double *next = LDL + t->start[--k];
        const double x_next = x[k] -= row[1] * x_k;
        for (size_t n = 2; n < length; n++)
            x[column[n]] = x[column[n]] - row[n] * x_k - next[n - 1] * x_next;
    }
    for (size_t k = 0; k < t->count; k++) {
        const double *row = LDL + t->start[k];
        const int *column = t->column + t->start[k];
        const size_t length = t->length[k];
        if (held && held[k]) {
            x[k] = 0;
            continue;
        }
        double sum = x[k] / row[0];
        for (size_t n = 1; n < length; n++) sum -= row[n] * x[column[n]];
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
