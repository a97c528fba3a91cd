/* SPDX-License-Identifier: MIT
 * The linear algebra of the stability judgement, in C types. Matrices are dense, n x n, row by row;
 * of a symmetric one only the lower triangle is read.
 */
#ifndef STICTION_PLUGIN_STABILITY_LINEAR_H
#define STICTION_PLUGIN_STABILITY_LINEAR_H

#include <stddef.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* Solves A x = b for a symmetric A that is not singular. x may be b. */
stiction_status stiction_solve_symmetric(size_t n, const double *A, const double *b, double *x,
                                         stiction_error *error);

/* The inverse of a positive definite A. inverse may be A. */
stiction_status stiction_inverse(size_t n, const double *A, double *inverse, stiction_error *error);

/* The n values of lambda in A x = lambda M x, rising; A symmetric, M positive definite. */
stiction_status stiction_pencil_eigenvalues(size_t n, const double *A, const double *M,
                                            double *eigenvalues, stiction_error *error);

STICTION_END_C

#endif
