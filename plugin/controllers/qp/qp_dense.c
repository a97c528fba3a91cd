/*
 * Cholesky within an envelope, and a QR factorisation that gains and loses columns by rotations.
 * Goldfarb and Idnani, section 4, with Q in place of their J: the program is solved where H = 1.
 */
#include "qp_dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

double dense_dot(size_t n, const double *a, const double *b) {
    /* four sums at a time: one alone would wait for each addition */
    double sum[4] = {0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t j = 0; j < 4; j++) sum[j] += a[k + j] * b[k + j];
    for (; k < n; k++) sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void dense_add(size_t n, double factor, const double *restrict a, double *restrict to) {
    for (size_t k = 0; k < n; k++) to[k] += factor * a[k];
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

bool envelope_factor(envelope *e, const double *H, const double *scale) {
    const size_t n = e->n;
    for (size_t i = 0; i < n; i++) {
        double *row = e->L + i * n;
        size_t first = 0;
        while (first < i && H[i * n + first] == 0) first++;
        e->first[i] = first;
        for (size_t j = first; j <= i; j++) {
            const size_t begin = larger(first, e->first[j]);
            row[j] = H[i * n + j] * scale[i] * scale[j];
            if (begin < j) row[j] -= dense_dot(j - begin, row + begin, e->L + j * n + begin);
            if (j < i) row[j] /= e->L[j * n + j];
        }
        /* what is left of a diagonal of ones is rounding */
        if (!(row[i] > (double)n * DBL_EPSILON)) return false;
        row[i] = sqrt(row[i]);
    }
    return true;
}

void envelope_forward(const envelope *e, double *v) {
    for (size_t i = 0; i < e->n; i++) {
        const double *row = e->L + i * e->n;
        const size_t first = e->first[i];
        v[i] = (v[i] - dense_dot(i - first, row + first, v + first)) / row[i];
    }
}

void envelope_backward(const envelope *e, double *v) {
    for (size_t i = e->n; i-- > 0;) {
        const double *row = e->L + i * e->n;
        const size_t first = e->first[i];
        v[i] /= row[i];
        dense_add(i - first, -v[i], row + first, v + first);
    }
}

double envelope_condition(const envelope *e) {
    double least = (double)INFINITY, most = 0;
    for (size_t i = 0; i < e->n; i++) {
        least = fmin(least, e->L[i * e->n + i]);
        most = fmax(most, e->L[i * e->n + i]);
    }
    return most / least;
}

void basis_reset(basis *b) {
    memset(b->Qt, 0, b->n * b->n * sizeof *b->Qt);
    for (size_t i = 0; i < b->n; i++) b->Qt[i * b->n + i] = 1;
    b->count = 0;
}

void basis_project(const basis *b, const double *v, double *d) {
    for (size_t i = 0; i < b->n; i++) d[i] = dense_dot(b->n, b->Qt + i * b->n, v);
}

void basis_expand(const basis *b, size_t begin, size_t end, const double *d, double *z) {
    memset(z, 0, b->n * sizeof *z);
    for (size_t i = begin; i < end; i++) dense_add(b->n, d[i], b->Qt + i * b->n, z);
}

/* The rotation that turns (*a, *b) into (their length, 0). */
typedef struct rotation {
    double cosine, sine;
} rotation;

static rotation rotation_of(double *a, double *b) {
    const double length = hypot(*a, *b);
    const rotation turn = {*a / length, *b / length};
    *a = length;
    *b = 0;
    return turn;
}

static void rotate(rotation turn, size_t n, double *restrict a, double *restrict b) {
    for (size_t k = 0; k < n; k++) {
        const double x = a[k], y = b[k];
        a[k] = turn.cosine * x + turn.sine * y;
        b[k] = turn.cosine * y - turn.sine * x;
    }
}

void basis_add(basis *b, double *d) {
    const size_t n = b->n, count = b->count;
    for (size_t i = n - 1; i > count; i--)
        if (d[i] != 0) rotate(rotation_of(&d[i - 1], &d[i]), n, b->Qt + (i - 1) * n, b->Qt + i * n);
    for (size_t i = 0; i <= count; i++) b->R[i * n + count] = d[i];
    b->count++;
}

void basis_drop(basis *b, size_t column) {
    const size_t n = b->n, left = --b->count;
    for (size_t i = 0; i <= left; i++) {
        double *row = b->R + i * n;
        memmove(row + column, row + column + 1, (left - column) * sizeof *row);
    }
    /* the columns behind now reach one below the diagonal */
    for (size_t i = column; i < left; i++) {
        double *upper = b->R + i * n, *lower = upper + n;
        if (lower[i] == 0) continue;
        const rotation turn = rotation_of(&upper[i], &lower[i]);
        rotate(turn, left - i - 1, upper + i + 1, lower + i + 1);
        rotate(turn, n, b->Qt + i * n, b->Qt + (i + 1) * n);
    }
}

void basis_solve(const basis *b, double *v) {
    for (size_t i = b->count; i-- > 0;) {
        const double *row = b->R + i * b->n;
        v[i] = (v[i] - dense_dot(b->count - i - 1, row + i + 1, v + i + 1)) / row[i];
    }
}

void basis_solve_transposed(const basis *b, double *v) {
    for (size_t i = 0; i < b->count; i++) {
        const double *row = b->R + i * b->n;
        v[i] /= row[i];
        dense_add(b->count - i - 1, -v[i], row + i + 1, v + i + 1);
    }
}
