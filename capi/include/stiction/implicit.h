/* SPDX-License-Identifier: MIT
 * Friction of a whole robot by implicit Euler: from the mass matrix, the velocity and the force,
 * computes the velocity after the step and the friction in it, for all joints at once. It holds,
 * breaks away and slips at any time step and for any inertia, including those at which friction
 * from the last velocity (stiction_step) chatters. docs/implicit.md has the derivation and the
 * proofs.
 *
 *     M (w - v)/T = force + constraints - friction,   friction_i in Phi_i(slip velocity of i)
 *
 * Use one solver per run, on one thread at a time; after stiction_implicit_add nothing allocates.
 */
#ifndef STICTION_IMPLICIT_H
#define STICTION_IMPLICIT_H

#include "stiction/state.h"

STICTION_BEGIN_C

typedef struct stiction_implicit stiction_implicit;

/* Options of a solver. Start from stiction_implicit_def_default(). */
typedef struct stiction_implicit_def {
    size_t size;  /* set by the default */
    size_t count; /* degrees of freedom of the mass matrix, including free roots and joints without
                     friction */
    const int *parent; /* of each degree of freedom: a smaller index, or -1 for none; makes trees of
                          bodies fast. NULL: any mass matrix */
    bool packed; /* the mass matrix is stored row by row along the parents: (i, i), (i, parent of
                    i), and so on to the root; false: dense, count x count */
    bool rigid; /* no bristle (element A): a joint that sticks has velocity 0. Only if friction sees
                   every force, see stiction_constraints */
    bool constraints_later; /* the host solves contacts, limits and loops after this step, and the
                               solver sees only the next velocity. Not for rigid joints */
} stiction_implicit_def;

STICTION_API stiction_implicit_def stiction_implicit_def_default(void);

/* A solver without joints. On failure, *implicit is NULL. */
STICTION_API stiction_status stiction_implicit_create(const stiction_implicit_def *def,
                                                      stiction_implicit **implicit,
                                                      stiction_error *error);
STICTION_API void stiction_implicit_destroy(stiction_implicit *implicit);

/*
 * Adds the joints of a state, which must outlive the solver. dof[] is the degree of freedom of each
 * joint (-1: none; it must then have no friction). Robots that touch each other are states of one
 * solver. A state belongs to one solver: adding it twice is refused, and adding it to two solvers,
 * which is not detected, moves its bristles twice. A law without a potential (lugre, karnopp and
 * the other reference models) is refused.
 */
STICTION_API stiction_status stiction_implicit_add(stiction_implicit *implicit,
                                                   stiction_state *state, const int *dof,
                                                   stiction_error *error);

/* Forgets all steps: for a new run from states that were reset. */
STICTION_API void stiction_implicit_reset(stiction_implicit *implicit);

/*
 * Constraints that are solved together with friction: a convex cost of the velocity w after the
 * step, N m rad/s, whose force is -d cost/d w. MuJoCo's constraints have this form: T times its
 * cost of the acceleration (w - v)/T.
 */
typedef struct stiction_constraints {
    void *user;
    /* The cost at `velocity`, and its force. */
    double (*evaluate)(void *user, const double *velocity, double *force);
    /* Adds d^2 cost/d w^2, at the velocity of the last call, to the lower triangle of a dense
     * count x count matrix. */
    void (*curvature)(void *user, double *matrix);
} stiction_constraints;

/* The inputs of a step; arrays have one entry per degree of freedom. Start from the default. */
typedef struct stiction_implicit_input {
    size_t size;        /* set by the default */
    double timestep;    /* s, > 0 */
    const double *mass; /* positive definite; of a dense matrix only the lower triangle is read */
    const double *velocity; /* before the step */
    const double *force;    /* all except friction and constraints: applied, gravity, Coriolis */
    const stiction_constraints *constraints; /* NULL: none, or later */
    /* as in stiction_input, for joints whose friction depends on them; otherwise NULL */
    const double *position;        /* rad */
    const double *effort;          /* N m: of the motor; `force` includes it too */
    const double *external_torque; /* N m, without friction */
    const double *temperature;     /* deg C; NULL, or NaN: the joint computes its own temperature */
} stiction_implicit_input;

/* The result of a step. */
typedef enum stiction_implicit_outcome {
    STICTION_IMPLICIT_STUCK,   /* no joint slips */
    STICTION_IMPLICIT_SLIPPED, /* some joints slip; solved to the last digits */
    STICTION_IMPLICIT_FROZEN /* not converged: friction is that of the last iterate, which does not
                                quite belong to the velocity; the heat may be negative */
} stiction_implicit_outcome;

/*
 * The outputs of a step. Arrays have one entry per degree of freedom, 0 where there is no friction;
 * NULL: not wanted. Start from the default.
 */
typedef struct stiction_implicit_output {
    size_t size;               /* set by the default */
    double *velocity;          /* after the step; predicted if constraints come later */
    double *friction;          /* N m, to be subtracted */
    double *slip;              /* rad/s: of the bristle's foot; rigid: the velocity itself */
    double *deflection;        /* rad, after the step; before it if constraints come later */
    unsigned char *slipping;   /* 1: slips, 0: sticks */
    double *dissipated_energy; /* since the start or the last reset, J */
    /* written by the step */
    stiction_implicit_outcome outcome;
    int iterations;  /* Newton's and the majoriser's steps */
    double residual; /* the largest |friction - Phi(slip)|, in units of F_S */
    double work; /* done against friction in this step, J; in the previous step if constraints come
                    later */
    double heat; /* the part of the work that became heat, J, >= 0; negative only in a FROZEN step,
                    with a warning about added energy, or by a millionth of the energy that bristles
                    can hold */
    double stored;       /* energy in all bristles at the deflections above, J */
    const char *warning; /* a condition that does not hold in this step; NULL: none */
    size_t warning_dof;  /* the degree of freedom it is about */
    STICTION_JOINT_LEVELS(STICTION_QUANTITY_ARRAY) /* as in stiction_output */
} stiction_implicit_output;

STICTION_API stiction_implicit_input stiction_implicit_input_default(void);
STICTION_API stiction_implicit_output stiction_implicit_output_default(void);

/*
 * One step. It fails if a number is not finite or would not be (velocities and forces above 1e90),
 * or if the mass matrix is not positive definite. On failure, friction is all zeros, the velocity
 * is that before the step, and the states do not change.
 *
 * If constraints come later, their forces in the last step are computed from its momentum, and the
 * bristles follow the actual velocities: call this function in every step, with the velocity of the
 * host.
 */
STICTION_API stiction_status stiction_implicit_step(stiction_implicit *implicit,
                                                    const stiction_implicit_input *input,
                                                    stiction_implicit_output *output,
                                                    stiction_error *error);

/*
 * If constraints come later: all that the solver itself remembers of the last step, as numbers, for
 * hosts that store it in their own state next to that of the joints (stiction_state_get_memory).
 * All zeros is a new run. Arrays have stiction_implicit_memory_size() entries, which is 0 if
 * constraints are solved together with friction, and is known after the last stiction_implicit_add.
 * set_memory refuses numbers that steps cannot produce.
 */
STICTION_API size_t stiction_implicit_memory_size(const stiction_implicit *implicit);
STICTION_API stiction_status stiction_implicit_get_memory(const stiction_implicit *implicit,
                                                          double *memory, stiction_error *error);
STICTION_API stiction_status stiction_implicit_set_memory(stiction_implicit *implicit,
                                                          const double *memory,
                                                          stiction_error *error);

/* The number of steps since the start or the last reset, and how many of them were FROZEN. */
STICTION_API uint64_t stiction_implicit_steps(const stiction_implicit *implicit);
STICTION_API uint64_t stiction_implicit_frozen(const stiction_implicit *implicit);
/* The degree of freedom whose friction was farthest from its law in the last FROZEN step. */
STICTION_API size_t stiction_implicit_frozen_at(const stiction_implicit *implicit);

STICTION_END_C

#endif
