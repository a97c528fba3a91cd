/* SPDX-License-Identifier: MIT
 * Rigid bodies and serial chains in free motion: what must be conserved, and closed forms.
 * Kikuuwe and Yamamoto, (8), (25), (26).
 */
#include "joint_models/comparison/serial_link.h"
#include "network.h"

/* ---- bodies in free motion ------------------------------------------------------------------- */

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

/* ---- serial chains --------------------------------------------------------------------------- */

TEST(two_link_chain_agrees_with_the_double_pendulum) {
    const double l1 = 0.7, c1 = 0.3, c2 = 0.45, m1 = 1.3, m2 = 0.8, I1 = 0.05, I2 = 0.03, g = 9.8;
    const stiction_link links[2] = {
        {{0, 0, 1}, {0, 0, 0}, {c1, 0, 0}, m1, {{0.01, 0, 0}, {0, 0.02, 0}, {0, 0, I1}}},
        {{0, 0, 1}, {l1, 0, 0}, {c2, 0, 0}, m2, {{0.01, 0, 0}, {0, 0.02, 0}, {0, 0, I2}}}};
    const stiction_serial_link chain = {links, 2, {0, -g, 0}};
    const stiction_admittance robot = stiction_serial_link_admittance(&chain);
    unsigned seed = 3;
    for (int trial = 0; trial < 1000; trial++) {
        double x[4], xdot[4], tau[2];
        for (int i = 0; i < 4; i++) x[i] = 4 * scatter(&seed);
        for (int i = 0; i < 2; i++) tau[i] = 5 * scatter(&seed);
        robot.rate(robot.self, x, tau, xdot);

        const double cosine = m2 * l1 * c2 * cos(x[1]), sine = m2 * l1 * c2 * sin(x[1]);
        const double H22 = I2 + m2 * c2 * c2, H12 = H22 + cosine;
        const double H11 = I1 + m1 * c1 * c1 + m2 * l1 * l1 + 2 * cosine + H22;
        const double G2 = m2 * g * c2 * cos(x[0] + x[1]);
        const double G1 = (m1 * c1 + m2 * l1) * g * cos(x[0]) + G2;
        const double r1 = tau[0] + sine * (2 * x[2] * x[3] + x[3] * x[3]) - G1;
        const double r2 = tau[1] - sine * x[2] * x[2] - G2;
        const double determinant = H11 * H22 - H12 * H12;
        const double expected[4] = {x[2], x[3], (H22 * r1 - H12 * r2) / determinant,
                                    (H11 * r2 - H12 * r1) / determinant};
        /* rounding, times the condition number of H, which is below 40 */
        for (int i = 0; i < 4; i++)
            CHECK_NEAR(xdot[i], expected[i], 40 * 1e-15 * largest(4, expected));
    }
}

/* Links that lie, weigh and turn in all directions. */
static void scatter_links(stiction_link *links, size_t n, unsigned *seed) {
    for (size_t i = 0; i < n; i++) {
        stiction_link *link = &links[i];
        double length = 0;
        for (int k = 0; k < 3; k++) {
            link->axis[k] = scatter(seed);
            link->offset[k] = 0.2 * scatter(seed);
            link->com[k] = 0.1 * scatter(seed);
            length = hypot(length, link->axis[k]);
            for (int j = 0; j < 3; j++) /* diagonally dominant */
                link->inertia[k][j] = j == k ? 0.01 * (2 + scatter(seed)) : 0;
        }
        for (int k = 0; k < 3; k++) link->axis[k] /= length;
        link->inertia[0][1] = link->inertia[1][0] = 0.003 * scatter(seed);
        link->inertia[1][2] = link->inertia[2][1] = 0.003 * scatter(seed);
        link->mass = 1.5 + scatter(seed);
    }
}

TEST(forward_dynamics_inverts_inverse_dynamics_up_to_the_longest_chain) {
    stiction_link links[STICTION_LINKS_MAX];
    unsigned seed = 5;
    for (size_t n = 1; n <= STICTION_LINKS_MAX; n++) {
        double x[2 * STICTION_LINKS_MAX], xdot[2 * STICTION_LINKS_MAX];
        double tau[STICTION_LINKS_MAX], again[STICTION_LINKS_MAX];
        scatter_links(links, n, &seed);
        const stiction_serial_link chain = {links, n, {1, -2, -9.8}};
        const stiction_admittance robot = stiction_serial_link_admittance(&chain);
        CHECK(robot.valid(robot.self));
        for (size_t i = 0; i < 2 * n; i++) x[i] = scatter(&seed);
        for (size_t i = 0; i < n; i++) tau[i] = 10 * scatter(&seed);
        robot.rate(robot.self, x, tau, xdot);
        stiction_serial_link_torque(&chain, x, xdot + n, again);
        /* rounding grows with the accelerations of the tip: inertias up to 32 links away */
        const double scale = fmax(10, largest(n, xdot + n));
        for (size_t i = 0; i < n; i++) CHECK_NEAR(again[i], tau[i], 1e-12 * (double)n * scale);
    }
}

/* Relative change of energy of a falling chain of five links after 1 s. */
static double chain_energy_error(double T) {
    enum { N = 5 };
    stiction_link links[N];
    unsigned seed = 11;
    scatter_links(links, N, &seed);
    const stiction_serial_link chain = {links, N, {0, 0, -9.8}};
    const stiction_admittance robot = stiction_serial_link_admittance(&chain);
    const stiction_network network = free_network(&robot, T);
    double state[2 * N] = {0.3, -0.2, 0.5, 0.1, -0.4, 1, -1, 2, 1, -2};
    const double energy = stiction_serial_link_energy(&chain, state);
    run r = run_start(&network, state);
    run_to(&r, 1);
    run_end(&r);
    return fabs(stiction_serial_link_energy(&chain, state) / energy - 1);
}

TEST(falling_chain_keeps_its_energy_with_order_four) {
    const double coarse = chain_energy_error(2e-3), fine = chain_energy_error(1e-3);
    /* omega T is about 5e-3 at 1 ms: (omega T)^4 = 6e-10; at 0.1 ms only 1e4 roundings are left */
    CHECK(fine < 6e-10);
    CHECK(chain_energy_error(1e-4) < 1e-12);
    /* 2^4 but for the next term; energy may gain one order more than the motion */
    CHECK(coarse / fine > 14);
}
