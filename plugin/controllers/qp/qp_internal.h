/* SPDX-License-Identifier: MIT
 * What the files of the quadratic program share.
 *
 * It works on numbers that are scaled by powers of 2, which is exact: variables so that the
 * diagonal of H is about 1, rows so that the magnitudes in them add up to about 1. With H = LL' and
 * y = L'x the objective is 1/2 |y - y0|^2; the normal of a row is L^-1 a there, and is divided by
 * its length. The normals of the rows that are held are N = Q [R; 0].
 */
#ifndef STICTION_CONTROLLERS_QP_QP_INTERNAL_H
#define STICTION_CONTROLLERS_QP_QP_INTERNAL_H

#include <stdbool.h>

#include "qp.h"
#include "qp_kernels.h"

/* One row on one side: sign * row times x >= bound. */
typedef struct side {
    size_t row;
    double sign, bound;
} side;

/* A side that is held. */
typedef struct held_side {
    side at;
    double length, inverse_length; /* of its normal */
    double noise;                  /* of its normal when it has length 1 */
} held_side;

typedef enum row_state {
    ROW_OPEN,
    ROW_HELD,
    ROW_TOLERATED, /* depends on the held rows and is kept up to rounding errors */
    ROW_REDUNDANT, /* the same, of an equality that depends on other equalities: this never
                    * changes */
    ROW_EMPTY
} row_state;

/* Of a row, scaled. */
typedef struct row_info {
    row_state state;
    bool equality;
    size_t single;       /* the only variable in it; n: there are more, or none */
    size_t times;        /* it was taken up */
    double entry;        /* of that variable */
    double scale;        /* what the row was multiplied with beside the scale of variables */
    double lower, upper; /* scaled */
    double sum;          /* of the magnitudes in it */
    double inverse_norm; /* 1 over its length in the scale of x */
    double reach;        /* an upper bound of the change of its value if |y| is 1 */
} row_info;

typedef struct solver {
    const qp_problem *p;
    const qp_kernels *k;
    size_t n, m, stride; /* n rounded up to a multiple of four */
    size_t iterations, limit;
    bool settled;     /* x and multipliers are free of the rounding errors of earlier steps */
    bool updates;     /* Jt is valid, and V is no longer used */
    double path;      /* the sum of the lengths of all steps of y, and of y */
    double largest;   /* the largest magnitude in x so far */
    double present;   /* the largest magnitude in it now */
    double length;    /* of y, when it was refined last */
    double last_step; /* of y, when it was refined last */

    /* the problem, scaled; rows are `stride` apart, padded with zeros */
    double *scale;  /* n: of the variables */
    double *H, *g;  /* n x n, n */
    double *A;      /* m x n; only rows with more than one entry */
    row_info *rows; /* m */
    size_t *dense;  /* the rows in A that are used */
    size_t dense_count;
    side *sides; /* m: those to begin with */

    /* H = U'U */
    double *U;                /* n x n, upper triangular */
    double *inverse_diagonal; /* n */
    double *deviation;        /* n: of a variable where |y| is 1 */

    /* the rows that are held */
    size_t count;
    held_side *held;    /* n */
    double *multiplier; /* n: theirs, of normals of length 1 */
    double *R;          /* column by column */
    double *inverse_R;  /* n: of the diagonal */
    double *V, *beta;   /* Q as a product of 1 - beta v v', v' a row of V: before any update */
    double *Jt;         /* Q' L^-1: after the first */

    double *x;                 /* n */
    double *value;             /* m: of the rows at x */
    double *d, *r, *z, *e, *w; /* n: for a step */
    double *gathered;          /* n: a column that is to be a row */
    double *wide;              /* n x n: for forming V and Jt */
} solver;

/* Whether all arrays and bounds are given; other numbers are checked while they are scaled. */
bool qp_input_is_usable(const qp_problem *p, const double *x, const void *workspace);

/* Lays out the workspace, scales the problem and factors H. False: H is not positive definite, or
 * numbers overflow. */
bool qp_prepare(solver *s, const qp_problem *p, void *workspace);

/* By how much the bounds of a row contradict each other or, if the row is empty, its value 0. */
double qp_contradiction(const solver *s, size_t row);

/* H = U'U. False: not positive definite. */
bool qp_factor(solver *s);

/* Before any update: takes up these rows as far as they are independent, and marks the others as
 * redundant or tolerated. Does not change x and multipliers. */
void qp_hold_all(solver *s, size_t count, const side *sides);

/* Forms Jt, so that single rows can be added and removed. */
void qp_begin_updates(solver *s);

/* The same for d = Q'L^-1 times a vector, and L^-T Q times d. */
void qp_to_basis(solver *s, const double *v, double *d);
void qp_from_basis(solver *s, const double *d, double *v);

/* d becomes the normal of a side, of length 1, in the basis. */
void qp_normal(solver *s, side c, held_side *normal, double *d);

/* The first takes up the side whose normal is d; z is its direction of motion (qp_from_basis of
 * the part of d that is not held). The second removes a held side and changes d to the same
 * normal in the new basis. */
void qp_hold(solver *s, const held_side *normal, double *d, const double *z, double free_length);
void qp_let_go(solver *s, size_t held, double *d);

void qp_solve_R(const solver *s, double *v);            /* v becomes R^-1 v */
void qp_solve_R_transposed(const solver *s, double *v); /* v becomes R^-T v */

/* One step of Newton's method on the conditions of Kuhn and Tucker, with residuals from the
 * data: removes rounding errors from x and the multipliers. Returns the length of the step of y
 * and, in the last argument (may be NULL), its length if no row were held. */
double qp_refine(solver *s, double *free_step);

/* Moves x onto the held rows with the smallest change of y; only after the first update. */
void qp_correct_rows(solver *s);

/* The value of a row at x, and the sum of the magnitudes of its terms. */
double qp_row_value(const solver *s, size_t row);
double qp_row_size(const solver *s, size_t row);

#endif
