/* SPDX-License-Identifier: MIT
 * stiction_compensate: what of the law is given, where it fades, and what is refused.
 */
#include "auto.h"
#include "stiction/compensate.h"
#include "stiction/models/law.h"
#include "wrist.h"

static const double T = 1e-3;

/* The torque with share and edge; NaN where it fails. */
static double torque_of(const single_joint *c, double velocity, double start, double share,
                        double edge) {
    stiction_compensation desired = stiction_compensation_default();
    double torque = (double)NAN;
    desired.share = share;
    desired.edge = edge;
    desired.velocity = &velocity;
    desired.start = &start;
    return stiction_compensate(c->state, &desired, &torque, NULL) == STICTION_OK ? torque
                                                                                 : (double)NAN;
}

static double phi_of(const stiction_joint_def *def, double velocity) {
    const stiction_law_parameters p = stiction_joint_law_parameters(def);
    return stiction_phi(stiction_law_find(def->law), &p, velocity);
}

TEST(by_default_four_fifths_are_given) {
    AUTO(single_joint_free) single_joint c = single_joint_of(wrist_def(), T);
    const stiction_joint_def def = wrist_def();
    stiction_compensation desired = stiction_compensation_default();
    double torque, velocity = 0.5;
    CHECK_SAME(desired.share, 0.8);
    CHECK_SAME(desired.edge, 0.0015);
    desired.velocity = &velocity;
    CHECK(stiction_compensate(c.state, &desired, &torque, NULL) == STICTION_OK);
    CHECK_NEAR(torque, 0.8 * phi_of(&def, 0.5), 1e-4);
}

TEST(the_torque_is_phi_with_a_soft_edge) {
    static const char *const laws[] = {"coulomb", "stribeck", "rational"};
    for (size_t l = 0; l < 3; l++) {
        const stiction_joint_def def = def_of_law(laws[l]);
        AUTO(single_joint_free) single_joint c = single_joint_of(def, T);
        const double edge = 0.01;
        for (double v = -1; v <= 1; v += 0.05) {
            const double soft = fabs(v) / sqrt(v * v + edge * edge);
            CHECK_NEAR(torque_of(&c, v, 0, 1, edge), soft * phi_of(&def, v), 1e-12);
            CHECK_NEAR(torque_of(&c, v, 0, 0.7, edge), 0.7 * torque_of(&c, v, 0, 1, edge), 1e-12);
        }
        /* at rest there is none, and it comes smoothly */
        CHECK_SAME(torque_of(&c, 0, 0, 1, edge), 0);
        CHECK_NEAR(torque_of(&c, 1e-6, 0, 1, edge), 1e-4 * phi_of(&def, 0), 1e-7);
        CHECK_NEAR(torque_of(&c, edge, 0, 1, edge), sqrt(0.5) * phi_of(&def, edge), 1e-12);
    }
}

TEST(a_start_from_rest_gets_the_break_away_torque_in_its_direction) {
    AUTO(single_joint_free) single_joint c = single_joint_of(wrist_def(), T);
    const stiction_joint_def def = wrist_def();
    CHECK_NEAR(torque_of(&c, 0, 1, 0.8, 0.0015), 2, 1e-15);
    CHECK_NEAR(torque_of(&c, 0, -1, 0.8, 0.0015), -2, 1e-15);
    CHECK_NEAR(torque_of(&c, 0, 0.5, 0.8, 0.0015), 1, 1e-15);
    /* once it goes there, it is all of the friction at that velocity, never more */
    for (double v = 0; v <= 1; v += 0.001)
        CHECK_NEAR(torque_of(&c, v, 1, 0.8, 0.0015), 0.8 * phi_of(&def, v), 1e-12);
    /* a joint that turns around: the side changes before its velocity does, by an edge */
    CHECK_NEAR(torque_of(&c, 0.0015, -1, 0.8, 0.0015), 0, 1e-15);
    CHECK(torque_of(&c, 0.001, -1, 0.8, 0.0015) < 0);
    /* far above the edge the velocity decides alone */
    CHECK_NEAR(torque_of(&c, 0.5, -1, 0.8, 0.0015), 0.8 * phi_of(&def, 0.5), 0.02);
}

TEST(it_is_odd_bounded_and_without_jumps) {
    AUTO(single_joint_free) single_joint c = single_joint_of(wrist_def(), T);
    const stiction_joint_def def = wrist_def();
    const double edge = 0.0015, step = 1e-5;
    for (double start = -1; start <= 1; start += 0.25) {
        double before = torque_of(&c, -0.1, start, 0.8, edge);
        for (double v = -0.1 + step; v < 0.1; v += step) {
            const double torque = torque_of(&c, v, start, 0.8, edge);
            CHECK(fabs(torque) <= 0.8 * fabs(phi_of(&def, v)) * (1 + 1e-15));
            /* c changes by at most sqrt(2)/edge, Phi by less than F_SC/v_S */
            CHECK(fabs(torque - before) <= 0.8 * step * (2.5 * 1.5 / edge + 40));
            CHECK_SAME(torque_of(&c, -v, -start, 0.8, edge), -torque);
            before = torque;
        }
    }
}

TEST(it_follows_the_state_and_leaves_it_alone) {
    AUTO(single_joint_free) single_joint c = single_joint_of(wrist_def(), T);
    stiction_joint_def def = wrist_def();
    double velocity = 0.3, friction, before[64], after[64];
    for (int k = 0; k < 20; k++)
        CHECK(stiction_step(c.state, T, &velocity, &friction, NULL) == STICTION_OK);
    CHECK(stiction_state_memory_size(c.state) <= 64);
    CHECK(stiction_state_get_memory(c.state, before, NULL) == STICTION_OK);
    const double expected = torque_of(&c, 0.5, 0, 1, 1e-9);
    CHECK_NEAR(expected, phi_of(&def, 0.5), 1e-12); /* not what its bristle has now */
    CHECK(stiction_state_get_memory(c.state, after, NULL) == STICTION_OK);
    CHECK(memcmp(before, after, stiction_state_memory_size(c.state) * sizeof(double)) == 0);
    def.viscous = 9;
    CHECK(stiction_state_set_joint(c.state, 0, &def, NULL) == STICTION_OK);
    CHECK_NEAR(torque_of(&c, 0.5, 0, 1, 1e-9), expected + 4.5 * 0.5, 1e-12);
}

static void check_refusal(const stiction_state *state, const stiction_compensation *desired,
                          const char *message) {
    double torque[2] = {1, 1};
    stiction_error error;
    CHECK(stiction_compensate(state, desired, torque, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, message);
    if (state)
        for (size_t k = 0; k < stiction_state_joint_count(state); k++) CHECK_SAME(torque[k], 0);
}

TEST(bad_values_are_refused_with_a_message) {
    const stiction_joint_def defs[] = {wrist_def(), wrist_def()};
    AUTO(single_joint_free) single_joint c = {model_of(2, defs, T), NULL};
    c.state = state_of(c.model);
    double velocity[2] = {0.1, 0.1}, start[2] = {0, 0};
    stiction_compensation good = stiction_compensation_default(), bad;
    good.velocity = velocity;
    good.start = start;
    check_refusal(NULL, &good, "the state is NULL");
    check_refusal(c.state, NULL, "the desired motion is NULL");
    CHECK(stiction_compensate(c.state, &good, NULL, NULL) == STICTION_INVALID_ARGUMENT);
    bad = good, bad.velocity = NULL;
    check_refusal(c.state, &bad, "the desired velocity is NULL");
    bad = good, bad.size = 8;
    check_refusal(c.state, &bad, "size of the desired motion is 8; start from");
    static const double shares[] = {-0.1, 2.1, (double)NAN, (double)INFINITY};
    for (size_t k = 0; k < 4; k++) {
        bad = good, bad.share = shares[k];
        check_refusal(c.state, &bad, "must be from 0 to 2");
    }
    static const double edges[] = {0, -1, 1e31, (double)NAN, (double)INFINITY};
    for (size_t k = 0; k < 5; k++) {
        bad = good, bad.edge = edges[k];
        check_refusal(c.state, &bad, "must be above 0: from 1e-30 to 1e+30 rad/s");
    }
    velocity[1] = (double)NAN;
    check_refusal(c.state, &good, "joint 'J1': the desired velocity nan is not usable");
    velocity[1] = 1e91;
    check_refusal(c.state, &good, "joint 'J1': the desired velocity 1e+91 is not usable");
    velocity[1] = 0;
    start[0] = 1.5;
    check_refusal(c.state, &good, "joint 'J0': start 1.5 must be from -1 to 1");
    start[0] = (double)NAN;
    check_refusal(c.state, &good, "joint 'J0': start nan must be from -1 to 1");
}

TEST(every_law_is_compensated_or_says_why_not) {
    stiction_law_info law;
    for (size_t k = 0; stiction_law_info_at(k, &law); k++) {
        AUTO(single_joint_free) single_joint c = single_joint_of(def_of_law(law.name), T);
        double velocity = 0.1, torque = 1;
        stiction_compensation desired = stiction_compensation_default();
        stiction_error error;
        desired.velocity = &velocity;
        const stiction_status status = stiction_compensate(c.state, &desired, &torque, &error);
        if (law.reference) {
            CHECK(status == STICTION_INVALID_CONFIG);
            CHECK_CONTAINS(error.message, "cannot be compensated: it is a model of the literature");
        } else {
            CHECK(status == STICTION_OK);
            CHECK((torque == 0) == (strcmp(law.name, "none") == 0));
        }
    }
}

/* ---- real drives ---- */

static stiction_joint_def drive(void) {
    stiction_joint_def def = wrist_def();
    def.load_motor = 0.21;
    def.load_external = 0.02;
    def.load_motor_static = 0.2;
    def.load_external_static = 0.08;
    def.load_limit = 5;
    def.temperature = 35;
    def.temperature_level = -0.002;
    def.temperature_viscous = 0.02;
    def.ripple = 0.1;
    def.ripple_count = 2;
    def.ripple_phase = 0.3;
    def.reverse_factor = 1.1;
    def.reverse_viscous_factor = 0.8;
    def.damping = 200;
    return def;
}

/* What DRIVES says, term by term: s, F_C', F_S', D' for a side. */
static double drive_phi(double v, double q, double motor, double external, double theta) {
    const double side = v < 0 ? 1.1 : 1, viscous = v < 0 ? 0.8 : 1;
    const double s = (1 + 0.1 * cos(2 * q - 0.3)) * side * (1 - 0.002 * (theta - 25));
    const double F_C = s * 0.4 + fabs(0.21 * motor - 0.02 * external);
    const double F_SC = s * 2.1 + fabs(0.2 * motor - 0.08 * external);
    const double D = viscous * 4.5 * exp(-0.02 * (theta - 25));
    return copysign(F_C + F_SC * exp(-fabs(v) / 0.06) + D * fabs(v), v);
}

TEST(the_levels_of_a_drive_are_expected) {
    AUTO(single_joint_free) single_joint c = single_joint_of(drive(), T);
    for (double v = -0.5; v <= 0.5; v += 0.0625) {
        double q = 1.3, motor = 3, external = -2, theta = 60, torque, start = v < 0 ? -1 : 1;
        stiction_compensation desired = stiction_compensation_default();
        stiction_error error;
        desired.velocity = &v;
        desired.start = &start;
        desired.position = &q;
        desired.effort = &motor;
        desired.external_torque = &external;
        CHECK(stiction_compensate(c.state, &desired, &torque, &error) == STICTION_OK);
        CHECK_NEAR(torque, 0.8 * drive_phi(v, q, motor, external, 35), 1e-12);
        desired.temperature = &theta;
        CHECK(stiction_compensate(c.state, &desired, &torque, &error) == STICTION_OK);
        CHECK_NEAR(torque, 0.8 * drive_phi(v, q, motor, external, 60), 1e-12);
        motor = 50; /* beyond the load limit */
        CHECK(stiction_compensate(c.state, &desired, &torque, &error) == STICTION_OK);
        CHECK_NEAR(torque, 0.8 * drive_phi(v, q, 5, external, 60), 1e-12);
    }
}

TEST(a_drive_that_warms_up_is_expected_warm) {
    stiction_joint_def def = wrist_def();
    def.temperature_viscous = 0.02;
    def.thermal_resistance = 40;
    def.thermal_time = 1;
    AUTO(single_joint_free) single_joint c = single_joint_of(def, T);
    double velocity = 0.5, friction, warm, torque;
    for (int k = 0; k < 20000; k++)
        CHECK(stiction_step(c.state, T, &velocity, &friction, NULL) == STICTION_OK);
    stiction_input input = {.size = sizeof input, .timestep = T, .velocity = &velocity};
    stiction_output output = {.size = sizeof output, .temperature = &warm};
    CHECK(stiction_trial(c.state, &input, &output, NULL) == STICTION_OK);
    CHECK(warm > 35);
    stiction_compensation desired = stiction_compensation_default();
    desired.velocity = &velocity;
    desired.share = 1;
    desired.edge = 1e-9;
    CHECK(stiction_compensate(c.state, &desired, &torque, NULL) == STICTION_OK);
    CHECK_NEAR(torque, friction, 1e-6); /* that of a joint that slides steadily */
    CHECK_NEAR(torque, 0.4 + 2.1 * exp(-0.5 / 0.06) + 2.25 * exp(-0.02 * (warm - 25)), 1e-12);
}

/* Lag and presliding take time and way: where a joint slides steadily they are over. */
TEST(lag_and_presliding_do_not_change_what_is_expected) {
    stiction_joint_def def = wrist_def(), plain = def;
    def.lag = 0.01;
    def.presliding_torque[0] = 0.1;
    def.presliding_stiffness[0] = 2000;
    AUTO(single_joint_free) single_joint c = single_joint_of(def, T);
    for (double v = 0; v < 1; v += 0.1)
        CHECK_NEAR(torque_of(&c, v, 1, 1, 0.0015), phi_of(&plain, v), 1e-12);
}

TEST(what_a_drive_needs_and_has_not_is_said) {
    static const struct {
        size_t offset;
        const char *message;
    } needs[] = {
        {offsetof(stiction_joint_def, load_motor), "joint 'J0': load_motor needs the effort"},
        {offsetof(stiction_joint_def, load_external),
         "joint 'J0': load_external needs the external torque"},
        {offsetof(stiction_joint_def, ripple), "joint 'J0': ripple needs the position"},
    };
    for (size_t k = 0; k < 3; k++) {
        stiction_joint_def def = wrist_def();
        const double some = 0.1;
        double velocity = 0.1, bad = (double)NAN;
        memcpy((char *)&def + needs[k].offset, &some, sizeof some);
        AUTO(single_joint_free) single_joint c = single_joint_of(def, T);
        stiction_compensation desired = stiction_compensation_default();
        desired.velocity = &velocity;
        check_refusal(c.state, &desired, needs[k].message);
        desired.position = desired.effort = desired.external_torque = &bad;
        check_refusal(c.state, &desired, "temperature nan is not usable");
    }
}

TEST(the_edges_of_what_is_allowed_stay_finite) {
    AUTO(single_joint_free) single_joint c = single_joint_of(wrist_def(), T);
    static const double velocities[] = {0, 5e-324, 1e-300, 1e90}, edges[] = {1e-30, 1, 1e30};
    for (size_t v = 0; v < 4; v++)
        for (size_t e = 0; e < 3; e++)
            for (double start = -1; start <= 1; start++)
                CHECK(isfinite(torque_of(&c, velocities[v], start, 2, edges[e])));
}
