/*
 * The two factorisations of the quadratic program: H = L L' and, of the normals of the rows that
 * are held, N = Q [R; 0]. Arrays are the caller's; nothing is checked but what rounding decides.
 */
#ifndef STICTION_CONTROLLERS_QP_QP_DENSE_H
#define STICTION_CONTROLLERS_QP_QP_DENSE_H

#include <stdbool.h>
#include <stddef.h>

double dense_dot(size_t n, const double *a, const double *b);
void dense_add(size_t n, double factor, const double *a, double *to);

/* L within the envelope of H, so that a diagonal H costs next to nothing. */
typedef struct envelope {
    size_t n;
    size_t *first; /* of each row: the column of its first element that is not 0 */
    double *L;     /* n x n, lower triangular */
} envelope;

/* Of scale H scale, whose diagonal is about 1. False: not positive
 * definite. */
bool envelope_factor(envelope *e, const double *H, const double *scale);
void envelope_forward(const envelope *e, double *v);  /* v becomes L^-1 v */
void envelope_backward(const envelope *e, double *v); /* v becomes L^-T v */
double envelope_condition(const envelope *e);         /* of L, a rough estimate from below */

/* An orthogonal Q whose first `count` columns span the normals that are held. */
typedef struct basis {
    size_t n, count;
    double *Qt; /* n x n: Q' */
    double *R;  /* n x n: upper triangular in its first `count` rows and columns */
} basis;

void basis_reset(basis *b);
/* d = Q'v. */
void basis_project(const basis *b, const double *v, double *d);
/* z = the columns of Q from `begin` to before `end`, times d. */
void basis_expand(const basis *b, size_t begin, size_t end, const double *d, double *z);
/* Takes up the normal whose projection is d; d is used up. */
void basis_add(basis *b, double *d);
void basis_drop(basis *b, size_t column);
void basis_solve(const basis *b, double *v);            /* v becomes R^-1 v */
void basis_solve_transposed(const basis *b, double *v); /* v becomes R^-T v */

#endif
