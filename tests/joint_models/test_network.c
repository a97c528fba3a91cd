/* SPDX-License-Identifier: MIT
 * The modular RK4 architecture: networks of components. Kikuuwe and Yamamoto, with the corrections
 * of docs/papers.md; vectors of reference.json. Their three simulations are in
 * tests/tools/test_reproduce.c. May not compare with a number that was read off this
 * implementation.
 */
#include "joint_models/comparison/component.h"
#include "network.h"
#include "reference.h"

/* ---- the generalised RK4 --------------------------------------------------------------------- */

typedef struct stage_log {
    size_t count;
    double t[4], tau[4];
} stage_log;

static void cubic_flow(void *context, double t, double tau, const double *x, double *xdot) {
    stage_log *log = context;
    (void)x;
    log->t[log->count] = t;
    log->tau[log->count++] = tau;
    *xdot = 4 * t * t * t;
}

TEST(stages_look_where_and_as_far_ahead_as_equation_21_says) {
    const double offsets[4] = {0, 0.25, 0.25, 0.5}, taus[4] = {0.25, 0.25, 0.5, 0.5};
    double x = 16, workspace[STICTION_RK4_WORKSPACE];
    stage_log log = {0};
    stiction_rk4_step(cubic_flow, &log, 1, 2, 0.5, &x, workspace);
    CHECK(log.count == 4);
    for (int r = 0; r < 4; r++) {
        CHECK_SAME(log.t[r], 2 + offsets[r]);
        CHECK_SAME(log.tau[r], taus[r]);
    }
    /* RK4 is Simpson's rule here, exact for cubics: (5/2)^4, up to rounding */
    CHECK_NEAR(x, 39.0625, 1e-14 * 39.0625);
}

/* ---- a mass of 1 on friction ----------------------------------------------------------------- */

static void mass_rate(const void *self, const double *x, const double *f, double *xdot) {
    (void)self;
    xdot[0] = x[1]; /* (7) */
    xdot[1] = *f;
}

static const stiction_admittance mass = {.states = 2, .inputs = 1, .rate = mass_rate};

static void mass_motion(const void *context, double t, const double *state, double *motion) {
    (void)context, (void)t;
    *motion = state[1]; /* the friction's v */
}

/* `context` is the force h on the mass. */
static void mass_force(const void *context, double t, const double *state, const double *force,
                       double *input) {
    (void)t, (void)state;
    *input = *(const double *)context - *force;
}

static stiction_network mass_network(const stiction_impedance *impedance, const double *h,
                                     double T) {
    return (stiction_network){&mass, 1, impedance, 1, mass_motion, mass_force, h, T};
}

/* Wraps the friction component and notes what each stage gave: f, edot. */
typedef struct recorder {
    stiction_impedance inner;
    double (*log)[2];
    size_t *count;
} recorder;

static void record(const void *self, double t, double tau, const double *motion, const double *y,
                   double *force, double *ydot) {
    const recorder *r = self;
    r->inner.evaluate(r->inner.self, t, tau, motion, y, force, ydot);
    r->log[*r->count][0] = *force;
    r->log[(*r->count)++][1] = *ydot;
}

TEST(network_reproduces_the_reference_slide_and_its_stages) {
    const reference_node slide = reference_at(reference_get(reference_load(), "RK4_IfricK"), 0);
    const reference_node rows = reference_get(slide, "rows"),
                         stages = reference_get(slide, "stages_first3");
    const size_t steps = reference_count(rows);
    const double h = 2, T = 1e-3;
    double log[128][2], last[3], expected[3];
    size_t count = 0;
    CHECK(steps == 30 && reference_count(stages) == 3);
    const stiction_staged_friction friction = coulomb_friction(0.5, 5000, 1, T);
    const recorder spy = {stiction_staged_friction_impedance(&friction), log, &count};
    stiction_impedance impedance = spy.inner;
    impedance.self = &spy, impedance.evaluate = record;
    const stiction_network network = mass_network(&impedance, &h, T);
    double state[3] = {0}; /* p, v, e */
    run r = run_start(&network, state);
    (void)reference_numbers(reference_at(rows, steps - 1), last);
    for (size_t k = 0; k < steps; k++) {
        run_step(&r);
        (void)reference_numbers(reference_at(rows, k), expected);
        /* 1e-12 of the column maximum: the bar of reference.json */
        for (int i = 0; i < 3; i++) CHECK_NEAR(state[i], expected[i], 1e-12 * last[i]);
    }
    run_end(&r);
    for (size_t k = 0; k < 12; k++) { /* f, edot, dv of order 0.1, 0.006, 2 */
        (void)reference_numbers(reference_at(reference_at(stages, k / 4), k % 4), expected);
        CHECK_NEAR(log[k][0], expected[0], 1e-12 * 0.08);
        CHECK_NEAR(log[k][1], expected[1], 1e-12 * 0.006);
        CHECK_NEAR(h - log[k][0], expected[2], 1e-12 * 2);
    }
}

/* Velocity at time `end` of a mass of 1 on friction (K 5000, F 0.5) under a force h. */
static double velocity_on_friction(double h, double B, double end, double T) {
    const stiction_staged_friction friction = coulomb_friction(0.5, 5000, B, T);
    const stiction_impedance impedance = stiction_staged_friction_impedance(&friction);
    const stiction_network network = mass_network(&impedance, &h, T);
    double state[3] = {0};
    run r = run_start(&network, state);
    run_to(&r, end);
    run_end(&r);
    return state[1];
}

TEST(while_stuck_the_order_is_one) {
    /* no kink on the way: with h = 0.2 the overshoot stays below F. v of the damped oscillator */
    const double h = 0.2, K = 5000, B = 10, t = 0.03;
    const double decay = B / 2, omega = sqrt(K - decay * decay);
    const double truth = h / omega * exp(-decay * t) * sin(omega * t);
    const double order = log2(fabs(velocity_on_friction(h, B, t, 5e-4) - truth) /
                              fabs(velocity_on_friction(h, B, t, 2.5e-4) - truth));
    CHECK_NEAR(order, 1, 0.15); /* the next term shifts it by about tau K/B = 0.1 */
}

/* ---- the hinge of simulation III ------------------------------------------------------------- */

TEST(penalty_joint_pulls_back_what_separates_or_bends) {
    const stiction_staged_friction friction = coulomb_friction(0.5, 5000, 1, 1e-3);
    const stiction_penalty_joint joint = {.axis = {0, 0, 1},
                                          .stiffness = 100,
                                          .damping = 10,
                                          .bend_stiffness = 7,
                                          .bend_damping = 3,
                                          .friction = &friction};
    const stiction_impedance hinge = stiction_penalty_joint_impedance(&joint);
    const double bend = 0.3, e = 1e-5;
    double frames[2][STICTION_RIGID_STATES] = {{0}, {0.1, 0, 0, 0, 0.2, 0, cos(bend / 2)}};
    frames[0][STICTION_RIGID_Q] = 1;
    frames[1][STICTION_RIGID_Q + 1] = sin(bend / 2); /* bent about x */
    frames[1][STICTION_RIGID_W + 1] = 0.4;           /* bending on about y */
    frames[1][STICTION_RIGID_W + 2] = 0.01;          /* turning */
    double wrench[6], edot;
    hinge.evaluate(hinge.self, 0, 1e-3, frames[0], &e, wrench, &edot);
    /* friction holds: (B + tau K) w + K e = 6 * 0.01 + 0.05. Rounding of numbers up to 10 */
    const double expected[6] = {10, 2, 0, 7 * sin(bend), 1.2, 0.11};
    for (int i = 0; i < 6; i++) CHECK_NEAR(wrench[i], expected[i], 1e-14);
    CHECK_SAME(edot, 0.01);
}
