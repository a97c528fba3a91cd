/* SPDX-License-Identifier: MIT
 * Friction compensation of a run: stiction_compensate over the joints of a robot, from the file
 * that a controller is told, and the starts from rest that a controller intends.
 *
 * It is a feed-forward: it reads the desired motion. Of what is measured, only the way that is left
 * to a target that was set at once counts, and that can but lessen the torque: nothing of it can
 * swing.
 */
#ifndef STICTION_CONTROLLERS_COMPENSATION_COMPENSATION_H
#define STICTION_CONTROLLERS_COMPENSATION_COMPENSATION_H

#include <stddef.h>

#include "stiction/compensate.h"

STICTION_BEGIN_C

typedef struct compensation compensation;

typedef struct compensation_def {
    const char *path;          /* of a configuration of friction */
    const char *const *joints; /* their names */
    size_t count;
    double share, edge; /* as in stiction_compensation */
    double reach;       /* rad, > 0: so near to its target a start at once fades */
} compensation_def;

/*
 * Reads the file for these joints. A joint that it does not name has no friction, one whose law has
 * no Phi (the models of the literature) is an error. Unless OK, *result is NULL.
 */
stiction_status compensation_create(const compensation_def *def, compensation **result,
                                    stiction_error *error);
void compensation_destroy(compensation *c);
/* Back to before the first step. */
void compensation_reset(compensation *c);

/* What a step reads, an entry a joint. */
typedef struct compensation_input {
    double dt;              /* s: since the last step */
    const double *q;        /* rad: measured */
    const double *velocity; /* rad/s: desired */
    const double *ahead;    /* rad/s: desired a moment later, so that a start from rest is known
                               before it begins; NULL: no start is */
    const double *goal;     /* rad: where the joint should be. One that jumps, with no desired
                               velocity, is an intended start until the joint is there. NaN, NULL:
                               not known */
    /* N m: what friction may depend on, see compensation_needs */
    const double *motor;    /* the torques of the controller in the last step */
    const double *external; /* those of gravity, motion and the like */
} compensation_input;

/* What the friction of the file depends on besides velocity: bits of stiction_need. */
unsigned compensation_needs(const compensation *c);

/* The torques to add, N m: see stiction_compensate. Unless OK, they are zeros. */
stiction_status compensation_step(compensation *c, const compensation_input *in, double *torque,
                                  stiction_error *error);

/* "JOINT.compensation", an entry a joint: names to record the torques by, from which the results
 * make the energy that they put in. */
const char *const *compensation_record_names(const compensation *c);

/*
 * A velocity that an acceleration was integrated to, rad/s, cut to what a joint of this velocity may
 * be led to: a little faster than it moves or is to move. A joint that sticks would otherwise be
 * expected to have the viscous friction of a motion that it does not make, ever more of it, until
 * that breaks it away, and then be driven past its target.
 */
double compensation_led(double led, double velocity, double desired);

/* What a user must know of the share; NULL: nothing. */
const char *compensation_warning(const compensation *c);

STICTION_END_C

#endif
