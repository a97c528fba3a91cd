/* SPDX-License-Identifier: MIT
 * What the embedded engine passes to friction in a step (docs/drives.md, "Inputs"): the
 * external torque is gravity, contacts and pushes, and never friction; drives break away where
 * their parameters say; levels and temperatures come out in the results.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "document/auto.h"
#include "mujoco/simulation_internal.h"
#include "temporary.h"

OWNS(simulation, simulation_destroy)

static const double T = 1e-3;

/* An arm of two links in a vertical plane; gravity pulls its joints forwards where it is level. */
#define ARM(of_joint, of_tip, floor)                                                               \
    "<mujoco model=\"Arm\"><option gravity=\"0 0 -10\"/><worldbody>" floor                         \
    "<body name=\"UPPER\" pos=\"0 0 1\"><joint name=\"A\" axis=\"0 1 0\" "                         \
    "armature=\"0.5\" " of_joint "/>"                                                              \
    "<inertial mass=\"2\" pos=\"0.3 0 0\" diaginertia=\"0.01 0.02 0.02\"/>"                        \
    "<body name=\"FORE\" pos=\"0.5 0 0\"><joint name=\"B\" axis=\"0 1 0\" armature=\"0.5\"/>"      \
    "<inertial mass=\"1\" pos=\"0.2 0 0\" diaginertia=\"0.01 0.02 0.02\"/>" of_tip                 \
    "</body></body></worldbody></mujoco>"

static const char arm[] = ARM("", "", "");
static const char stopped_arm[] = ARM("limited=\"true\" range=\"-170 5\"", "", "");
static const char touching_arm[] =
    ARM("", "<geom type=\"sphere\" size=\"0.05\" pos=\"0.5 0 0\" mass=\"0\"/>",
        "<geom type=\"plane\" size=\"5 5 1\" pos=\"0 0 0.7\" friction=\"0.1 0.005 0.0001\"/>");

#define ELEMENT "stiffness: 5000, damping: 50 }\n"

typedef struct setting {
    const char *coupling, *element;
} setting;

static const setting couplings[] = {
    {"explicit", "auto"}, {"implicit", "bristle"}, {"implicit", "rigid"}};
enum { coupling_count = sizeof couplings / sizeof couplings[0] };

static simulation *make_pushed(const char *xml, const setting *how, const char *joints,
                               const stiction_override *pushing) {
    char text[4000];
    (void)snprintf(text, sizeof text, "stiction: 1\ncoupling: %s\nelement: %s\njoints:\n%s",
                   how->coupling, how->element, joints);
    simulation_options options = simulation_options_default();
    options.friction.configuration = temporary_file("friction.yaml", text);
    options.world.timestep = T;
    options.pushes = pushing;
    options.push_count = pushing ? 1 : 0;
    stiction_error error = {0};
    simulation *s = simulation_create(temporary_file("robot.xml", xml), &options, &error);
    if (!s) {
        FAIL("%s:%d: %s", error.path, error.line, error.message);
        exit(EXIT_FAILURE);
    }
    return s;
}

static simulation *make(const char *xml, const setting *how, const char *joints) {
    return make_pushed(xml, how, joints, NULL);
}

static void step(simulation *s, const double *torque) {
    stiction_error error = {0};
    if (simulation_step(s, torque, 1, &error) != STICTION_OK) FAIL("%s", error.message);
}

static void steps(simulation *s, const double *torque, int count) {
    for (int k = 0; k < count; k++) step(s, torque);
}

static joint_quantities look(const simulation *s) {
    return friction_quantities(simulation_friction(s));
}

/* What gravity, 10 m/s^2, does to the joints of the arm. */
static void gravity_torques(const double *q, double *torque) {
    torque[1] = 10 * 0.2 * cos(q[0] + q[1]);
    torque[0] = 10 * (2 * 0.3 + 0.5) * cos(q[0]) + torque[1];
}

/* ---- the external torque ---- */

TEST(an_arm_at_rest_is_told_the_torque_of_gravity_whatever_holds_it) {
    static const char *const joints[] = {
        "  A: { law: coulomb, coulomb_torque: 40, load_external: 0.3, " ELEMENT
        "  B: { law: coulomb, coulomb_torque: 20, load_external: 0.3, " ELEMENT,
        /* held by what the load itself brings */
        "  A: { law: coulomb, coulomb_torque: 0.5, load_external: 1.5, " ELEMENT
        "  B: { law: coulomb, coulomb_torque: 0.5, load_external: 2, " ELEMENT,
        "  A: { law: stribeck, static_torque: 60, coulomb_torque: 50, stribeck_velocity: 0.5,\n"
        "       viscous: 2, load_external: 0.1, load_external_static: 0.1, load_limit: 20, " ELEMENT
        "  B: { law: rational, static_torque: 60, coulomb_torque: 50, stribeck_velocity: 0.5,\n"
        "       viscous: 2, load_external: 0.7, " ELEMENT};
    static const double none[2] = {0, 0};
    for (size_t c = 0; c < coupling_count; c++)
        for (size_t j = 0; j < sizeof joints / sizeof joints[0]; j++) {
            OWNED(simulation) *s = make(arm, &couplings[c], joints[j]);
            steps(s, none, 2000);
            double q[2], expected[2], worst = 0;
            memcpy(q, simulation_data(s)->qpos, sizeof q);
            step(s, none);
            gravity_torques(q, expected);
            const joint_quantities seen = look(s);
            for (int k = 0; k < 2; k++) {
                worst = fmax(worst, fabs(seen.external_torque[k] - expected[k]));
                CHECK(!seen.slipping[k]);
                CHECK_NEAR(simulation_data(s)->qvel[k], 0, 1e-9);
            }
            printf("%s %s, friction %zu: off by %.1e N m\n", couplings[c].coupling,
                   couplings[c].element, j, worst);
            CHECK(worst < 1e-13 * expected[0] * 10);
        }
}

TEST(what_bears_a_joint_is_in_its_external_torque) {
    static const char joints[] =
        "  A: { law: coulomb, coulomb_torque: 1, viscous: 200, load_external: 1.5, " ELEMENT
        "  B: { law: coulomb, coulomb_torque: 20, load_external: 0.1, " ELEMENT;
    static const double pressing[2] = {30, 0};
    for (size_t c = 0; c < coupling_count; c++) {
        OWNED(simulation) *s = make(stopped_arm, &couplings[c], joints);
        steps(s, pressing, 3000);
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k < 100; k++) {
            step(s, pressing);
            const double e = look(s).external_torque[0];
            least = fmin(least, e);
            most = fmax(most, e);
            /* all that there is holds the joint */
            CHECK_NEAR(30 + e - look(s).torque[0], 0, 1e-6);
        }
        printf("%s %s: %.9f to %.9f N m\n", couplings[c].coupling, couplings[c].element, least,
               most);
        CHECK(most < -10);          /* gravity alone is 13 N m forwards */
        CHECK(most - least < 1e-9); /* and it does not cycle, though load_external is above 1 */
    }
}

TEST(a_push_is_in_the_external_torque) {
    static const char joints[] =
        "  A: { law: coulomb, coulomb_torque: 90, load_external: 0.3, " ELEMENT
        "  B: { law: coulomb, coulomb_torque: 90, load_external: 0.3, " ELEMENT;
    static const stiction_override pushing = {"push", "link=FORE force=0,0,-7"};
    static const double none[2] = {0, 0};
    for (size_t c = 0; c < coupling_count; c++) {
        OWNED(simulation) *s = make_pushed(arm, &couplings[c], joints, &pushing);
        steps(s, none, 1500);
        double q[2], expected[2];
        memcpy(q, simulation_data(s)->qpos, sizeof q);
        step(s, none);
        gravity_torques(q, expected);
        const double fore = 7 * 0.2 * cos(q[0] + q[1]); /* in its centre of mass */
        CHECK_NEAR(look(s).external_torque[1], expected[1] + fore, 1e-12);
        CHECK_NEAR(look(s).external_torque[0], expected[0] + 7 * 0.5 * cos(q[0]) + fore, 1e-12);
    }
}

TEST(a_saved_state_goes_on_to_the_bit_while_a_contact_loads_the_joints) {
    static const char joints[] =
        "  A: { law: coulomb, coulomb_torque: 0.2, viscous: 0.5, load_external: 0.4, " ELEMENT
        "  B: { law: coulomb, coulomb_torque: 0.2, viscous: 0.5, load_external: 0.4, " ELEMENT;
    static const double pressing[2] = {2, -1};
    for (size_t c = 0; c < coupling_count; c++) {
        OWNED(simulation) *s = make(touching_arm, &couplings[c], joints);
        const size_t size = simulation_state_size(s);
        AUTO_FREE void *saved = malloc(size);
        int touching = 0;
        while (touching < 3 && simulation_time(s) < 5) { /* slides over the floor, then */
            step(s, pressing);
            touching += simulation_data(s)->ncon > 0;
        }
        CHECK(touching == 3);
        simulation_save(s, saved);
        steps(s, pressing, 20);
        const double there[4] = {simulation_data(s)->qpos[0], simulation_data(s)->qpos[1],
                                 look(s).external_torque[0], look(s).torque[0]};
        CHECK(fabs(simulation_data(s)->qvel[0]) > 1e-3);
        CHECK(simulation_restore(s, saved, size, NULL) == STICTION_OK);
        steps(s, pressing, 20);
        CHECK_SAME(simulation_data(s)->qpos[0], there[0]);
        CHECK_SAME(simulation_data(s)->qpos[1], there[1]);
        CHECK_SAME(look(s).external_torque[0], there[2]);
        CHECK_SAME(look(s).torque[0], there[3]);
        /* auto goes on with what it has seen of chatter */
        const chatter seen = {0x8000000380000003, 3, 0.5, -0.25};
        results_set_chatter(s->results, 0, &seen);
        simulation_save(s, saved);
        results_set_chatter(s->results, 0, &(chatter){0});
        CHECK(simulation_restore(s, saved, size, NULL) == STICTION_OK);
        const chatter back = results_chatter(s->results, 0);
        CHECK(back.turns == seen.turns && back.lasted == seen.lasted);
        CHECK_SAME(back.torque, seen.torque);
        CHECK_SAME(back.command, seen.command);
    }
}

/* ---- a real drive ---- */

/* 2 N m of gravity against a lever, and the inertia of its drive. */
static const char lever[] =
    "<mujoco model=\"Lever\"><option gravity=\"0 0 -10\"/><worldbody>"
    "<body name=\"LEVER\"><joint name=\"J\" axis=\"0 -1 0\" armature=\"0.026\"/>"
    "<inertial mass=\"1\" pos=\"0.2 0 0\" diaginertia=\"0.001 0.001 0.001\"/></body>"
    "</worldbody></mujoco>";

/* BAM's mx106, model M5, as drives.json has it. */
static const char mx106[] =
    "  J: { law: stribeck, static_torque: 0.12242747198633219,\n"
    "       coulomb_torque: 1.8812712661235184e-10, stribeck_velocity: 1.7457130513692263,\n"
    "       stribeck_exponent: 1.138313248724122, viscous: 0.05066487276724427,\n"
    "       load_motor: 0.20763710226562626, load_external: 0.022684350817709906,\n"
    "       load_motor_static: 0.19519320110890795, load_external_static: 0.08490162305974122,\n"
    "       load_limit: 20, stiffness: 2000, damping: 20 }\n";

/* Where it slips off on a ramp of the motor's torque from 2 N m on, which balances the load. */
static double break_away(const setting *how, double rate) {
    simulation *s = make(lever, how, mx106);
    double torque = 2;
    steps(s, &torque, 200);
    CHECK_NEAR(look(s).external_torque[0], -2, 1e-6);
    while (!look(s).slipping[0] && torque > 0 && torque < 6) {
        step(s, &torque);
        torque += rate * T;
    }
    for (int k = 0; k < 2000; k++, torque += rate * T) step(s, &torque);
    /* it really goes, where the motor or the load drives it */
    CHECK((rate > 0 ? 1 : -1) * simulation_data(s)->qpos[0] > 0.01);
    torque -= 2000 * rate * T;
    simulation_destroy(s);
    return torque;
}

TEST(a_loaded_drive_breaks_away_forwards_and_backwards_where_bam_has_it) {
    /* F_S' = F_S + |mu_m t + 2 mu_e| + |mu_ms t + 2 mu_es|, t - 2 = F_S' and 2 - t = F_S' */
    const double rest = 0.12242747198633219 + 2 * (0.022684350817709906 + 0.08490162305974122);
    const double slope = 0.20763710226562626 + 0.19519320110890795;
    const double drive = (2 + rest) / (1 - slope), back = (2 - rest) / (1 + slope);
    CHECK_NEAR(drive, 3.9145, 5e-5);
    CHECK_NEAR(back, 1.1850, 5e-5);
    for (size_t c = 0; c < coupling_count; c++) {
        const double forwards = break_away(&couplings[c], 0.02);
        const double backwards = break_away(&couplings[c], -0.02);
        printf("%s %s: %.5f and %.5f N m\n", couplings[c].coupling, couplings[c].element, forwards,
               backwards);
        CHECK_NEAR(forwards, drive, 0.01);
        CHECK_NEAR(backwards, back, 0.01);
    }
}

/* ---- what comes out ---- */

static const char warming[] =
    "  J: { law: stribeck, static_torque: 0.3, coulomb_torque: 0.2, stribeck_velocity: 0.5,\n"
    "       viscous: 0.5, temperature: 20, ambient_temperature: 20, reference_temperature: 20,\n"
    "       temperature_level: -0.005, temperature_viscous: 0.005, thermal_resistance: 2,\n"
    "       thermal_time: 0.5, ripple: 0.2, ripple_count: 3, load_motor: 0.1,\n"
    "       stiffness: 2000, damping: 20 }\n";

TEST(friction_warms_a_joint_that_it_brakes) {
    for (size_t c = 0; c < coupling_count; c++) {
        OWNED(simulation) *s = make(lever, &couplings[c], warming);
        double torque = 3.5;
        steps(s, &torque, 4000); /* goes round and round */
        const results *r = simulation_record(s);
        const double hottest = results_figure(r, 0, "peak_temperature");
        printf("%s %s: %.3f deg C, levels %.4f to %.4f N m\n", couplings[c].coupling,
               couplings[c].element, hottest, results_figure(r, 0, "least_level"),
               results_figure(r, 0, "peak_level"));
        CHECK(hottest > 25 && hottest < 150);
        CHECK(results_figure(r, 0, "least_level") < 0.55);
        /* at the start: on a crest, and cold */
        CHECK_NEAR(results_figure(r, 0, "peak_level"), 1.2 * 0.3 + 0.1 * 3.5, 1e-12);
    }
}

/* Explicit friction is that of the last velocity: the two differ by the time step. */
TEST(implicit_and_explicit_drives_move_alike) {
    double angles[coupling_count], temperatures[coupling_count];
    for (size_t c = 0; c < coupling_count; c++) {
        OWNED(simulation) *s = make(lever, &couplings[c], warming);
        for (int k = 0; k < 2000; k++) {
            const double torque = 2 + 2 * sin(4 * k * T);
            step(s, &torque);
        }
        angles[c] = simulation_data(s)->qpos[0];
        temperatures[c] = look(s).temperature[0];
        printf("%s %s: %.6f rad, %.6f deg C\n", couplings[c].coupling, couplings[c].element,
               angles[c], temperatures[c]);
        CHECK_NEAR(angles[c], angles[0], 0.02 * fabs(angles[0]));
        CHECK_NEAR(temperatures[c], temperatures[0], 0.02 * (temperatures[0] - 20));
    }
    CHECK(fabs(angles[0]) > 0.1 && temperatures[0] > 20.01);
}

/* A rigid joint cannot give way before it slides, so that auto is a bristle there; and the other
 * bodies follow. */
TEST(joints_with_presliding_are_bristles_where_nobody_says_otherwise) {
    static const char joint[] =
        "  J: { law: stribeck, static_torque: 3, coulomb_torque: 1, stribeck_velocity: 0.5,\n"
        "       presliding_torque: [ 0.25, 0.5 ], presliding_stiffness: [ 2000, 1000 ],\n"
        "       stiffness: 2000, damping: 20 }\n";
    double angles[2];
    for (size_t c = 0; c < 2; c++) {
        const setting how = {"implicit", c ? "bristle" : "auto"};
        OWNED(simulation) *s = make(lever, &how, joint);
        const double torque = 0;
        steps(s, &torque, 500);
        angles[c] = simulation_data(s)->qpos[0];
        CHECK(!look(s).slipping[0]);
    }
    CHECK(angles[0] < -1e-5); /* it gave way */
    CHECK_SAME(angles[0], angles[1]);
}
