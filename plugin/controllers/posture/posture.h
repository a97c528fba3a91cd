/* SPDX-License-Identifier: MIT
 * The compliant posture controller of Cisneros et al., section V: (50), inverse dynamics through a
 * quadratic program with torque, velocity and joint limits, and the integral term (51). Plain C for
 * any host; it knows no simulator. A control step allocates nothing and cannot fail.
 *
 *     definition  --posture_create-->  posture         immutable, shared by threads
 *                                      posture_state   one per run: copy, reset
 *     each control step:  t, q, dq, M, c  --posture_step-->  tau
 */
#ifndef STICTION_CONTROLLERS_POSTURE_POSTURE_H
#define STICTION_CONTROLLERS_POSTURE_POSTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "stiction/error.h"
#include "trajectory.h"

STICTION_BEGIN_C

/* The largest number of a controller, except for limits. Beyond it, limits would be lost in
 * rounding, and the joint would not move. */
#define POSTURE_MOST 1e12

typedef enum posture_mode {
    POSTURE_QP,    /* the paper's controller */
    POSTURE_PD,    /* tau = kp (q_d - q) + kv (dq_d - dq): kp in N m/rad, kv in N m s/rad */
    POSTURE_TORQUE /* tau is the trajectory itself, N m */
} posture_mode;

/* The velocity that friction is predicted from; never the measured one. */
typedef enum posture_compensation {
    POSTURE_NO_COMPENSATION,
    POSTURE_COMPENSATE_DESIRED,  /* of the trajectories: follows them, and yields at rest */
    POSTURE_COMPENSATE_REFERENCE /* the integral of ddq with a leak: follows best, but feeds errors
                                    back, so the joint does not yield */
} posture_compensation;

/* "qp", "pd", "torque", as options name them. */
const char *posture_mode_name(posture_mode mode);

/*
 * One joint. Start from posture_joint_def_default(): the paper's gains, no limits, and the joint
 * stays where it is. Angles and torques are lengths and forces for a prismatic joint. Only torque
 * limits act outside of POSTURE_QP.
 */
typedef struct posture_joint_def {
    const char *name; /* for messages; copied; may be NULL */
    bool prismatic;   /* its values in files are in m, not degrees */

    double kp;     /* s^-2, >= 0 */
    double kv;     /* s^-1, >= 0 */
    double lambda; /* s^-1, >= 0: of the integral term; 0: none; only for POSTURE_QP */
    double weight; /* > 0: of its acceleration, where limits do not allow all of them */

    double torque_limit;             /* N m, >= 0; infinite: none */
    double velocity_limit;           /* rad/s, > 0; infinite: none */
    double lower_limit, upper_limit; /* rad; infinite: none */
    double braking;                  /* rad/s^2, > 0: assumed deceleration before a limit */

    posture_trajectory trajectory; /* its samples are copied */
} posture_joint_def;

posture_joint_def posture_joint_def_default(void);

/* The controller. Start from posture_def_default(). */
typedef struct posture_def {
    posture_mode mode;
    bool anti_windup;     /* integrate the part of ddq_r that the limits allow; not in the paper */
    bool hold_infeasible; /* contradicting limits: keep the last torque; else relax limits */
    double leak;          /* s^-1, >= 0: decay rate of the integral */
    posture_compensation compensation; /* of friction; needs a configuration of friction */
    double compensation_share;         /* 0 to 2: of the friction that is fed forward */
    double compensation_edge;          /* rad/s, > 0: below it the feed-forward fades */
    double compensation_lead;          /* s, >= 0: how early it begins before a start from rest */
    double compensation_reach;     /* rad, > 0: distance to a stepped target at which it fades */
    double compensation_leak;      /* s^-1, >= 0: of the velocity of `reference` */
    double period;                 /* s, >= 0: how long the host holds a torque; 0: for one step */
    const char *motion, *friction; /* files that posture_config_apply found, its own; NULL: none */
    size_t joint_count;            /* > 0 */
    const posture_joint_def *joints; /* copied */
} posture_def;

posture_def posture_def_default(void);

typedef struct posture posture;

/* Unless OK, *controller is NULL. */
stiction_status posture_create(const posture_def *def, posture **controller, stiction_error *error);
/* Destroy the states of a controller first. */
void posture_destroy(posture *controller);

typedef struct posture_state posture_state;

/* A state before its first step. The controller must outlive it. Unless OK, *state is NULL. */
stiction_status posture_state_create(const posture *controller, posture_state **state,
                                     stiction_error *error);
void posture_state_destroy(posture_state *state);
/* Back to before the first step, with no events counted. */
void posture_state_reset(posture_state *state);

/* What a step reads, one entry per joint. Start from zeros. */
typedef struct posture_input {
    double t, dt;              /* s; dt > 0: until the next step */
    const double *q;           /* rad */
    const double *dq;          /* rad/s */
    const double *M;           /* kg m^2, n x n, row by row: the mass matrix; only for POSTURE_QP */
    const double *c;           /* N m: what zero acceleration needs (Coriolis, gravity); likewise */
    const double *feedforward; /* N m, or NULL: added to the torque, for friction that a host
                                  predicts from posture_desired; all limits bind it */
    const double *wanted;      /* rad, or NULL: where joints stay that have no target of their own;
                                  NaN: where they were in the first step */
} posture_input;

/* What a step writes, one entry per joint. Start from zeros; NULL: not wanted. */
typedef struct posture_output {
    double *torque;          /* N m; required */
    double *reference;       /* ddq_r of (50), rad/s^2; the torque outside of POSTURE_QP */
    double *acceleration;    /* ddq of the quadratic program, with what the integral term adds,
                                rad/s^2; else 0 */
    double *integral_torque; /* tau_p of (51), N m */
    size_t *blocking;        /* one number: the joint whose limit contradicts others; the joint
                              * count if there is none */
} posture_output;

/* What may happen in a step. */
typedef enum posture_event {
    POSTURE_CLAMPED = 1,                 /* a torque was cut to its limit */
    POSTURE_RELAXED_JOINT_LIMITS = 2,    /* the limits contradicted each other */
    POSTURE_RELAXED_VELOCITY_LIMITS = 4, /* the velocity limits were relaxed, too */
    POSTURE_HELD = 8,                    /* no acceleration was found: the last torque again */
    POSTURE_FAULT = 16                   /* an input was not finite or missing: torque 0 */
} posture_event;

/*
 * One control step; returns its events, OR-ed. The torque is finite and within its limits, always.
 * Where limits contradict, joint limits are relaxed first, then velocity limits, torque limits
 * never; a joint then still brakes for them as hard as its torque allows. On POSTURE_FAULT all
 * torques are 0, on POSTURE_HELD the last ones; in both cases the integral does not change.
 */
unsigned posture_step(posture_state *state, const posture_input *input,
                      const posture_output *output);

/* In how many steps since the reset an event happened. */
uint64_t posture_state_count(const posture_state *state, posture_event event);

/* q_d and its derivatives of a joint at a time; q is where the joint is, for a state before its
 * first step. */
posture_reference posture_desired(const posture_state *state, size_t joint, double t, double q);

STICTION_END_C

#endif
