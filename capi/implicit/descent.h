/* SPDX-License-Identifier: MIT
 * Friction of all joints at once, by implicit Euler: the velocity w after the step and the slip
 * velocity s of every joint with friction are a stationary point of
 *
 *     J(w, s) = (w - v)' M (w - v)/2T - tau' w + C(w) + sum of phi(s_i)
 *               + sum of G/2 (w_i - s_i + K e_i/G)^2
 *
 * in which phi is the integral of the law, e the deflection of the bristle before the step,
 * G = K T + B, and C the cost of constraints that are solved together with friction. A rigid joint
 * has w_i = s_i instead of the last term. J is convex in w, so w follows from s (`follow`); the
 * falling part of a law makes it non-convex in s, and the solution is the one that descent from the
 * slip of the previous step reaches. docs/implicit.md has the derivation.
 *
 * Uses Newton's method on the joints that slip if it lowers J on a convex interval; otherwise a
 * step of the majoriser, which freezes the level of friction and is convex. Only
 * stiction_descent_create allocates; equal inputs give equal bits.
 */
#ifndef STICTION_CAPI_IMPLICIT_DESCENT_H
#define STICTION_CAPI_IMPLICIT_DESCENT_H

#include "implicit/tree.h"
#include "stiction/implicit.h"
#include "stiction/models/law.h"

/* A joint with friction. */
typedef struct descent_row {
    size_t dof;
    const stiction_law *law;
    const stiction_law_parameters *parameters[2]; /* slipping forwards, and backwards */
    double breakaway[2];                          /* F_S of both */
    bool shares;     /* its degree of freedom with other rows; not of rigid joints */
    double rigidity; /* G = K T + B; of rigid joints not read */
    double spring;   /* K e before the step */
    double slip;     /* s: where descent starts, then the solution */
    double friction; /* the solution */
} descent_row;

/* An iterate. */
typedef struct descent_point {
    double *velocity; /* w */
    double *product;  /* M w/T */
    double *force;    /* of the constraints */
    double cost;      /* of the constraints */
    double *slip;     /* s, one entry per row */
    double *element;  /* the friction that all other forces require, one entry per row */
} descent_point;

typedef struct descent {
    /* given before a run; arrays of stiction_descent_create */
    tree *sparse, *full; /* of the mass matrix, and of any matrix: constraints know no tree */
    bool rigid;
    const stiction_constraints *constraints; /* NULL: none */
    double *mass;                            /* M/T, as `sparse` packs it */
    double *momentum;                        /* M v/T + tau */
    double *velocity;                        /* where w starts; then the solution */
    size_t row_count;
    descent_row *rows;
    bool is_convex; /* J is, at any slip: it has one stationary point; here.product is M v/T */

    /* set by a run */
    int iterations;
    size_t worst;    /* the row of the residual */
    double residual; /* the largest |friction - Phi(s)| in units of F_S */

    /* inside */
    descent_point here, there, ahead; /* the iterate, a trial, a trial while w follows s */
    const double *evaluated;          /* the velocity at which the constraints were evaluated */
    double *matrix, *dense, *motion, *direction, *right, *magnitude, *imbalance; /* of w */
    double *system;                          /* the matrix before it is factored */
    double *step, *gradient, *slope, *level; /* of the rows */
    double *slope_ahead, *friction_ahead;    /* of the laws in the trial */
    bool knows_ahead;     /* the trial was accepted, so these are also those of the iterate */
    size_t factored_rows; /* that slip in the matrix, which is factored; 0: it is not */
    signed char *sign;    /* in which a row slips; 0: it sticks */
    factored factor;      /* of M/T with the bristles' G */
    bool *held, is_frozen, is_singular;
    /* rows whose torque is more accurate from the balance of the joint than from the bristle */
    bool *stiff, has_stiff;
    bool *ends;      /* rows that a step brings to rest */
    int smoothed;    /* times */
    bool is_smooth;  /* rows are smoothed for now */
    bool stops;      /* a row of the trial stops where it would turn round */
    double *numbers; /* all of the above */
} descent;

typedef enum descent_end {
    DESCENT_STUCK,   /* no joint slips */
    DESCENT_SLIPPED, /* some do */
    DESCENT_FROZEN,  /* not converged: the iterate with the smallest `worst`, with frozen levels */
    DESCENT_SINGULAR /* the mass matrix is not positive definite, or a number is not finite */
} descent_end;

/* Room for `row_count` rows. False: out of memory. The trees are the caller's. */
bool stiction_descent_create(descent *d, tree *sparse, tree *full, size_t row_count);
void stiction_descent_destroy(descent *d);

descent_end stiction_descent_run(descent *d);

#endif
