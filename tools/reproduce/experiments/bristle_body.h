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

typedef struct bristle_body {
    double mass, K;  /* kg, N/m */
    double v_p;      /* of the far end of the spring, m/s */
    double U, omega; /* u(t) = U sin(omega t): N, rad/s */
    /* Friction: its bounds at this state, which differ where it jumps with the direction, and
     * zdot. */
    stiction_interval (*friction)(const void *model, const double y[BODY_STATES], double *zdot);
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

/* For `friction`; the models are a stiction_bristles, stiction_sawtooth, stiction_ffbm. */
stiction_interval body_on_drbm(const void *bristles, const double y[BODY_STATES], double *zdot);
stiction_interval body_on_sawtooth(const void *sawtooth, const double y[BODY_STATES], double *zdot);
stiction_interval body_on_ffbm(const void *ffbm, const double y[BODY_STATES], double *zdot);

/* The bristles of the parameters kappa, h, l_b, Delta and d. */
stiction_bristles bristles_of(const experiment *self);
/* The body of the parameters m, K; without motion, force and friction. */
bristle_body bristle_body_of(const experiment *self);

/* ---- what is drawn ---- */

/* A curve with a point wherever x or y has moved by dx or dy since the last one. */
typedef struct trace {
    experiment_curve *curve;
    double dx, dy;
    double x, y;
    bool begun;
} trace;

trace trace_begin(experiment_curve *curve, double dx, double dy);
void trace_add(trace *t, double x, double y);

/* A curve that goes up and down more often than a page can show: of every `bin` of time the lowest
 * and the highest point. */
typedef struct envelope {
    experiment_curve *curve;
    double bin, until;
    double low[3], high[3]; /* time, x, y */
} envelope;

envelope envelope_begin(experiment_curve *curve, double bin);
void envelope_add(envelope *e, double t, double x, double y);
void envelope_end(envelope *e);

/* The prescribed motion x = A sin(omega t) of the parameters A, omega and T, and the friction over
 * its position and velocity in two plots. */
typedef struct sine_motion {
    double A, omega, T; /* m, rad/s, s */
    double quarter;     /* of a period, s */
    envelope over_x, over_v;
} sine_motion;

/* For so many quarters of a period. */
sine_motion sine_motion_begin(const experiment *self, experiment_run *out, int quarters);
double sine_motion_position(const sine_motion *m, double t); /* m */
double sine_motion_velocity(const sine_motion *m, double t); /* m/s */
void sine_motion_add(sine_motion *m, double t, double force);
void sine_motion_end(sine_motion *m);

/* The equilibria beside a spring K for x from -x_max to x_max: their boundary, and dots over the
 * area for its shade. */
void draw_equilibria(experiment_plot *plot, double K,
                     stiction_interval (*holding)(const void *model, double x), const void *model,
                     double x_max);

#endif
