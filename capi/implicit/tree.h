/* SPDX-License-Identifier: MIT
 * Symmetric matrices that have entries only between a degree of freedom and its ancestors, as the
 * mass matrix of a tree of bodies has. Row i lies in one piece: (i, i), (i, parent of i), and so on
 * to the root, so that the rows of ancestors are tails of it. Where each row's parent is the one
 * before it, that is any symmetric matrix.
 *
 * H = L' D L without fill-in, from the leaves to the roots: Featherstone 2005. Nothing allocates
 * but stiction_tree_create.
 */
#ifndef STICTION_CAPI_IMPLICIT_TREE_H
#define STICTION_CAPI_IMPLICIT_TREE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tree {
    size_t count;
    size_t size;    /* numbers of a matrix */
    int *parent;    /* below the row's own number; -1: none */
    size_t *start;  /* of each row */
    size_t *length; /* of each row */
    int *column;    /* of each number of a matrix */
} tree;

/* `parent` may be NULL: any symmetric matrix. False: out of memory, or a parent is not before its
 * row (*wrong is that row; `count` where memory was missing). */
bool stiction_tree_create(tree *t, size_t count, const int *parent, size_t *wrong);
void stiction_tree_destroy(tree *t);

/* From a dense matrix, row by row, of which only the lower triangle is read. */
void stiction_tree_pack(const tree *t, const double *dense, double *packed);

/* y = H x. */
void stiction_tree_multiply(const tree *t, const double *H, const double *x, double *y);

/* The same of absolute values: what the rounding of y is a part of. */
void stiction_tree_magnitude(const tree *t, const double *H, const double *x, double *y);

/* In place. False: not positive definite. Rows that are `held` are no rows of the matrix; NULL:
 * none is. */
bool stiction_tree_factor(const tree *t, double *H, const bool *held);

/* A factor that is kept while its matrix stays the same, as that of a robot at rest does. */
typedef struct factored {
    double *matrix, *factor;
    bool is_known;
} factored;

/* Room for matrices of a tree; false: out of memory. */
bool stiction_factored_create(factored *f, const tree *t);
void stiction_factored_destroy(factored *f);

/* False: the matrix is not positive definite. `held` must be the same in all calls. */
bool stiction_factored_update(factored *f, const tree *t, const double *matrix, const bool *held);

/* x = inv(H) x in place, 0 in rows that are held. */
void stiction_tree_solve(const tree *t, const double *LDL, const bool *held, double *x);

/* Entry (i, i) of inv(H), without held rows; `scratch` has room for a row each. */
double stiction_tree_inverse_at(const tree *t, const double *LDL, size_t i, double *scratch);

#endif
