/* SPDX-License-Identifier: MIT
 * Implicit friction with the levels of real drives: the levels of the start of the step, presliding
 * as rows of their own, lag and heat. One joint, so that explicit steps of a tenth can tell.
 */
#include "auto.h"
#include "wrist.h"

static const double degree = 3.141592653589793 / 180;

typedef struct axis {
    single_joint joint;
    stiction_implicit *solver;
    double M, T, q, v, friction, motor, external;
    double heat, work, stored;
    double static_level, coulomb_level, temperature;
} axis;

static axis implicit_axis(stiction_joint_def def, double M, double T, bool later) {
    axis a = {.joint = single_joint_of(def, T), .M = M, .T = T};
    stiction_error error;
    stiction_implicit_def solver = stiction_implicit_def_default();
    const int dof = 0;
    solver.count = 1;
    solver.constraints_later = later;
    if (stiction_implicit_create(&solver, &a.solver, &error) != STICTION_OK ||
        stiction_implicit_add(a.solver, a.joint.state, &dof, &error) != STICTION_OK)
        FAIL("%s", error.message);
    return a;
}

static void axis_free(axis *a) {
    stiction_implicit_destroy(a->solver);
    single_joint_free(&a->joint);
}

static void implicit_step(axis *a) {
    stiction_error error;
    stiction_implicit_input in = stiction_implicit_input_default();
    stiction_implicit_output out = stiction_implicit_output_default();
    const double force = a->motor + a->external;
    double v = 0;
    in.timestep = a->T;
    in.mass = &a->M;
    in.velocity = &a->v;
    in.force = &force;
    in.position = &a->q;
    in.effort = &a->motor;
    in.external_torque = &a->external;
    out.velocity = &v;
    out.friction = &a->friction;
    out.static_level = &a->static_level;
    out.coulomb_level = &a->coulomb_level;
    out.temperature = &a->temperature;
    if (stiction_implicit_step(a->solver, &in, &out, &error) != STICTION_OK)
        FAIL("%s", error.message);
    CHECK(out.heat >= -1e-15);
    a->heat += out.heat;
    a->work += out.work;
    a->stored = out.stored;
    a->v += a->T / a->M * (force - a->friction);
    a->q += a->T * a->v;
}

static void explicit_step(axis *a) {
    stiction_input in = stiction_input_default();
    in.timestep = a->T;
    in.velocity = &a->v;
    in.position = &a->q;
    in.effort = &a->motor;
    in.external_torque = &a->external;
    stiction_output out = {.size = sizeof out, .torque = &a->friction};
    CHECK(stiction_step_full(a->joint.state, &in, &out, NULL) == STICTION_OK);
    a->v += a->T / a->M * (a->motor + a->external - a->friction);
    a->q += a->T * a->v;
}

/* The wrist drawn to 90 deg and a load that hangs on it. */
static void drive(axis *a, void step(axis *a), double seconds) {
    for (int k = 0; k < (int)(seconds / a->T); k++) {
        a->motor = a->M * (20 * (90 * degree - a->q) - 2 * a->v);
        a->external = 0.3 * cos(a->q);
        step(a);
    }
}

static stiction_joint_def with_all(void) {
    stiction_joint_def def = wrist_def();
    def.load_motor = 0.1;
    def.load_external = 0.05;
    def.load_motor_static = 0.02;
    def.load_limit = 10;
    def.temperature_level = -0.002;
    def.temperature_viscous = 0.01;
    def.thermal_resistance = 20;
    def.thermal_time = 1;
    def.ripple = 0.1;
    def.ripple_count = 9;
    def.reverse_factor = 1.2;
    def.reverse_viscous_factor = 0.7;
    def.lag = 0.02;
    def.presliding_torque[0] = 0.1;
    def.presliding_torque[1] = 0.2;
    def.presliding_stiffness[0] = 2000;
    def.presliding_stiffness[1] = 1000;
    def.damping = 60;
    return def;
}

TEST(coarse_implicit_steps_come_to_where_fine_explicit_ones_do) {
    axis fine = {.joint = single_joint_of(with_all(), 1e-4), .M = 0.1675, .T = 1e-4};
    drive(&fine, explicit_step, 6);
    printf("explicit, 0.1 ms: %.4f deg\n", fine.q / degree);
    const double steps[] = {0.0005, 0.001, 0.002, 0.005};
    for (int later = 0; later < 2; later++)
        for (int k = 0; k < 4; k++) {
            AUTO(axis_free) axis a = implicit_axis(with_all(), 0.1675, steps[k], later);
            drive(&a, implicit_step, 6);
            printf("%s, %g ms: %.4f deg, %.2f deg C\n", later ? "later" : "together",
                   1000 * steps[k], a.q / degree, a.temperature);
            /* first order in T; a level that is wrong by a hundredth shows as 0.05 deg */
            CHECK_NEAR(a.q / degree, fine.q / degree, 0.001 + 1.5 * steps[k]);
            CHECK_NEAR(a.v, 0, 1e-9);
            CHECK(a.temperature > 25);
            /* the books: work against friction is heat or in the springs */
            CHECK_NEAR(a.work, a.heat + a.stored, 1e-9);
        }
    single_joint_free(&fine.joint);
}

/* While a joint sticks, lag lets its level grow to the static torque of the direction of the load,
 * which reverse_factor makes larger backwards. */
TEST(lag_holds_backwards_up_to_the_static_torque_of_that_direction) {
    stiction_joint_def def = wrist_def();
    def.reverse_factor = 1.3;
    def.lag = 0.03;
    AUTO(axis_free) axis a = implicit_axis(def, 0.1675, 0.001, false);
    const double F_S = 1.3 * def.static_torque;
    for (int k = 1; k <= 4000; k++) {
        a.motor = -0.95 * F_S * fmin(k / 2000.0, 1);
        implicit_step(&a);
    }
    CHECK_NEAR(a.static_level, F_S, 1e-9);
    CHECK_NEAR(a.q, -0.95 * F_S / def.stiffness, 1e-6);
}

/* The load at which a joint starts, on a ramp of 0.02 N m/s. */
static double breaks_away(stiction_joint_def def, double M, double T, double sign) {
    axis a = implicit_axis(def, M, T, false);
    for (int k = 0; fabs(a.v) < 0.01 && k < (int)(300 / T); k++) {
        a.motor = sign * 0.02 * T * k;
        implicit_step(&a);
    }
    const double load = fabs(a.motor);
    axis_free(&a);
    return load;
}

TEST(a_joint_breaks_away_at_the_level_of_its_direction) {
    stiction_joint_def def = wrist_def();
    def.reverse_factor = 1.2;
    const double steps[] = {0.001, 0.005};
    for (int k = 0; k < 2; k++) {
        const double forwards = breaks_away(def, 0.1675, steps[k], 1);
        const double backwards = breaks_away(def, 0.1675, steps[k], -1);
        printf("%g ms: %.4f and %.4f N m\n", 1000 * steps[k], forwards, backwards);
        CHECK(forwards >= 2.5 && forwards < 2.51);
        CHECK(backwards >= 3 && backwards < 3.01);
    }
}

TEST(presliding_is_a_part_of_the_static_torque) {
    stiction_joint_def def = wrist_def();
    def.presliding_torque[0] = 0.1;
    def.presliding_torque[1] = 0.12;
    def.presliding_stiffness[0] = 2000;
    def.presliding_stiffness[1] = 1500;
    const double masses[] = {0.1675, 1e-3};
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 2; n++) {
            const double load = breaks_away(def, masses[k], n ? 0.005 : 0.001, 1);
            printf("%g kg m^2: %.4f N m\n", masses[k], load);
            CHECK(load >= 2.5 && load < 2.51);
        }
    AUTO(axis_free) axis a = implicit_axis(def, 0.1675, 0.002, false);
    double start = 0;
    for (int k = 0; k < 20000; k++) {
        a.motor = 2.3 * fmin(k / 2500.0, 1);
        implicit_step(&a);
        if (k == 10000) start = a.q;
    }
    printf("drift in 20 s: %.2g rad\n", a.q - start);
    CHECK_NEAR(a.q, start, 1e-15);
    CHECK_NEAR(a.static_level, 2.5, 1e-14);
    CHECK_NEAR(a.coulomb_level, 0.4, 1e-14);
}

TEST(a_step_that_lacks_something_says_so_and_changes_nothing) {
    stiction_joint_def def = wrist_def();
    def.load_external = 0.2;
    AUTO(axis_free) axis a = implicit_axis(def, 0.1, 0.001, false);
    stiction_implicit_input in = stiction_implicit_input_default();
    stiction_implicit_output out = stiction_implicit_output_default();
    stiction_error error;
    const double v = 0.1, force = 1, wrong = (double)INFINITY;
    double friction = 7;
    in.timestep = 0.001;
    in.mass = &a.M;
    in.velocity = &v;
    in.force = &force;
    out.friction = &friction;
    CHECK_REFUSED(stiction_implicit_step(a.solver, &in, &out, &error), STICTION_INVALID_ARGUMENT,
                  error, "joint 'J0': load_external needs the external torque");
    CHECK_SAME(friction, 0);
    in.external_torque = &wrong;
    CHECK_REFUSED(stiction_implicit_step(a.solver, &in, &out, &error), STICTION_INVALID_ARGUMENT,
                  error, "external torque inf");
}

TEST(rigid_joints_have_no_presliding) {
    stiction_joint_def def = wrist_def();
    def.presliding_torque[0] = 0.1;
    def.presliding_stiffness[0] = 1000;
    AUTO(single_joint_free) single_joint j = single_joint_of(def, 0.001);
    stiction_implicit_def solver = stiction_implicit_def_default();
    AUTO(free_solver) stiction_implicit *s = NULL;
    stiction_error error;
    const int dof = 0;
    solver.count = 1;
    solver.rigid = true;
    CHECK(stiction_implicit_create(&solver, &s, &error) == STICTION_OK);
    CHECK_REFUSED(stiction_implicit_add(s, j.state, &dof, &error), STICTION_INVALID_CONFIG, error,
                  "presliding needs bristles");
}
