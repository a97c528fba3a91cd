/*
 * Friction of a whole robot by implicit Euler: from the mass matrix, the velocity and the force of
 * a step to the velocity behind it and the friction in it, for all joints at once. It holds, breaks
 * away and slips at any time step and for any inertia, where friction from the last velocity
 * (stiction_step) chatters. docs/implicit.md has the derivation and what is proven.
 *
 *     M (w - v)/T = force + constraints - friction,   friction_i in Phi_i(slip velocity of i)
 *
 * One solver a run, on one thread at a time; after stiction_implicit_add nothing allocates.
 */
#ifndef STICTION_IMPLICIT_H
#define STICTION_IMPLICIT_H

#include "stiction/state.h"

STICTION_BEGIN_C

typedef struct stiction_implicit stiction_implicit;

/* How to make a solver. Start from stiction_implicit_def_default(). */
typedef struct stiction_implicit_def {
    size_t size;       /* set by the default */
    size_t count;      /* degrees of freedom of the mass matrix: free roots and joints without
                          friction among them */
    const int *parent; /* of each, a smaller number, -1: none, so that the mass matrix of a tree of
                          bodies costs little; NULL: any mass matrix */
    bool packed;       /* a mass matrix lies row by row along the parents: (i, i), (i, parent of i),
                          and so on to the root; false: dense, count x count */
    bool rigid;        /* no bristle (element A): a joint that sticks has velocity 0. Only where
                          friction sees every force, see stiction_constraints */
    bool constraints_later; /* the host solves contacts, limits and loops behind our step, and we
                               see only the next velocity. Not for rigid joints */
} stiction_implicit_def;

STICTION_API stiction_implicit_def stiction_implicit_def_default(void);

/* A solver without joints. Unless OK, *implicit is NULL. */
STICTION_API stiction_status stiction_implicit_create(const stiction_implicit_def *def,
                                                      stiction_implicit **implicit,
                                                      stiction_error *error);
STICTION_API void stiction_implicit_destroy(stiction_implicit *implicit);

/*
 * The joints of a state, which must outlive the solver; dof[] tells which degree of freedom each is
 * (-1: none; it then must have no friction). Robots that touch each other are states of one solver.
 * A state is added once: again is refused, and in a second solver, which cannot see it, both would
 * move the same bristles. A law without a potential (lugre, karnopp and the other reference models)
 * is refused.
 */
STICTION_API stiction_status stiction_implicit_add(stiction_implicit *implicit,
                                                   stiction_state *state, const int *dof,
                                                   stiction_error *error);

/* Forgets the steps that were made: for a new run from states that were reset. */
STICTION_API void stiction_implicit_reset(stiction_implicit *implicit);

/*
 * Constraints that are solved together with friction: a convex cost of the velocity w behind the
 * step, N m rad/s, whose force is -d cost/d w. MuJoCo's constraints are such: T times its cost of
 * the acceleration (w - v)/T.
 */
typedef struct stiction_constraints {
    void *user;
    /* The cost at `velocity`, and its force. */
    double (*evaluate)(void *user, const double *velocity, double *force);
    /* Adds d^2 cost/d w^2, at the velocity of the last call, to the lower triangle of a dense
     * count x count matrix. */
    void (*curvature)(void *user, double *matrix);
} stiction_constraints;

/* What a step reads; arrays have an entry a degree of freedom. Start from the default. */
typedef struct stiction_implicit_input {
    size_t size;            /* set by the default */
    double timestep;        /* s, > 0 */
    const double *mass;     /* positive definite; of a dense one the lower triangle is read */
    const double *velocity; /* before the step */
    const double *force;    /* all but friction and constraints: applied, gravity, Coriolis */
    const stiction_constraints *constraints; /* NULL: none, or later */
    /* as those of stiction_input, for joints whose friction depends on them; else NULL */
    const double *position;        /* rad */
    const double *effort;          /* N m: of the motor, which is in `force` as well */
    const double *external_torque; /* N m, never with friction in it */
    const double *temperature;     /* deg C; NULL, or NaN: the joint's own heat counts */
} stiction_implicit_input;

/* What was done. */
typedef enum stiction_implicit_outcome {
    STICTION_IMPLICIT_STUCK,   /* no joint slips */
    STICTION_IMPLICIT_SLIPPED, /* some do; solved to the last digits */
    STICTION_IMPLICIT_FROZEN   /* not converged: friction at the slip of the last iterate, which is
                                  not quite that of the velocity: its heat may be below 0 */
} stiction_implicit_outcome;

/*
 * What a step tells. Arrays have an entry a degree of freedom, zeros where there is no friction;
 * NULL: not wanted. Start from the default.
 */
typedef struct stiction_implicit_output {
    size_t size;               /* set by the default */
    double *velocity;          /* behind the step; predicted where constraints come later */
    double *friction;          /* N m, to be subtracted */
    double *slip;              /* rad/s: of the bristle's foot; rigid: the velocity itself */
    double *deflection;        /* rad, behind the step; before it where constraints come later */
    unsigned char *slipping;   /* 1: slips, 0: sticks */
    double *dissipated_energy; /* since the start or the last reset, J */
    /* written by the step */
    stiction_implicit_outcome outcome;
    int iterations;      /* Newton's and the majoriser's steps */
    double residual;     /* the largest |friction - Phi(slip)|, in units of F_S */
    double work;         /* done against friction in this step, J; in the one before where
                            constraints come later */
    double heat;         /* of it turned into heat, J, >= 0; below only in a step that is FROZEN,
                            with a warning that tells of energy given, or by a millionth of what
                            bristles can hold */
    double stored;       /* in all bristles, where their deflections are told, J */
    const char *warning; /* what is known not to hold in this step; NULL: nothing */
    size_t warning_dof;  /* of which degree of freedom */
    STICTION_JOINT_LEVELS(STICTION_QUANTITY_ARRAY) /* as in stiction_output */
} stiction_implicit_output;

STICTION_API stiction_implicit_input stiction_implicit_input_default(void);
STICTION_API stiction_implicit_output stiction_implicit_output_default(void);

/*
 * One step. Unless OK (a number that is not finite or would not be, as velocities and forces beyond
 * 1e90; a mass matrix that is not positive definite), friction is all zeros, the velocity is that
 * before the step, and the states are as they were.
 *
 * Where constraints come later, the forces that they gave in the last step are found from its
 * momentum, and the bristles follow the velocities that really came: call this in every step, with
 * the velocity that the host has.
 */
STICTION_API stiction_status stiction_implicit_step(stiction_implicit *implicit,
                                                    const stiction_implicit_input *input,
                                                    stiction_implicit_output *output,
                                                    stiction_error *error);

/* How many steps were made since the start or the last reset, and how many of them were FROZEN. */
STICTION_API uint64_t stiction_implicit_steps(const stiction_implicit *implicit);
STICTION_API uint64_t stiction_implicit_frozen(const stiction_implicit *implicit);

STICTION_END_C

#endif
