/* SPDX-License-Identifier: MIT */
/* The wrist of Cisneros et al., section V, its friction, and how to fit it. */
#include "wrist.h"

#include <math.h>
#include <stdlib.h>

#include "common/command.h"

/* ---- one joint ---- */

struct one_joint {
    stiction_model *model;
    stiction_state *state;
    double timestep;
};

one_joint *one_joint_create(const stiction_joint_def *friction, double timestep) {
    const char *name = "joint";
    stiction_error error;
    stiction_model_def def = stiction_model_def_default();
    def.timestep = timestep;
    one_joint *j = allocate(1, sizeof *j);
    *j = (one_joint){.timestep = timestep};
    stiction_config *config = must_have(stiction_config_create());
    const bool fine =
        stiction_config_add_joint(config, name, friction, &error) == STICTION_OK &&
        stiction_model_create(config, &name, 1, &def, &j->model, &error) == STICTION_OK &&
        stiction_state_create(j->model, &j->state, &error) == STICTION_OK;
    stiction_config_destroy(config);
    if (fine) return j;
    one_joint_destroy(j);
    return NULL;
}

void one_joint_destroy(one_joint *j) {
    if (!j) return;
    stiction_state_destroy(j->state);
    stiction_model_destroy(j->model);
    free(j);
}

double one_joint_step(one_joint *j, double velocity, double effort, bool *slipping) {
    double torque = (double)NAN;
    unsigned char slips = 0;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = j->timestep;
    input.velocity = &velocity;
    input.effort = &effort;
    output.torque = &torque;
    output.slipping = &slips;
    const stiction_status status = stiction_step_full(j->state, &input, &output, NULL);
    if (slipping) *slipping = slips;
    return status == STICTION_OK && stiction_state_faults(j->state, 0) == 0 ? torque : (double)NAN;
}

/* The same without memory: what a joint whose bristle is at rest would begin with, Phi_Z. */
static double one_joint_law(const one_joint *j, double velocity) {
    double torque = (double)NAN;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = j->timestep;
    input.velocity = &velocity;
    output.torque = &torque;
    return stiction_trial(j->state, &input, &output, NULL) == STICTION_OK ? torque : (double)NAN;
}

/* ---- curves of a law ---- */

law_curve law_curve_of(const stiction_joint_def *friction, double timestep) {
    law_curve c = {.law = stiction_law_find(friction->law),
                   .parameters = stiction_joint_law_parameters(friction)};
    const double inverse_Z = friction->stiffness * timestep + friction->damping;
    (void)stiction_phi_z_prepare_inverse(&c.phi_z, c.law, &c.parameters, inverse_Z);
    return c;
}

double law_curve_phi(const law_curve *c, double v) {
    return stiction_phi(c->law, &c->parameters, v);
}

double law_curve_phi_z(const law_curve *c, double v_star) {
    return stiction_phi_z_at(&c->phi_z, v_star);
}

void law_curve_draw(const law_curve *c, double (*y)(const law_curve *c, double x), double range,
                    int points, experiment_curve *on) {
    for (int k = -points; k <= 0; k++)
        add_point(on, range * k / points, y(c, k ? range * k / points : -0.0));
    for (int k = 0; k <= points; k++) add_point(on, range * k / points, y(c, range * k / points));
}

double law_curve_minimum(const law_curve *c, double (*y)(const law_curve *c, double x), double low,
                         double high) {
    static const double ratio = 0.6180339887498949;
    for (int k = 0; k < 60; k++) {
        const double left = high - ratio * (high - low), right = low + ratio * (high - low);
        if (y(c, left) < y(c, right))
            high = right;
        else
            low = left;
    }
    return (low + high) / 2;
}

double law_curve_distance(const law_curve *a, const law_curve *b,
                          double (*y)(const law_curve *c, double x), double range) {
    enum { steps = 100000 };
    double largest = 0;
    for (int k = 1; k <= steps; k++) {
        const double x = range * k / steps;
        largest = fmax(largest, fabs(y(a, x) - y(b, x)));
    }
    return largest;
}

/* ---- the laws ---- */

static stiction_joint_def element_c(const experiment *of, const char *law) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = law;
    def.viscous = param(of, "D");
    def.stiffness = param(of, "K");
    def.damping = param(of, "B");
    return def;
}

static stiction_joint_def with_stiction(const experiment *of, const char *law, const char *F_C,
                                        const char *v_S) {
    stiction_joint_def def = element_c(of, law);
    def.static_torque = param(of, "F_S");
    def.coulomb_torque = param(of, F_C);
    def.stribeck_velocity = param(of, v_S);
    return def;
}

stiction_joint_def wrist_stribeck(const experiment *of) {
    return with_stiction(of, "stribeck", "F_C", "v_S");
}

stiction_joint_def wrist_rational(const experiment *of) {
    return with_stiction(of, "rational", "F_C'", "v_S'");
}

stiction_joint_def wrist_coulomb(const experiment *of) {
    stiction_joint_def def = element_c(of, "coulomb");
    def.coulomb_torque = param(of, "F");
    return def;
}

void wrist_laws(const experiment *of, wrist_law laws[WRIST_LAWS]) {
    laws[0] = (wrist_law){"Stribeck", wrist_stribeck(of)};
    laws[1] = (wrist_law){"rational", wrist_rational(of)};
    laws[2] = (wrist_law){"Coulomb", wrist_coulomb(of)};
}

/* ---- the motion ---- */

static wrist_desired desired_at(const wrist *w, double time) {
    return w->desired ? w->desired(time, w->target) : (wrist_desired){.q = w->target};
}

static double predict(wrist_prediction from, one_joint *friction, double dq_d, double dq) {
    if (from == WRIST_DESIRED_LAW) return one_joint_law(friction, dq_d);
    return one_joint_step(friction, from == WRIST_MEASURED_BRISTLE ? dq : dq_d, 0, NULL);
}

static void move(const wrist *w, double duration, one_joint *friction, one_joint *predicted,
                 void (*observe)(void *, const wrist_sample *), void *context) {
    const double T = w->timestep, M = w->inertia;
    double q = 0, v = 0, integral = 0; /* of ddq_r */
    for (long k = 0; (double)k * T < duration; k++) {
        const wrist_desired d = desired_at(w, (double)k * T);
        wrist_sample s = {
            .step = k, .time = (double)k * T, .position = q, .velocity = v, .desired = d.q};
        const double ddq_r = w->kp * (d.q - q) + w->kv * (d.dq - v) + d.ddq; /* (50) */
        s.command = M * (ddq_r + w->lambda * (integral - v));                /* (51) */
        if (predicted) s.command += predict(w->prediction, predicted, d.dq, v);
        s.friction = one_joint_step(friction, v, s.command, &s.slipping);
        observe(context, &s);
        if (!(s.friction == s.friction)) return;
        integral += T * ddq_r;
        v += T * (s.command - s.friction) / M;
        q += T * v;
    }
}

wrist wrist_of(const experiment *of, stiction_joint_def friction) {
    return (wrist){.friction = friction,
                   .inertia = param(of, "M"),
                   .kp = param(of, "kp"),
                   .kv = param(of, "kv"),
                   .target = param(of, "target") * 3.141592653589793 / 180,
                   .timestep = param(of, "T")};
}

bool wrist_simulate(const wrist *w, double duration, void (*observe)(void *, const wrist_sample *),
                    void *context) {
    one_joint *friction = one_joint_create(&w->friction, w->timestep);
    one_joint *predicted =
        friction && w->compensation ? one_joint_create(w->compensation, w->timestep) : NULL;
    const bool fine = friction && (!w->compensation || predicted);
    if (fine) move(w, duration, friction, predicted, observe, context);
    one_joint_destroy(predicted);
    one_joint_destroy(friction);
    return fine;
}

/* ---- what is seen of a stop and of hunting ---- */

static const double degree = 3.141592653589793 / 180;
static const double at_rest = 1e-3, in_motion = 1e-2; /* rad/s, as S.fig13 has them */

/* ---- one stop ---- */

typedef struct stopping {
    wrist_stop stop;
    double last_time, last_speed;
} stopping;

static void observe_stop(void *context, const wrist_sample *s) {
    stopping *of = context;
    const double speed = fabs(s->velocity);
    if (speed > at_rest)
        of->stop.time = (double)NAN; /* not yet */
    else if (of->last_speed > at_rest)
        of->stop.time = of->last_time + (s->time - of->last_time) * (of->last_speed - at_rest) /
                                            (of->last_speed - speed);
    of->last_time = s->time;
    of->last_speed = speed;
    of->stop.angle = s->position / degree;
    of->stop.torque = s->command;
}

static bool is_legal(const wrist *w) {
    stiction_error error;
    return stiction_joint_def_check(NULL, &w->friction, w->timestep, &error) == STICTION_OK;
}

wrist_stop wrist_stop_of(const wrist *w) {
    const wrist_stop none = {(double)NAN, (double)NAN, (double)NAN};
    const double duration = 10; /* s: three times what a stop takes here */
    stopping of = {.stop = none};
    if (is_legal(w)) (void)wrist_simulate(w, duration, observe_stop, &of);
    return isfinite(of.stop.time) ? of.stop : none;
}

/* ---- two parameters by two numbers ---- */

/* B as it is, or half as much again as the law needs at least. */
static void make_legal(wrist *w) {
    for (int k = 0; k < 20 && !is_legal(w); k++) w->friction.damping *= 1.5;
}

static wrist_stop stop_with(wrist w, double F_C, double D) {
    w.friction.coulomb_torque = F_C;
    w.friction.viscous = D;
    make_legal(&w);
    return wrist_stop_of(&w);
}

static bool is_near(wrist_stop a, wrist_stop b) {
    return fabs(a.angle - b.angle) < 1e-3 && fabs(a.time - b.time) < 1e-3;
}

bool wrist_fit(wrist *w, wrist_stop goal) {
    double F_C = w->friction.coulomb_torque, D = w->friction.viscous;
    wrist_stop s = stop_with(*w, F_C, D);
    for (int k = 0; k < 40 && !is_near(s, goal); k++) {
        const double dF = 1e-3, dD = 1e-2;
        const wrist_stop f = stop_with(*w, F_C + dF, D), d = stop_with(*w, F_C, D + dD);
        const double a_f = (f.angle - s.angle) / dF, a_d = (d.angle - s.angle) / dD;
        const double t_f = (f.time - s.time) / dF, t_d = (d.time - s.time) / dD;
        const double da = goal.angle - s.angle, dt = goal.time - s.time,
                     det = a_f * t_d - a_d * t_f;
        const double to_F = (da * t_d - a_d * dt) / det, to_D = (a_f * dt - t_f * da) / det;
        /* a long way is gone in parts: far from the goal the stop is not linear */
        const double part = fmin(1, fmin(0.1 / fabs(to_F), 0.5 / fabs(to_D)));
        F_C += part * to_F;
        D += part * to_D;
        if (!(F_C > 0 && D > 0)) return false;
        s = stop_with(*w, F_C, D);
    }
    w->friction.coulomb_torque = F_C;
    w->friction.viscous = D;
    make_legal(w);
    return is_near(s, goal);
}

/* ---- a minute with an integral term ---- */

typedef struct hunting {
    wrist_hunt hunt;
    bool moves;
    double peak; /* since the last slip began */
    experiment_curve *angle;
} hunting;

static void observe_hunt(void *context, const wrist_sample *s) {
    hunting *of = context;
    wrist_hunt *hunt = &of->hunt;
    const double speed = fabs(s->velocity), angle = s->position / degree;
    if (s->step % 50 == 0 && angle > 80) add_point(of->angle, s->time, angle);
    hunt->highest = fmax(hunt->highest, angle);
    /* a stuck joint's command rises until it moves, and falls as soon as it does */
    if (!of->moves) of->peak = fmax(of->peak, fabs(s->command));
    if (!of->moves && speed > in_motion) {
        of->moves = true;
        if (hunt->slips++ > 0) {
            hunt->least_peak = fmin(hunt->least_peak, of->peak);
            hunt->highest_peak = fmax(hunt->highest_peak, of->peak);
        }
    } else if (of->moves && speed < at_rest) {
        of->moves = false;
        of->peak = 0;
    }
}

wrist_hunt wrist_hunt_of(const wrist *w, double kp, double kv, double lambda,
                         experiment_curve *angle) {
    wrist hunts = *w;
    hunts.kp = kp;
    hunts.kv = kv;
    hunts.lambda = lambda;
    hunting of = {.hunt = {.least_peak = (double)INFINITY}, .angle = angle};
    (void)wrist_simulate(&hunts, 60, observe_hunt, &of);
    return of.hunt;
}
