/* SPDX-License-Identifier: MIT
 * The friction of real drives against vectors of 40 digits (tests/reference/drives.json): levels,
 * shifts, lag, presliding, heat; and BAM's stationary curves.
 */
#include "check.h"
#include "drives_reference.h"
#include "random.h"

#include "joint_models/drive/drive_step.h"

static double relative(double actual, double expected) {
    return fabs(actual - expected) / fmax(fabs(expected), 1e-300);
}

static stiction_drive_parameters drive_of(reference_node map) {
    stiction_drive_parameters p = stiction_drive_parameters_default();
#define READ(key, ...) p.key = reference_value_or(map, #key, p.key);
    STICTION_DRIVE_PARAMETERS(READ)
#undef READ
    return p;
}

/* A def that a step of a vector starts from. */
static stiction_drive_def def_of(reference_node map, double timestep) {
    stiction_drive_def def = {.drive = drive_of(map), .timestep = timestep};
    def.law = drives_law(map, &def.parameters);
    def.stiffness = reference_value(map, "stiffness");
    def.damping = reference_value(map, "damping");
    return def;
}

TEST(levels_and_torques_of_the_vectors_are_met) {
    const reference_node list = reference_get(drives_load(), "modifiers");
    for (size_t k = 0; k < reference_count(list); k++) {
        const reference_node v = reference_at(list, k), state = reference_get(v, "state");
        const stiction_drive_def def =
            def_of(reference_get(v, "parameters"), reference_value(v, "timestep"));
        const stiction_drive_input in = {.position = reference_value(state, "q"),
                                         .motor_torque = reference_value(state, "motor_torque"),
                                         .external_torque =
                                             reference_value(state, "external_torque"),
                                         .temperature = reference_value(state, "temperature")};
        const double x = reference_value(state, "x");
        const stiction_levels l = stiction_drive_levels(&def.drive, &def.parameters, &in, x < 0);
        CHECK_NEAR(relative(l.coulomb + l.falling, reference_value(v, "static")), 0, 1e-15);
        CHECK_NEAR(relative(l.coulomb, reference_value(v, "coulomb")), 0, 1e-15);
        CHECK_NEAR(relative(l.viscous, reference_value(v, "viscous")), 0, 1e-15);

        stiction_drive drive;
        CHECK(stiction_drive_init(&drive, &def) == STICTION_LAW_OK);
        double e = 0;
        stiction_drive_memory m = {0};
        stiction_drive_result r;
        drive.functions->step_full(&drive, &in, x, &e, &m, &r);
        CHECK_NEAR(relative(r.torque, reference_value(v, "torque")), 0, 2e-15);
        CHECK(r.slips == (strcmp(reference_text(reference_get(v, "sticks")), "true") != 0));
    }
}

/* F_C' and F_SC' scale by reverse_factor, D' by reverse_viscous_factor, from the formula. */
TEST(levels_and_viscosity_backwards_have_factors_of_their_own) {
    random_source r = {36};
    for (int k = 0; k < 1000; k++) {
        stiction_drive_parameters drive = stiction_drive_parameters_default();
        drive.reverse_factor = random_uniform(&r, 0.5, 2);
        drive.reverse_viscous_factor = random_uniform(&r, 0.5, 2);
        drive.temperature_level = random_uniform(&r, -0.003, 0.003);
        drive.temperature_viscous = random_uniform(&r, -0.02, 0.02);
        drive.ripple = random_uniform(&r, 0, 0.3);
        const stiction_law_parameters p = {.static_torque = 2.5,
                                           .coulomb_torque = 0.4,
                                           .stribeck_velocity = 0.06,
                                           .stribeck_exponent = 1,
                                           .viscous = 4.5};
        const stiction_drive_input in = {.position = random_uniform(&r, -3, 3),
                                         .temperature = random_uniform(&r, -20, 80)};
        const double warmth = in.temperature - 25;
        const double s =
            (1 + drive.ripple * cos(in.position)) * (1 + drive.temperature_level * warmth);
        const double D = 4.5 * exp(-drive.temperature_viscous * warmth);
        for (int back = 0; back < 2; back++) {
            const double levels = back ? drive.reverse_factor : 1;
            const double viscous = back ? drive.reverse_viscous_factor : 1;
            const stiction_levels l = stiction_drive_levels(&drive, &p, &in, back == 1);
            CHECK_NEAR(relative(l.coulomb, levels * s * 0.4), 0, 1e-14);
            CHECK_NEAR(relative(l.falling, levels * s * 2.1), 0, 1e-14);
            CHECK_NEAR(relative(l.viscous, viscous * D), 0, 1e-14);
        }
        /* what is not given follows reverse_factor: as a default, and as an initialiser leaves it
         */
        stiction_drive_parameters all = drive;
        all.reverse_viscous_factor = drive.reverse_factor;
        const stiction_levels same = stiction_drive_levels(&all, &p, &in, true);
        const double absent[] = {stiction_drive_parameters_default().reverse_viscous_factor, 0};
        for (int n = 0; n < 2; n++) {
            drive.reverse_viscous_factor = absent[n];
            CHECK_SAME(stiction_drive_levels(&drive, &p, &in, true).viscous, same.viscous);
        }
    }
}

TEST(shifts_of_the_vectors_are_met) {
    const reference_node list = reference_get(drives_load(), "common_shift");
    for (size_t k = 0; k < reference_count(list); k++) {
        const reference_node v = reference_at(list, k);
        stiction_law_parameters p;
        stiction_phi_z phi_z;
        const stiction_law *law = drives_law(v, &p);
        CHECK(stiction_phi_z_prepare_inverse(&phi_z, law, &p, reference_value(v, "inverse_Z")) ==
              STICTION_LAW_OK);
        const double y =
            stiction_phi_z_shifted_at(&phi_z, reference_value(v, "shift"), reference_value(v, "x"));
        CHECK_NEAR(relative(y, reference_value(v, "torque")), 0, 2e-15);
    }
}

/* A drive along the rows of a trajectory: velocity, torque, and where they are given deflection and
 * level. */
static void follow(const stiction_drive_def *def, reference_node steps) {
    stiction_drive drive;
    CHECK(stiction_drive_init(&drive, def) == STICTION_LAW_OK);
    double e = 0;
    stiction_drive_memory m = {0};
    const stiction_drive_input in = {.temperature = (double)NAN};
    for (size_t n = 0; n < reference_count(steps); n++) {
        const reference_node row = reference_at(steps, n);
        const double u = reference_number(reference_at(row, 0));
        CHECK_NEAR(drive.step(&drive, &in, u, &e, &m), reference_number(reference_at(row, 1)),
                   1e-12);
        if (reference_count(row) == 2) continue;
        CHECK_NEAR(e, reference_number(reference_at(row, 2)), 1e-15);
        CHECK_NEAR(m.level, reference_number(reference_at(row, 3)), 1e-12);
    }
}

TEST(lag_follows_the_trajectory_of_the_vectors) {
    const reference_node list = reference_get(drives_load(), "lag");
    for (size_t k = 0; k < reference_count(list); k++) {
        const reference_node v = reference_at(list, k), steps = reference_get(v, "trajectory");
        const stiction_drive_def def = def_of(v, reference_value(v, "timestep"));
        CHECK(reference_count(reference_at(steps, 0)) == 4);
        follow(&def, steps);
    }
}

TEST(presliding_follows_the_trajectory_of_the_vectors) {
    const reference_node list = reference_get(drives_load(), "presliding");
    for (size_t k = 0; k < reference_count(list); k++) {
        const reference_node v = reference_at(list, k);
        stiction_drive_def def = def_of(v, reference_value(v, "timestep"));
        const reference_node torques = reference_get(v, "presliding_torque");
        const reference_node springs = reference_get(v, "presliding_stiffness");
        def.presliding = reference_count(torques);
        for (size_t n = 0; n < def.presliding; n++) {
            def.presliding_torque[n] = reference_number(reference_at(torques, n));
            def.presliding_stiffness[n] = reference_number(reference_at(springs, n));
        }
        follow(&def, reference_get(v, "trajectory"));
    }
}

TEST(heat_of_the_vectors_is_met) {
    const reference_node list = reference_get(drives_load(), "heating");
    for (size_t k = 0; k < reference_count(list); k++) {
        const reference_node v = reference_at(list, k);
        const stiction_drive_parameters p = drive_of(v);
        const double next =
            stiction_drive_heated(&p, reference_value(v, "temperature"),
                                  reference_value(v, "power"), reference_value(v, "timestep"));
        CHECK_NEAR(relative(next, reference_value(v, "next")), 0, 1e-15);
    }
}

/* BAM: tau_f of a velocity, which is Phi at the levels of the torques. */
TEST(curves_of_bam_are_met) {
    const reference_node list = reference_get(drives_load(), "bam");
    for (size_t k = 0; k < reference_count(list); k++) {
        const reference_node v = reference_at(list, k), set = reference_get(v, "parameters");
        const reference_node curve = reference_get(v, "curve");
        const double base = reference_value(set, "friction_base");
        const stiction_law *law = stiction_law_find("stribeck");
        stiction_law_parameters p = stiction_law_parameters_default();
        p.coulomb_torque = base;
        p.static_torque = base + reference_value(set, "friction_stribeck");
        p.stribeck_velocity = reference_value(set, "dtheta_stribeck");
        p.stribeck_exponent = reference_value(set, "alpha");
        p.viscous = reference_value(set, "friction_viscous");
        stiction_drive_parameters drive = stiction_drive_parameters_default();
        drive.load_motor = reference_value(set, "load_friction_motor");
        drive.load_external = reference_value(set, "load_friction_external");
        drive.load_motor_static = reference_value(set, "load_friction_motor_stribeck");
        drive.load_external_static = reference_value(set, "load_friction_external_stribeck");
        for (size_t n = 0; n < reference_count(curve); n++) {
            const reference_node row = reference_at(curve, n);
            const stiction_drive_input in = {.motor_torque = reference_number(reference_at(row, 0)),
                                             .external_torque =
                                                 reference_number(reference_at(row, 1)),
                                             .temperature = 25};
            const stiction_levels l = stiction_drive_levels(&drive, &p, &in, false);
            stiction_law_parameters levelled = p;
            levelled.coulomb_torque = l.coulomb;
            levelled.static_torque = l.coulomb + l.falling;
            levelled.viscous = l.viscous;
            const double y = stiction_phi(law, &levelled, reference_number(reference_at(row, 2)));
            CHECK_NEAR(relative(y, reference_number(reference_at(row, 3))), 0, 1e-14);
        }
    }
}
