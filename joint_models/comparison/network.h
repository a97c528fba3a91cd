/* SPDX-License-Identifier: MIT
 * Networks of admittance and impedance components, integrated together by the generalised RK4.
 * Kikuuwe and Yamamoto, sections II and III B: (5), (6), (9), (13), (21), (22).
 * Nothing is allocated: the caller owns the components, the state and the workspace.
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_NETWORK_H
#define STICTION_JOINT_MODELS_COMPARISON_NETWORK_H

#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* xdot = F(x, t; tau), where tau (s) is the time over which the evaluation looks ahead. */
typedef void (*stiction_flow)(void *context, double t, double tau, const double *x, double *xdot);

/*
 * One step of (21), from x(t) to x(t + T): stage r evaluates F at t + T_{r-1} and passes
 * tau = T_r = T/2, T/2, T, T. The workspace has STICTION_RK4_WORKSPACE * n doubles.
 */
#define STICTION_RK4_WORKSPACE 3
void stiction_rk4_step(stiction_flow flow, void *context, size_t n, double t, double T, double *x,
                       double *workspace);

/* Force in, motion out (6): the state x holds positions and velocities. */
typedef struct stiction_admittance {
    const void *self;
    size_t states; /* components of x, > 0 */
    size_t inputs; /* components of the force u */
    void (*rate)(const void *self, const double *x, const double *u, double *xdot);
    void (*normalise)(const void *self, double *x); /* after each step; NULL: nothing to do */
} stiction_admittance;

/* Motion in, force out (9), (22); the state y is the component's own, such as a deflection. */
typedef struct stiction_impedance {
    const void *self;
    size_t states;  /* components of y, may be 0 */
    size_t inputs;  /* components of the motion */
    size_t outputs; /* components of the force */
    void (*evaluate)(const void *self, double t, double tau, const double *motion, const double *y,
                     double *force, double *ydot);
} stiction_impedance;

/*
 * The components and what couples them. Vectors hold the components one after the other, in the
 * order of the arrays: `state` the x of all admittances, then the y of all impedances; `motion` and
 * `force` the inputs and outputs of the impedances; `input` the inputs of the admittances.
 */
typedef struct stiction_network {
    const stiction_admittance *admittances;
    size_t admittance_count; /* > 0 */
    const stiction_impedance *impedances;
    size_t impedance_count;
    /* Phi (13d) and Psi (13f) fill their last argument; they also know what acts from outside. */
    void (*route_motion)(const void *context, double t, const double *state, double *motion);
    void (*route_force)(const void *context, double t, const double *state, const double *force,
                        double *input);
    const void *context;
    double timestep; /* T, s, > 0 */
} stiction_network;

typedef struct stiction_network_size {
    size_t state, motion, force, input; /* components of the vectors above */
    size_t workspace;                   /* doubles */
} stiction_network_size;

stiction_network_size stiction_network_measure(const stiction_network *network);

/* One step of (13) with (22), from state(t) to state(t + T). Give t = k T, not a running sum. */
void stiction_network_step(const stiction_network *network, double t, double *state,
                           double *workspace);

STICTION_END_C

#endif
