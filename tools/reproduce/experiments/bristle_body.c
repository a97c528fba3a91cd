/* SPDX-License-Identifier: MIT */
/* The bodies of Drincic and Bernstein, sections 2.3, 3.3 and 4. */
#include "bristle_body.h"
#include "joint_models/comparison/bristle_analysis.h"

#include <math.h>
#include <string.h>

/* ---- the equations of motion ---- */

static double input_at(const bristle_body *b, double t) {
    return b->U * sin(b->omega * t);
}

static void equations(const bristle_body *b, double t, const double y[BODY_STATES], double friction,
                      double zdot, double ydot[BODY_STATES]) {
    const double u = input_at(b, t);
    ydot[BODY_X] = y[BODY_V];
    ydot[BODY_V] = (b->K * y[BODY_L] + u - friction) / b->mass; /* (11), (41) */
    ydot[BODY_L] = b->v_p - y[BODY_V];
    ydot[BODY_WORK] = u * y[BODY_V];
    ydot[BODY_Z] = zdot;
}

static void rate(const bristle_body *b, double t, const double y[BODY_STATES],
                 double ydot[BODY_STATES]) {
    double zdot = 0, plus[BODY_STATES], minus[BODY_STATES];
    const stiction_interval force = b->friction(b->model, y, &zdot);
    equations(b, t, y, force.high, zdot, plus); /* (38), (42) */
    equations(b, t, y, force.low, zdot, minus); /* (39), (43) */
    stiction_switch_model(BODY_STATES, plus, minus, plus[BODY_V], minus[BODY_V], y[BODY_V], b->eta,
                          b->tau, ydot);
}

/* ---- RK4 ---- */

/* On the other side of the stick band than the body was at the start of the step. */
static bool crossed(const bristle_body *b, const double y[BODY_STATES]) {
    const double v = b->y[BODY_V];
    return b->eta > 0 && fabs(v) > b->eta && copysign(1, v) * y[BODY_V] < -b->eta;
}

static bool rk4(const bristle_body *b, double dt, double next[BODY_STATES]) {
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double k[BODY_STATES] = {0}, sum[BODY_STATES] = {0}, stage[BODY_STATES];
    for (int r = 0; r < 4; r++) {
        for (int i = 0; i < BODY_STATES; i++) stage[i] = b->y[i] + at[r] * dt * k[i];
        if (crossed(b, stage)) return false;
        rate(b, b->t + at[r] * dt, stage, k);
        for (int i = 0; i < BODY_STATES; i++) sum[i] += weight[r] * k[i];
    }
    for (int i = 0; i < BODY_STATES; i++) next[i] = b->y[i] + dt / 6 * sum[i];
    return !crossed(b, next);
}

double bristle_body_step(bristle_body *b, double dt) {
    double next[BODY_STATES];
    while (!rk4(b, dt, next)) dt /= 2;
    memcpy(b->y, next, sizeof next);
    b->t += dt;
    return dt;
}

bool bristle_body_sticks(const bristle_body *b) {
    return fabs(b->y[BODY_V]) <= b->eta;
}

bool bristle_body_may_rest(const bristle_body *b, double T) {
    double zdot;
    const double rise = fabs(b->U * b->omega), u = input_at(b, b->t);
    const double slack = sqrt(2 * b->mass * b->eta * rise) + rise * T;
    const stiction_interval inputs =
        stiction_equilibrium_inputs(b->K, b->y[BODY_X], b->friction(b->model, b->y, &zdot));
    return u >= inputs.low - slack && u <= inputs.high + slack;
}

double bristle_body_input(const bristle_body *b) {
    return input_at(b, b->t);
}

double bristle_body_friction(const bristle_body *b) {
    double ydot[BODY_STATES];
    rate(b, b->t, b->y, ydot);
    return b->K * b->y[BODY_L] + input_at(b, b->t) - b->mass * ydot[BODY_V];
}

/* ---- friction ---- */

stiction_interval body_on_drbm(const void *bristles, const double y[BODY_STATES], double *zdot) {
    (void)zdot;
    return stiction_drbm_holding(bristles, y[BODY_X]);
}

stiction_interval body_on_sawtooth(const void *sawtooth, const double y[BODY_STATES],
                                   double *zdot) {
    (void)zdot;
    return stiction_sawtooth_holding(sawtooth, y[BODY_X]);
}

stiction_interval body_on_ffbm(const void *ffbm, const double y[BODY_STATES], double *zdot) {
    double f;
    stiction_ffbm_rate(ffbm, y[BODY_X], y[BODY_V], y[BODY_Z], &f, zdot);
    return (stiction_interval){f, f};
}

/* ---- parameters ---- */

stiction_bristles bristles_of(const experiment *self) {
    return (stiction_bristles){.stiffness = param(self, "kappa"),
                               .height = param(self, "h"),
                               .length = param(self, "l_b"),
                               .spacing = param(self, "Delta"),
                               .body_length = param(self, "d")};
}

bristle_body bristle_body_of(const experiment *self, body_friction *friction, const void *model) {
    return (bristle_body){.mass = param(self, "m"),
                          .K = param(self, "K"),
                          .v_p = param_or(self, "v_p", 0),
                          .U = param_or(self, "U", 0),
                          .omega = param_or(self, "omega", 0),
                          .eta = param_or(self, "eta", 0),
                          .tau = param_or(self, "tau", 0),
                          .friction = friction,
                          .model = model};
}

/* ---- what is drawn ---- */

void body_curves_add(const body_curves *c, const bristle_body *body) {
    add_point(c->x, body->t, body->y[BODY_X]);
    add_point(c->l, body->t, body->y[BODY_L]);
    add_point(c->v, body->t, body->y[BODY_V]);
    add_point(c->u, body->t, bristle_body_input(body));
    add_point(c->force, body->t, bristle_body_friction(body));
}

trace trace_begin(experiment_curve *curve, double dx, double dy) {
    return (trace){.curve = curve, .dx = dx, .dy = dy};
}

void trace_add(trace *t, double x, double y) {
    if (t->begun && fabs(x - t->x) < t->dx && fabs(y - t->y) < t->dy) return;
    add_point(t->curve, x, y);
    t->x = x;
    t->y = y;
    t->begun = true;
}
