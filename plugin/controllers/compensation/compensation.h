/* SPDX-License-Identifier: MIT
 * Friction compensation of a run: stiction_compensate over the joints of a robot, from the file
 * of a controller's options, and the starts from rest that the controller intends.
 *
 * It is a feed-forward of the desired motion. The only measured quantity is the distance that is
 * left to a target that was set at once; it can only reduce the torque, so nothing can oscillate.
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
    double reach;       /* rad, > 0: distance to a stepped target at which a start fades */
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

/* What a step reads, one entry per joint. */
typedef struct compensation_input {
    double dt;              /* s: since the last step */
    const double *q;        /* rad: measured */
    const double *velocity; /* rad/s: desired */
    const double *ahead;    /* rad/s: desired a moment later, which announces a start from rest;
                             * NULL: starts are not announced */
    const double *goal;     /* rad: where the joint should be. If it jumps while no velocity is
                             * desired, that is an intended start until the joint arrives. NaN,
                             * NULL: not known */
    /* N m: what friction may depend on, see compensation_needs */
    const double *motor;    /* the torques of the controller in the last step */
    const double *external; /* those of gravity, motion and the like */
} compensation_input;

/* What the friction of the file depends on besides velocity: bits of stiction_need. */
unsigned compensation_needs(const compensation *c);

/* The torques to add, N m: see stiction_compensate. Unless OK, they are zeros. */
stiction_status compensation_step(compensation *c, const compensation_input *in, double *torque,
                                  stiction_error *error);

/* "JOINT.compensation", one entry per joint: the names of the recorded torques, from which the
 * results compute their energy. */
const char *const *compensation_record_names(const compensation *c);

/*
 * The integral of an acceleration, rad/s, limited to a little more than the velocity of the joint
 * and its desired velocity. For a joint that sticks, the integral would grow, and with it the
 * viscous friction of a motion that does not happen, until the joint breaks away and overshoots.
 */
double compensation_led(double led, double velocity, double desired);

/* A warning about the share; NULL: none. */
const char *compensation_warning(const compensation *c);

STICTION_END_C

#endif
