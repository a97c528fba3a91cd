/* SPDX-License-Identifier: MIT
 * A small dense quadratic program, strictly convex: minimise 1/2 x'Hx + g'x with lower <= Ax <=
 * upper. The dual active set method of Goldfarb and Idnani (1983): exact, and quick for few
 * variables. It allocates nothing, and ends after a bounded number of steps.
 */
#ifndef STICTION_CONTROLLERS_QP_QP_H
#define STICTION_CONTROLLERS_QP_QP_H

#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

typedef enum qp_status {
    QP_SOLVED,
    QP_INFEASIBLE,      /* no x keeps all rows */
    QP_ITERATION_LIMIT, /* because of rounding errors it did not end, or not with an exact
                         * solution */
    QP_BAD_INPUT        /* NULL, NaN, H not positive definite, too large, numbers that overflow */
} qp_status;

/* Matrices row by row. */
typedef struct qp_problem {
    size_t n, m;                 /* variables, > 0, and rows */
    const double *H;             /* n x n, positive definite; only its lower triangle is read */
    const double *g;             /* n */
    const double *A;             /* m x n */
    const double *lower, *upper; /* m; may be infinite; equal ones make an equality */
} qp_problem;

typedef struct qp_result {
    qp_status status;
    size_t row;        /* infeasible: the most violated row, which contradicts others; else m */
    double violation;  /* of that row, in its own unit */
    size_t iterations; /* rows taken up or let go */
} qp_result;

/* The bytes of a workspace, aligned as malloc does; 0: too large. */
size_t qp_workspace_size(size_t n, size_t m);

/*
 * Solves. x (n) and multipliers (m, or NULL) are written only where the status is QP_SOLVED; then
 * Hx + g + A' multipliers = 0, a multiplier > 0 belongs to a row at its upper bound, one < 0 to a
 * row at its lower, and those of all other rows are exactly 0.
 */
qp_result qp_solve(const qp_problem *problem, double *x, double *multipliers, void *workspace);

/*
 * The same, but begins with a guess of the rows at a bound: a problem similar to the one before is
 * solved in a fraction of the time. The solution does not depend on the guess. `active` has one
 * entry per row: -1 at its lower bound, 1 at its upper, 0 at none; equalities are always held.
 * After QP_SOLVED it has the rows that the solution holds, the guess for the next problem;
 * otherwise it is unchanged. NULL: no guess.
 */
qp_result qp_solve_warm(const qp_problem *problem, signed char *active, double *x,
                        double *multipliers, void *workspace);

/* The product of two vectors, with four sums: the same bits on every processor. */
double dense_dot(size_t n, const double *a, const double *b);

STICTION_END_C

#endif
