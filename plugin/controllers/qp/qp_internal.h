/*
 * What the files of the quadratic program share: the solver at work.
 */
#ifndef STICTION_CONTROLLERS_QP_QP_INTERNAL_H
#define STICTION_CONTROLLERS_QP_QP_INTERNAL_H

#include <stdbool.h>

#include "qp.h"
#include "qp_dense.h"

/* One row on one side: sign * normal' y >= bound. */
typedef struct side {
    size_t row;
    double sign, bound;
} side;

typedef enum row_state { ROW_OPEN, ROW_HELD, ROW_TOLERATED, ROW_EMPTY } row_state;

typedef struct solver {
    const qp_problem *p;
    double noise; /* relative rounding error of normals and y */
    size_t iterations, limit;

    envelope H;      /* of scale H scale */
    basis held;      /* of the normals that are held */
    double *scale;   /* n: powers of 2 that give H a diagonal about 1 */
    double *normals; /* m x n: of length 1 */
    double *norm;    /* m: the length that a normal had */
    double *lower, *upper;
    row_state *state; /* m */

    double *start;      /* n: y of the free minimum */
    double *y, *x;      /* n */
    side *sides;        /* those that are held, in the order of the basis */
    double *multiplier; /* theirs, in the scale of y */
    double *d, *r, *z;  /* n: for the step */
} solver;

static inline bool is_equality(const solver *s, size_t row) {
    return s->p->lower[row] == s->p->upper[row];
}

/* Whether all arrays are there and numbers; bounds may be infinite. */
bool qp_input_is_usable(const qp_problem *p, const double *x, const void *workspace);

/* Lays out the workspace and scales the problem, from its free minimum on. False: H is not positive
 * definite, or numbers overflow. */
bool qp_prepare(solver *s, const qp_problem *p, void *workspace);

/* By how much the bounds of a row contradict each other or, where the row is empty, its 0. */
double qp_contradiction(const solver *s, size_t row);

bool qp_all_finite(size_t count, const double *values);

/* v in the scale of y becomes one in the scale of x. */
void qp_to_x(const solver *s, double *v);

/* Takes rounding errors from x, y and the multipliers, for the rows that are held. */
void qp_refine(solver *s);

#endif
