/* SPDX-License-Identifier: MIT
 * Projects on the embedded engine: where the wrist stops, and that friction is part of mjData.
 */
#include <string.h>

#include "check.h"
#include "document/auto.h"
#include "mujoco/simulation_internal.h"
#include "sanitized.h"
#include "temporary.h"

OWNS(mjData, mj_deleteData)
OWNS(simulation, simulation_destroy)

static const double degree = 3.141592653589793 / 180;
static const char wrist[] = "../sample_projects/wrist/wrist.cnoid";

static simulation *make(const char *path, const simulation_options *options) {
    stiction_error error = {0};
    simulation *s = simulation_create(path, options, &error);
    if (!s) FAIL("%s: %s", path, error.message);
    return s;
}

/* The error message of a simulation that cannot be made. */
static const char *refusal(const char *path, const simulation_options *options) {
    static char text[1700];
    stiction_error error = {0};
    simulation *s = simulation_create(path, options, &error);
    CHECK(s == NULL);
    simulation_destroy(s);
    (void)stiction_error_format(&error, text, sizeof text);
    return text;
}

static void run(simulation *s, double until) {
    stiction_error error;
    if (simulation_run(s, until, &error) != STICTION_OK) FAIL("%s", error.message);
}

static double figure(simulation *s, const char *name) {
    return results_figure(simulation_results(s, true), 0, name);
}

/* The wrist with a torque that ramps up to a part of its static torque, and stays. */
static simulation *loaded_wrist(double torque, simulation_options options) {
    static char load[100];
    (void)snprintf(load, sizeof load, "mode=torque shape=ramp from=0 duration=2 target=%g", torque);
    static const char *controller[] = {load};
    options.controller = controller;
    options.controller_count = 1;
    return make(wrist, &options);
}

TEST(rk4_stops_at_the_same_place_and_does_not_creep) {
    simulation_options options = simulation_options_default();
    options.world.integrator = WORLD_RK4;
    OWNED(simulation) *s = make(wrist, &options);
    run(s, 6);
    printf("RK4 stops at %.6f deg after %.3f s, creep %g rad/s\n",
           figure(s, "final_position") / degree, figure(s, "stop_time"), figure(s, "creep"));
    /* integrator details move the angle by less than 0.03 deg, PAPERS.md */
    CHECK_NEAR(figure(s, "final_position") / degree, 69.877, 0.03);
    CHECK_NEAR(figure(s, "stop_time"), 2.768, 0.01);
    CHECK_NEAR(figure(s, "creep"), 0, 1e-12);
}

TEST(the_heat_is_the_work_of_friction_with_either_integrator) {
    for (int rk4 = 0; rk4 < 2; rk4++) {
        simulation_options options = simulation_options_default();
        options.world.integrator = rk4 ? WORLD_RK4 : WORLD_EULER;
        OWNED(simulation) *s = make(wrist, &options);
        run(s, 6);
        /* it starts and ends at rest: all the work of the motor is heat but for the bristle's */
        const double f = figure(s, "final_torque"), stored = f * f / 5000 / 2;
        double work = 0;
        simulation_reset(s, NULL);
        const joint_quantities view = friction_quantities(simulation_friction(s));
        for (int k = 1; k <= 6000; k++) {
            const double before = simulation_data(s)->qpos[0];
            run(s, k * 0.001);
            const double applied = simulation_data(s)->qfrc_applied[0] + view.torque[0];
            work += applied * (simulation_data(s)->qpos[0] - before);
        }
        printf("%s: %.4f J of %.4f J\n", rk4 ? "RK4" : "Euler", figure(s, "dissipated_energy"),
               work);
        /* sums over 1 ms steps of velocities that change by 1 % a step at most */
        CHECK_NEAR(figure(s, "dissipated_energy") + stored, work, 0.01 * work);
    }
}

/* Runs on from a copy of mjData: friction must come out as if nothing had happened between. */
static void check_copy(world_integrator integrator, const char *law) {
    simulation_options options = simulation_options_default();
    options.world.integrator = integrator;
    options.friction.law = law;
    OWNED(simulation) *s = make(wrist, &options);
    const mjModel *model = simulation_world(s)->model;
    OWNED(mjData) *copy = mj_makeData(model);
    run(s, 0.5);
    mj_copyData(copy, model, simulation_data(s));
    run(s, 1);
    const double there = simulation_data(s)->qpos[0];
    run(s, 3);
    mj_copyData(simulation_data(s), model, copy);
    run(s, 1);
    CHECK_SAME(simulation_data(s)->qpos[0], there);
    CHECK(there != 0);
}

TEST(a_copy_of_mjdata_is_a_copy_of_friction) {
    check_copy(WORLD_EULER, NULL);
    check_copy(WORLD_EULER, "coulomb"); /* reads the Stribeck wrist's coulomb_torque */
    check_copy(WORLD_EULER, "lugre");
    check_copy(WORLD_RK4, NULL);
}

TEST(a_reset_is_a_reset_of_friction) {
    for (int rk4 = 0; rk4 < 2; rk4++) {
        simulation_options options = simulation_options_default();
        options.world.integrator = rk4 ? WORLD_RK4 : WORLD_EULER;
        OWNED(simulation) *s = make(wrist, &options);
        run(s, 1);
        const double there = simulation_data(s)->qpos[0], heat = figure(s, "dissipated_energy");
        CHECK(simulation_reset(s, NULL) == STICTION_OK);
        CHECK_NEAR(simulation_time(s), 0, 0);
        run(s, 1);
        CHECK_SAME(simulation_data(s)->qpos[0], there);
        CHECK_SAME(figure(s, "dissipated_energy"), heat);
    }
}

TEST(a_loaded_joint_holds_and_mujocos_own_friction_creeps) {
    simulation *s = loaded_wrist(0.9 * 2.5, simulation_options_default());
    run(s, 10);
    CHECK_NEAR(figure(s, "creep"), 0, 1e-12);
    CHECK_NEAR(figure(s, "final_position"), 0.9 * 2.5 / 5000, 1e-9);
    simulation_destroy(s);

    simulation_options options = simulation_options_default();
    options.friction.source = FRICTION_FRICTIONLOSS;
    s = loaded_wrist(0.9 * 2.5, options);
    run(s, 10);
    printf("frictionloss creeps at %g rad/s\n", figure(s, "creep"));
    CHECK(figure(s, "creep") > 1e-4);
    simulation_destroy(s);

    options.friction.source = FRICTION_NONE;
    s = loaded_wrist(0.9 * 2.5, options);
    run(s, 3);
    CHECK(figure(s, "final_position") > 1);
    CHECK(isnan(figure(s, "creep")));
    simulation_destroy(s);
}

TEST(what_rk4_cannot_integrate_is_refused) {
    simulation_options options = simulation_options_default();
    const stiction_override karnopp[] = {{"joints.RWRR.law", "karnopp"},
                                         {"joints.RWRR.stick_velocity", "0.001"}};
    options.world.integrator = WORLD_RK4;
    options.friction.overrides = karnopp;
    options.friction.override_count = 2;
    CHECK_CONTAINS(refusal(wrist, &options), "law karnopp has more state than its deflection");
    const stiction_override undamped = {"joints.RWRR.damping", "0"};
    options.friction.overrides = &undamped;
    options.friction.override_count = 1;
    options.world.timestep = 0.05; /* long enough to be legal with Euler's rule */
    CHECK_CONTAINS(refusal(wrist, &options), "damping");
}

TEST(mistakes_of_friction_are_told_with_their_place) {
    simulation_options options = simulation_options_default();
    const stiction_override value = {"profiles.wrist_stribeck.static_torque", "0.1"};
    options.friction.overrides = &value;
    options.friction.override_count = 1;
    CHECK_CONTAINS(refusal(wrist, &options), "config/wrist.yaml:14:");
    options = simulation_options_default();
    options.friction.configuration =
        temporary_file("other.yaml", "stiction: 1\nmodels: [Other]\njoints:\n  A: { law: none }\n");
    CHECK_CONTAINS(refusal(wrist, &options), "no body of the project is a model of");
}

static bool always(void) {
    return true;
}

/* Judging many joints takes seconds: is_stopped is polled meanwhile. */
TEST(who_stops_a_simulation_while_it_is_made_gets_none) {
    simulation_options options = simulation_options_default();
    options.is_stopped = always;
    CHECK_CONTAINS(refusal(wrist, &options), "the run was interrupted before its start");
}
