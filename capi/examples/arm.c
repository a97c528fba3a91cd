/* SPDX-License-Identifier: MIT
 * An arm of three links in a vertical plane, simulated with implicit coupling: it sags until
 * friction holds it. docs/c_api.md explains the calls and shows what it prints.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>

enum { joints = 3 };
static const double link = 0.3, mass[joints] = {2, 1, 0.5}, rotor = 0.01, gravity = 9.81;

/* Velocity of the mass at the end of link k per unit velocity of joint i. */
static void reach(const double *angle, int k, int i, double r[2]) {
    r[0] = r[1] = 0;
    for (int j = i; j <= k; j++) {
        r[0] -= link * sin(angle[j]);
        r[1] += link * cos(angle[j]);
    }
}

/* Mass matrix, and the generalised force of gravity and Coriolis terms. */
static void dynamics(const double *q, const double *v, double M[joints][joints], double *force) {
    double angle[joints], rate[joints];
    for (int i = 0; i < joints; i++) {
        angle[i] = q[i] + (i ? angle[i - 1] : 0);
        rate[i] = v[i] + (i ? rate[i - 1] : 0);
        force[i] = 0;
        for (int j = 0; j < joints; j++) M[i][j] = i == j ? rotor : 0;
    }
    double turn[2] = {0, 0}; /* acceleration of link k's end */
    for (int k = 0; k < joints; k++) {
        turn[0] -= link * rate[k] * rate[k] * cos(angle[k]);
        turn[1] -= link * rate[k] * rate[k] * sin(angle[k]);
        for (int i = 0; i <= k; i++) {
            double a[2], b[2];
            reach(angle, k, i, a);
            force[i] -= mass[k] * (a[0] * turn[0] + a[1] * (turn[1] + gravity));
            for (int j = 0; j <= k; j++) {
                reach(angle, k, j, b);
                M[i][j] += mass[k] * (a[0] * b[0] + a[1] * b[1]);
            }
        }
    }
}

static void check(stiction_status status, const stiction_error *error) {
    if (status == STICTION_OK) return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

int main(void) {
    const char *names[joints] = {"shoulder", "elbow", "wrist"};
    const double static_torque[joints] = {12, 4, 1.2}, T = 0.005;
    stiction_error error;
    stiction_config *config = stiction_config_create();
    for (int i = 0; i < joints; i++) {
        stiction_joint_def def = stiction_joint_def_default();
        def.law = "stribeck";
        def.static_torque = static_torque[i];
        def.coulomb_torque = 0.5 * static_torque[i];
        def.stribeck_velocity = 0.06;
        def.viscous = 0.5 * static_torque[i];
        def.stiffness = 2000 * static_torque[i];
        def.damping = 20 * static_torque[i];
        check(stiction_config_add_joint(config, names[i], &def, &error), &error);
    }
    stiction_model *model;
    stiction_state *state;
    stiction_model_def model_def = stiction_model_def_default();
    model_def.timestep = T;
    check(stiction_model_create(config, names, joints, &model_def, &model, &error), &error);
    check(stiction_state_create(model, &state, &error), &error);

    stiction_implicit *implicit;
    stiction_implicit_def def = stiction_implicit_def_default();
    const int parent[joints] = {-1, 0, 1}, dof[joints] = {0, 1, 2};
    def.count = joints;
    def.parent = parent; /* a chain; NULL: dense */
    check(stiction_implicit_create(&def, &implicit, &error), &error);
    check(stiction_implicit_add(implicit, state, dof, &error), &error);

    double q[joints] = {0}, v[joints] = {0}, M[joints][joints], force[joints], friction[joints];
    double heat = 0;
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = stiction_implicit_output_default();
    input.timestep = T;
    input.mass = &M[0][0];
    input.velocity = v;
    input.force = force; /* add the torques of a controller here */
    output.velocity = v; /* in place: v becomes the velocity after the step */
    output.friction = friction;
    for (int k = 0; k < 2000; k++) {
        dynamics(q, v, M, force);
        check(stiction_implicit_step(implicit, &input, &output, &error), &error);
        for (int i = 0; i < joints; i++) q[i] += T * v[i];
        heat += output.heat;
    }
    printf("sags to %.3f %.3f %.3f rad, bears %.3f %.3f %.3f N m, %.2f J of heat\n", q[0], q[1],
           q[2], friction[0], friction[1], friction[2], heat);
    const int holds = output.outcome == STICTION_IMPLICIT_STUCK && fabs(v[0]) < 1e-12;

    stiction_implicit_destroy(implicit);
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    return holds ? 0 : 1;
}
