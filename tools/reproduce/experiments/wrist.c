/* SPDX-License-Identifier: MIT */
/* The wrist of Cisneros et al., section V, and its friction. */
#include "wrist.h"

#include <math.h>
#include <stdlib.h>

#include "common/command.h"

/* ---- one joint ---- */

typedef struct one_joint {
    stiction_model *model;
    stiction_state *state;
    double timestep;
} one_joint;

static void one_joint_destroy(one_joint *j) {
    if (!j) return;
    stiction_state_destroy(j->state);
    stiction_model_destroy(j->model);
    free(j);
}

/* At rest. NULL where the friction is not legal at this time step. */
static one_joint *one_joint_create(const stiction_joint_def *friction, double timestep) {
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

/* The torque to subtract; the effort is the sum of all other torques. NaN where the step failed. */
static double one_joint_step(one_joint *j, double velocity, double effort, bool *slipping) {
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
    *slipping = slips;
    return status == STICTION_OK && stiction_state_faults(j->state, 0) == 0 ? torque : (double)NAN;
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

static stiction_joint_def wrist_coulomb(const experiment *of) {
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

static void move(const wrist *w, double duration, one_joint *friction,
                 void (*observe)(void *, const wrist_sample *), void *context) {
    const double T = w->timestep, M = w->inertia;
    double q = 0, v = 0, integral = 0; /* of ddq_r */
    for (long k = 0; (double)k * T < duration; k++) {
        wrist_sample s = {.step = k, .time = (double)k * T, .position = q, .velocity = v};
        const double ddq_r = w->kp * (w->target - q) - w->kv * v; /* (50) */
        s.command = M * (ddq_r + w->lambda * (integral - v));     /* (51) */
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
    if (friction) move(w, duration, friction, observe, context);
    one_joint_destroy(friction);
    return friction != NULL;
}
