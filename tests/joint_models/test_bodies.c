/* SPDX-License-Identifier: MIT
 * A rigid body in free motion: what must be conserved, and closed forms.
 * Kikuuwe and Yamamoto, (25), (26).
 */
#include "joint_models/comparison/component.h"
#include "network.h"

static void no_force(const void *context, double t, const double *state, const double *force,
                     double *input) {
    const stiction_admittance *admittance = context;
    (void)t, (void)state, (void)force;
    for (size_t i = 0; i < admittance->inputs; i++) input[i] = 0;
}

static stiction_network free_network(const stiction_admittance *admittance, double T) {
    return (stiction_network){.admittances = admittance,
                              .admittance_count = 1,
                              .route_force = no_force,
                              .context = admittance,
                              .timestep = T};
}

/* J w in the world's frame, by rotating into the body and back with the quaternion product. */
static void rotate_by(const double q[4], const double v[3], double out[3]) {
    const double w = q[0], *u = q + 1;
    const double c[3] = {u[1] * v[2] - u[2] * v[1] + w * v[0], u[2] * v[0] - u[0] * v[2] + w * v[1],
                         u[0] * v[1] - u[1] * v[0] + w * v[2]};
    out[0] = v[0] + 2 * (u[1] * c[2] - u[2] * c[1]);
    out[1] = v[1] + 2 * (u[2] * c[0] - u[0] * c[2]);
    out[2] = v[2] + 2 * (u[0] * c[1] - u[1] * c[0]);
}

static double spin_invariants(const stiction_rigid_body *body, const double *state,
                              double momentum[3]) {
    const double *q = state + STICTION_RIGID_Q, *w = state + STICTION_RIGID_W;
    const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    double spin[3], in_body[3] = {0}, energy = 0;
    rotate_by(inverse, w, spin);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) in_body[i] += body->inertia[i][j] * spin[j];
    for (int i = 0; i < 3; i++) energy += spin[i] * in_body[i] / 2;
    rotate_by(q, in_body, momentum);
    return energy;
}

TEST(free_rigid_body_keeps_energy_and_angular_momentum) {
    const stiction_rigid_body body = {2, {{1, 0.1, 0.05}, {0.1, 2, -0.2}, {0.05, -0.2, 2.5}}};
    const stiction_admittance admittance = stiction_rigid_body_admittance(&body);
    const stiction_network network = free_network(&admittance, 1e-3);
    double state[STICTION_RIGID_STATES] = {0, 0, 0, 1, 2, 3, 1, 0, 0, 0, 0.1, 5, 0.2};
    double before[3], after[3];
    const double energy = spin_invariants(&body, state, before);
    run r = run_start(&network, state);
    run_to(&r, 10);
    run_end(&r);
    /* RK4 loses about (omega T)^5/100 a step in what it should keep: 3e-14 of it, 1e4 times */
    CHECK_NEAR(spin_invariants(&body, state, after) / energy, 1, 3e-10);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(after[i], before[i], 3e-10 * largest(3, before));
        CHECK_NEAR(state[i], 10 * (i + 1), 1e-11); /* uniform motion: 1e4 roundings */
    }
    /* unstable about the middle axis: the body has turned over, so the test has teeth */
    CHECK(fabs(state[STICTION_RIGID_W] - 0.1) > 0.1);
    const double *q = state + STICTION_RIGID_Q;
    CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
}

TEST(quaternion_turns_with_the_world_frame_omega) {
    const stiction_rigid_body body = {1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const stiction_admittance admittance = stiction_rigid_body_admittance(&body);
    const stiction_network network = free_network(&admittance, 1e-3);
    /* a quarter turn about x, then a turn of 1 rad about the world's z */
    const double h = sqrt(0.5);
    double state[STICTION_RIGID_STATES] = {[STICTION_RIGID_Q] = h, h, [STICTION_RIGID_W + 2] = 1};
    run r = run_start(&network, state);
    run_to(&r, 1);
    run_end(&r);
    const double expected[4] = {h * cos(0.5), h * cos(0.5), h * sin(0.5), h * sin(0.5)};
    for (int i = 0; i < 4; i++) /* RK4: (T/2)^4/120 of an angle, and 1000 roundings */
        CHECK_NEAR(state[STICTION_RIGID_Q + i], expected[i], 1e-13);
}

TEST(length_of_the_quaternion_turns_nothing) {
    const double offset[3] = {1, 2, 3}, q[4] = {0.5, -0.5, 0.5, 0.5};
    double body[STICTION_RIGID_STATES] = {0}, unit[STICTION_RIGID_STATES];
    double frame[STICTION_RIGID_STATES];
    for (int i = 0; i < 4; i++) body[STICTION_RIGID_Q + i] = q[i];
    stiction_rigid_body_frame(body, offset, unit);
    for (int i = 0; i < 4; i++) body[STICTION_RIGID_Q + i] = 1.01 * q[i];
    stiction_rigid_body_frame(body, offset, frame);
    for (int i = 0; i < 3; i++) CHECK_NEAR(frame[i], unit[i], 1e-14); /* rounding of up to 3 */
}
