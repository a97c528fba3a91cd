/* SPDX-License-Identifier: MIT
 * Whether the velocities of a simulator agree with its positions: friction from a velocity that is
 * always 0 is 0, and nothing else shows that. One check per joint; allocates nothing.
 */
#ifndef STICTION_VELOCITIES_VELOCITY_CHECK_H
#define STICTION_VELOCITIES_VELOCITY_CHECK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum velocity_source {
    VELOCITY_GIVEN,       /* by the simulator */
    VELOCITY_MISSING,     /* always 0, while the joint moves: taken from its positions */
    VELOCITY_STANDING,    /* not 0, while the joint stands: taken from its positions */
    VELOCITY_CONTRADICTED /* by a joint that moves otherwise: taken from its positions */
} velocity_source;

/* Of one joint. All zero is a check that starts. */
typedef struct velocity_check {
    velocity_source source;
    /* of a contradiction: since the window began */
    double moved;       /* rad or m */
    double least, most; /* how far the velocities would have moved it, by any integrator */

    /* private */
    bool has_last, has_given;
    double position, velocity; /* of the last step */
    double written;            /* what was returned last */
    double path;               /* rad or m, back and forth */
    double gap;                /* between `moved` and what the velocities explain */
    double begun;              /* `moved` when that began to grow */
    double jump;               /* by how much it grew at most in one step */
    double unseen;             /* motion without a velocity, rad or m */
    double change;             /* T (v_0 - v_n) */
    int steps;
    int lies;         /* windows in a row in which a joint that had stood moved otherwise */
    int silent_steps; /* in which the joint moved, and no velocity was ever given */
} velocity_check;

/* The velocity of a joint in this step: the given one, with what it did not say of the last steps'
 * motion, or the difference of positions over the time step where none is given. Called once a
 * step; a host may write the result over the given one. After a call `source` says what it is. A
 * number that is not finite, or beyond all motion (1e90, a time step outside 1e-30 to 1e30 s),
 * starts the check anew and gives the velocity as it was given. */
double velocity_check_step(velocity_check *check, double timestep, double position, double given);

/* What is wrong with it, to follow "the simulator gives"; NULL: nothing. */
const char *velocity_source_fault(velocity_source source);

#ifdef __cplusplus
}
#endif

#endif
