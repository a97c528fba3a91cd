/* SPDX-License-Identifier: MIT
 * The bodies of Drincic and Bernstein: on a spring whose far end moves, (10) to (12), or stands
 * while a force acts, (40) and (41). Integrated with RK4; the friction is one of the library's, and
 * where it jumps with the direction its Switch Model mixes the two.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_BRISTLE_BODY_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_BRISTLE_BODY_H

#include "../experiment.h"
#include "joint_models/comparison/bristle_analysis.h"
#include "joint_models/reference/reference.h"

/* Position, velocity, stretch of the spring, work of the force u, deflection of a single-state
 * model: m, m/s, m, J, m. */
enum { BODY_X, BODY_V, BODY_L, BODY_WORK, BODY_Z, BODY_STATES };

/* Friction: its bounds at this state, which differ where it jumps with the direction, and zdot. */
typedef stiction_interval body_friction(const void *model, const double y[BODY_STATES],
                                        double *zdot);

typedef struct bristle_body {
    double mass, K;  /* kg, N/m */
    double v_p;      /* of the far end of the spring, m/s */
    double U, omega; /* u(t) = U sin(omega t): N, rad/s */
    body_friction *friction;
    const void *model;
    double eta, tau; /* of the Switch Model; eta = 0: the friction does not jump */
    double t;        /* s */
    double y[BODY_STATES];
} bristle_body;

/* Goes on by dt, or by less where a stage of RK4 would leap the stick band: on its other side the
 * friction of the other direction would throw the body off. Returns how far it went, s. */
double bristle_body_step(bristle_body *body, double dt);
bool bristle_body_sticks(const bristle_body *body); /* v is within the stick band */
/* Whether the friction can hold the body here; u may be beyond by what it rises while the body
 * leaves the stick band, sqrt(2 m eta U omega), and in a step of T. */
bool bristle_body_may_rest(const bristle_body *body, double T);
double bristle_body_input(const bristle_body *body);    /* u, N */
double bristle_body_friction(const bristle_body *body); /* F_f, N */

/* The models are a stiction_bristles, stiction_sawtooth, stiction_ffbm. */
body_friction body_on_drbm, body_on_sawtooth, body_on_ffbm;

/* The bristles of the parameters kappa, h, l_b, Delta and d. */
stiction_bristles bristles_of(const experiment *self);
/* The body of the parameters m, K, v_p, U, omega, eta and tau, 0 where they are not listed. */
bristle_body bristle_body_of(const experiment *self, body_friction *friction, const void *model);

/* ---- what is drawn ---- */

/* Quantities over time; NULL: not drawn. */
typedef struct body_curves {
    experiment_curve *x, *l, *v, *u, *force;
} body_curves;

void body_curves_add(const body_curves *c, const bristle_body *body);

/* A curve with a point wherever x or y has moved by dx or dy since the last one. */
typedef struct trace {
    experiment_curve *curve;
    double dx, dy;
    double x, y;
    bool begun;
} trace;

trace trace_begin(experiment_curve *curve, double dx, double dy);
void trace_add(trace *t, double x, double y);

#endif
