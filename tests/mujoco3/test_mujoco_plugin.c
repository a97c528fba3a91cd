/* SPDX-License-Identifier: MIT
 * The plugin in MuJoCo 3's own mj_step: holding, breaking away, the wrist of the paper, copies of
 * mjData, errors of the compiler, integrators and light joints.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models.h"

static const double F_S = 2.5;

/* ---- holding ---- */

/* The largest speed of the last half of a run at a torque that rises to `share` of F_S in 2 s,
 * with an addition that swings. */
static double creep_of(mjModel *model, double seconds, double share, double swing, double *moved) {
    mjData *data = mj_makeData(model);
    double speed = 0, start = 0;
    while (data->time < seconds) {
        const double t = data->time;
        data->qfrc_applied[0] =
            F_S * (share * fmin(t / 2, 1) + swing * sin(2 * mjPI * 20 * t) * fmin(t / 2, 1));
        mj_step(model, data);
        if (data->time < seconds / 2) {
            start = data->qpos[0];
        } else if (fabs(data->qvel[0]) > speed) {
            speed = fabs(data->qvel[0]);
        }
    }
    *moved = fabs(data->qpos[0] - start);
    mj_deleteData(data);
    return speed;
}

static void check_holding(const char *option) {
    double moved;
    mjModel *model = model_of(wrist(option));
    const double speed = creep_of(model, 60, 0.9, 0, &moved);
    printf("0.9 F_S for 60 s, %s: %.2g rad/s, moved %.2g rad\n", option, speed, moved);
    CHECK(speed < 1e-12);
    CHECK(moved < 1e-11);
    mj_deleteModel(model);
}

TEST(a_joint_holds_below_its_static_torque) {
    check_holding("timestep='0.001'");
    check_holding("timestep='0.005'");
}

TEST(a_joint_holds_with_each_integrator) {
    check_holding("timestep='0.001' integrator='Euler'");
    check_holding("timestep='0.001' integrator='implicit'");
    check_holding("timestep='0.001' integrator='implicitfast'");
    check_holding("timestep='0.001' integrator='RK4'");
    check_holding("timestep='0.005' integrator='implicit'");
    check_holding("timestep='0.005' integrator='implicitfast'");
}

/* The joint of MuJoCo's own friction creeps: what the plugin is for. */
TEST(friction_loss_creeps_where_the_plugin_holds) {
    double moved;
    mjModel *model =
        model_of(xml_of((one_joint){.option = "timestep='0.001'", .joint = "frictionloss='2.5'"}));
    const double speed = creep_of(model, 60, 0.9, 0, &moved);
    printf("frictionloss at 0.9 F_S: %.2g rad/s\n", speed);
    CHECK(speed > 1e-3);
    mj_deleteModel(model);
}

/* The bristle gives way by 0.08 F_S/K at 20 Hz, so the joint moves, and comes back. */
TEST(a_joint_under_dither_does_not_creep) {
    for (int slow = 0; slow < 2; slow++) {
        mjModel *model = model_of(wrist(slow ? "timestep='0.005'" : "timestep='0.001'"));
        mjData *data = mj_makeData(model);
        const double T = model->opt.timestep;
        double at[2] = {0, 0};
        for (long k = 0; (double)k * T < 60; k++) {
            const double t = (double)k * T, ramp = fmin(t / 2, 1);
            /* whole periods: each has the same load at the same step */
            const long in_period = k % lround(0.05 / T);
            data->qfrc_applied[0] =
                F_S * ramp * (0.9 + 0.08 * sin(2 * mjPI * 20 * (double)in_period * T));
            if (k == lround(20 / T)) at[0] = data->qpos[0];
            mj_step(model, data);
        }
        at[1] = data->qpos[0];
        const double drift = fabs(at[1] - at[0]) / 40;
        printf("0.9 F_S with 0.08 F_S at 20 Hz, %g ms: drift %.2g rad/s\n", 1e3 * T, drift);
        CHECK(drift < 1e-12);
        mj_deleteData(data);
        mj_deleteModel(model);
    }
}

/* ---- breaking away ---- */

static double breakaway(mjModel *model, double rate) {
    mjData *data = mj_makeData(model);
    double torque = 0;
    while (fabs(data->qpos[0]) < 0.01 && torque < 10) {
        torque = rate * data->time;
        data->qfrc_applied[0] = torque;
        mj_step(model, data);
    }
    /* the load while the joint gathers speed is not that of the break-away: count from friction */
    mj_resetData(model, data);
    double most = 0;
    for (int k = 0; k < 1000000 && fabs(data->qpos[0]) < 0.01; k++) {
        data->qfrc_applied[0] = rate * data->time;
        mj_step(model, data);
        most = fmax(most, -data->qfrc_passive[0]);
    }
    mj_deleteData(data);
    return most;
}

TEST(a_slow_ramp_breaks_away_at_the_static_torque) {
    static const char *const options[] = {"timestep='0.001'",
                                          "timestep='0.001' integrator='implicitfast'",
                                          "timestep='0.001' integrator='implicit'",
                                          "timestep='0.001' integrator='RK4'",
                                          "timestep='0.005'",
                                          "timestep='0.005' integrator='implicitfast'"};
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        mjModel *model = model_of(wrist(options[k]));
        const double torque = breakaway(model, 0.05);
        printf("%s: breaks away at %.5f N m\n", options[k], torque);
        CHECK_NEAR(torque, F_S, 0.0025);
        mj_deleteModel(model);
    }
}

/* ---- the wrist of the paper ---- */

/* Cisneros et al., Fig 12: an inverse-dynamics PD controller, from rest at 0 to 90 deg. */
static double stop_angle(const char *option, double seconds) {
    mjModel *model = model_of(wrist(option));
    mjData *data = mj_makeData(model);
    while (data->time < seconds) {
        data->qfrc_applied[0] = 0.1675 * (20 * (mjPI / 2 - data->qpos[0]) - 2 * data->qvel[0]);
        mj_step(model, data);
    }
    const double angle = data->qpos[0] * 180 / mjPI;
    CHECK(fabs(data->qvel[0]) < 1e-12);
    mj_deleteData(data);
    mj_deleteModel(model);
    return angle;
}

TEST(the_wrist_stops_where_the_embedded_engine_stops_it) {
    static const char *const options[] = {
        "timestep='0.001'", "timestep='0.001' integrator='implicitfast'",
        "timestep='0.001' integrator='implicit'", "timestep='0.001' integrator='RK4'"};
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        const double angle = stop_angle(options[k], 6);
        printf("wrist, %s: %.6f deg\n", options[k], angle);
        CHECK_NEAR(angle, 69.877, 0.01);
    }
}

/* Fig 13: with the integral term, the sawtooth of sample_projects/wrist_integral. */
TEST(the_wrist_with_an_integral_term_hunts_as_on_the_embedded_engine) {
    static const double expected[] = {4.58, 15.16, 21.28, 34.76, 42.22};
    mjModel *model = model_of(wrist("timestep='0.001'"));
    mjData *data = mj_makeData(model);
    double integral = 0, peak = 0;
    size_t count = 0;
    bool rested = false;
    long still = 0;
    while (data->time < 45) {
        const double v = data->qvel[0];
        const double r = 50 * (mjPI / 2 - data->qpos[0]) - 14 * v;
        data->qfrc_applied[0] = 0.1675 * (r + (integral - v));
        integral += 0.001 * r;
        mj_step(model, data);
        if (rested) peak = fmax(peak, -data->qfrc_passive[0]);
        still = fabs(data->qvel[0]) < 1e-3 ? still + 1 : 0;
        if (rested && fabs(data->qvel[0]) > 0.01) {
            printf("breaks away at %.3f s\n", data->time);
            if (count < 5) CHECK_NEAR(data->time, expected[count], 0.01 * expected[count]);
            count++;
            rested = false;
        }
        if (still > 500 && data->time > 1) rested = true;
    }
    printf("largest torque after the first stop: %.4f N m\n", peak);
    CHECK(count == 5);
    CHECK_NEAR(peak, F_S, 0.0025);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* ---- newton #4255: what users ask of friction ---- */

TEST(friction_opposes_motion) {
    mjModel *model = model_of(wrist("timestep='0.001'"));
    mjData *data = mj_makeData(model);
    for (int backwards = 0; backwards < 2; backwards++) {
        mj_resetData(model, data);
        data->qvel[0] = backwards ? -2 : 2;
        for (int k = 0; k < 20; k++) {
            mj_step(model, data);
            CHECK((data->qfrc_passive[0] < 0) == !backwards);
        }
        while (data->time < 3) mj_step(model, data);
        CHECK(fabs(data->qvel[0]) < 1e-12);
    }
    mj_deleteData(data);
    mj_deleteModel(model);
}

TEST(friction_of_the_time_steps_agrees) {
    static const double steps[] = {0.0005, 0.001, 0.002, 0.005};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        char option[100];
        (void)snprintf(option, sizeof option, "timestep='%g'", steps[k]);
        const double angle = stop_angle(option, 6);
        printf("wrist at %g ms: %.4f deg\n", 1e3 * steps[k], angle);
        CHECK_NEAR(angle, 69.877, 0.15);
    }
}

/* ---- light joints ---- */

TEST(a_light_finger_holds_and_breaks_away_with_coupling_auto) {
    static const char *const options[] = {"integrator='Euler'", "integrator='implicitfast'"};
    for (int k = 0; k < 2; k++) {
        mjModel *model = model_of(finger(options[k], NULL));
        mjData *data = mj_makeData(model);
        double speed = 0;
        while (data->time < 20) {
            data->qfrc_applied[0] = 0.05 * 0.9 * fmin(data->time / 2, 1);
            mj_step(model, data);
            if (data->time > 10) speed = fmax(speed, fabs(data->qvel[0]));
        }
        const double torque = breakaway(model, 0.005);
        printf("finger of 1e-4 kg m^2 at 5 ms, %s: %.2g rad/s, breaks away at %.5f of 0.05 N m\n",
               options[k], speed, torque);
        CHECK(speed < 1e-12);
        CHECK_NEAR(torque, 0.05, 0.02 * 0.05);
        mj_deleteData(data);
        mj_deleteModel(model);
    }
}

/* A position servo with a strong damper, as robots of the menagerie have it. */
TEST(a_light_finger_follows_its_servo) {
    mjModel *model =
        model_of(finger("integrator='implicitfast'",
                        "<actuator><position joint='RWRR' kp='500' kv='50'/></actuator>"));
    mjData *data = mj_makeData(model);
    double speed = 0;
    data->ctrl[0] = 1;
    while (data->time < 10) {
        mj_step(model, data);
        if (data->time > 8) speed = fmax(speed, fabs(data->qvel[0]));
    }
    printf("finger under a servo: %.5f of 1 rad, %.2g rad/s\n", data->qpos[0], speed);
    /* it may stop as far off as friction bears */
    CHECK_NEAR(data->qpos[0], 1, 0.05 / 500 + 1e-6);
    CHECK(speed < 1e-12);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* ---- mjData ---- */

static void drive(const mjModel *model, mjData *data, long steps) {
    for (long k = 0; k < steps; k++) {
        data->ctrl[0] = sin(7 * data->time);
        mj_step(model, data);
    }
}

static void check_copies(const char *xml) {
    mjModel *model = model_of(xml);
    mjData *data = mj_makeData(model), *copy = mj_makeData(model);
    double moved = 0;
    for (int k = 0; k < 25; k++) {
        drive(model, data, 37);
        /* between two parts of a step, too */
        if (k % 2) mj_step1(model, data);
        mj_copyData(copy, model, data);
        if (k % 2) {
            mj_step2(model, data);
            mj_step2(model, copy);
        }
        const double before = data->qpos[1];
        drive(model, data, ROUNDS(1000));
        drive(model, copy, ROUNDS(1000));
        moved = fmax(moved, fabs(data->qpos[1] - before));
        CHECK(memcmp(data->qpos, copy->qpos, (size_t)model->nq * sizeof *data->qpos) == 0);
        CHECK(memcmp(data->qvel, copy->qvel, (size_t)model->nv * sizeof *data->qvel) == 0);
        CHECK(memcmp(data->plugin_state, copy->plugin_state,
                     (size_t)model->npluginstate * sizeof *data->plugin_state) == 0);
        mj_copyData(data, model, copy);
    }
    CHECK(moved > 0.1);
    mj_deleteData(copy);
    mj_deleteData(data);
    mj_deleteModel(model);
}

TEST(copies_of_the_data_continue_with_the_same_bits) {
    check_copies(two_joints("explicit"));
    check_copies(two_joints("implicit"));
}

typedef struct rollout {
    const mjModel *model;
    mjData *data;
} rollout;

static void *roll(void *argument) {
    rollout *r = argument;
    r->data = mj_makeData(r->model);
    drive(r->model, r->data, ROUNDS(2000));
    return NULL;
}

TEST(rollouts_in_threads_have_the_same_bits) {
    enum { threads = 4 };
    mjModel *model = model_of(two_joints("implicit"));
    pthread_t thread[threads];
    rollout each[threads], alone = {.model = model};
    for (int k = 0; k < threads; k++) {
        each[k] = (rollout){.model = model};
        if (pthread_create(&thread[k], NULL, roll, &each[k]) != 0) abort();
    }
    for (int k = 0; k < threads; k++) (void)pthread_join(thread[k], NULL);
    (void)roll(&alone);
    CHECK(fabs(alone.data->qpos[1]) > 0.01);
    for (int k = 0; k < threads; k++) {
        CHECK(memcmp(each[k].data->qpos, alone.data->qpos,
                     (size_t)model->nq * sizeof *alone.data->qpos) == 0);
        CHECK(memcmp(each[k].data->plugin_state, alone.data->plugin_state,
                     (size_t)model->npluginstate * sizeof *alone.data->plugin_state) == 0);
        mj_deleteData(each[k].data);
    }
    mj_deleteData(alone.data);
    mj_deleteModel(model);
}

TEST(a_reset_begins_again) {
    mjModel *model = model_of(two_joints("implicit"));
    mjData *data = mj_makeData(model);
    drive(model, data, 500);
    const double angle = data->qpos[1], heat = sensor(model, data, "heat");
    CHECK(heat > 0);
    mj_resetData(model, data);
    CHECK(mju_isZero(data->plugin_state, (int)model->npluginstate));
    drive(model, data, 500);
    CHECK_SAME(data->qpos[1], angle);
    mj_deleteData(data);
    mj_deleteModel(model);
}

static void check_forward(const char *xml) {
    mjModel *model = model_of(xml);
    mjData *data = mj_makeData(model), *other = mj_makeData(model);
    drive(model, data, 300);
    drive(model, other, 300);
    mjtNum *before = malloc((size_t)model->npluginstate * sizeof *before);
    mju_copy(before, data->plugin_state, (int)model->npluginstate);
    mj_forward(model, data);
    const double torque = sensor(model, data, "torque");
    mj_forward(model, data);
    mj_inverse(model, data);
    mj_forward(model, data);
    CHECK_SAME(sensor(model, data, "torque"), torque);
    CHECK(memcmp(before, data->plugin_state, (size_t)model->npluginstate * sizeof *before) == 0);
    for (int k = 0; k < 100; k++) {
        drive(model, data, 1);
        mj_forward(model, data);
        mj_inverse(model, data);
        drive(model, other, 1);
    }
    /* the constraint solver starts from another guess: not the same bits with contacts */
    CHECK_NEAR(data->qpos[1], other->qpos[1], 1e-9);
    free(before);
    mj_deleteData(other);
    mj_deleteData(data);
    mj_deleteModel(model);
}

TEST(computing_without_a_step_does_not_move_the_bristles) {
    check_forward(two_joints("explicit"));
    check_forward(two_joints("implicit"));
}

TEST(sensors_read_torque_sticking_and_heat) {
    mjModel *model = model_of(two_joints("explicit"));
    mjData *data = mj_makeData(model);
    CHECK(model->nsensordata == 4); /* the heat of both joints */
    const int elbow = 1;
    bool slipped = false, stuck = false;
    double heat = 0;
    for (int k = 0; k < 12000; k++) {
        data->ctrl[0] = k < 2000 ? sin(7 * data->time) : 0;
        mj_step(model, data);
        CHECK_NEAR(sensor(model, data, "torque"), -data->qfrc_passive[elbow], 0);
        if (sensor(model, data, "sticks") == 1)
            stuck = true;
        else
            slipped = true;
        CHECK(sensor(model, data, "heat") >= heat - 1e-12);
        heat = sensor(model, data, "heat");
    }
    CHECK(slipped && stuck && heat > 0);
    CHECK(sensor(model, data, "sticks") == 1);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* ---- notations ---- */

TEST(both_notations_are_the_same_friction) {
    static const char instance[] =
        "<plugin plugin='stiction.friction'><instance name='wrist'>%s</instance></plugin>";
    mjModel *const models[] = {
        model_of(wrist("timestep='0.001'")),
        model_of(xml_of((one_joint){.option = "timestep='0.001'",
                                    .body = "<plugin instance='wrist'/>",
                                    .extension = text(instance, wrist_law)})),
        model_of(xml_of((one_joint){
            .option = "timestep='0.001'",
            .extension = text(instance, text("<config key='yaml' value='%s'/>", wrist_yaml))})),
        model_of(text("<mujoco><option timestep='0.001' gravity='0 0 0'/><extension>%s</extension>"
                      "<worldbody>%s<body><joint axis='0 0 1'/><inertial pos='0 0 0' mass='1' "
                      "diaginertia='0.1675 0.1675 0.1675'/></body></worldbody></mujoco>",
                      all_plugins, element(wrist_law)))};
    double angle[4];
    for (int k = 0; k < 4; k++) {
        mjData *data = mj_makeData(models[k]);
        data->qvel[0] = 3;
        while (data->time < 1) mj_step(models[k], data);
        angle[k] = data->qpos[0];
        mj_deleteData(data);
        mj_deleteModel(models[k]);
    }
    CHECK(angle[0] > 0.05);
    CHECK_SAME(angle[1], angle[0]);
    CHECK_SAME(angle[2], angle[0]);
    CHECK_SAME(angle[3], angle[0]); /* an element of the world is for the whole model */
}

/* mc_mujoco and mj_attach put the robot's name before those of its joints; mc_mujoco loads the file
 * of an object without it, too. */
TEST(a_prefix_is_not_part_of_the_names) {
    static const char format[] = "<config key='yaml' value='{stiction: 1, joints: {%s: {law: "
                                 "coulomb, coulomb_torque: 1, stiffness: 5000, damping: 50}}}'/>"
                                 "<config key='prefix' value='%s'/>";
    const char *const bodies[] = {text(format, "RR", "RW"), text(format, "RWRR", "robot_")};
    for (int k = 0; k < 2; k++) {
        mjModel *model =
            model_of(xml_of((one_joint){.option = "timestep='0.001'", .body = element(bodies[k])}));
        mjData *data = mj_makeData(model);
        data->qvel[0] = 1;
        mj_step(model, data);
        CHECK(data->qfrc_passive[0] < -0.5);
        mj_deleteData(data);
        mj_deleteModel(model);
    }
}

/* MuJoCo's compiler steps data without plugins to find how far a muscle can be pulled. */
TEST(a_model_whose_muscles_are_measured_has_friction) {
    mjModel *model = model_of(xml_of(
        (one_joint){.option = "timestep='0.001'",
                    .joint = "range='-1 1' limited='true'",
                    .body = element(wrist_law),
                    .rest = "<compiler><lengthrange useexisting='false' tolrange='1'/></compiler>"
                            "<actuator><muscle joint='RWRR'/></actuator>"}));
    mjData *data = mj_makeData(model);
    data->qvel[0] = 1;
    mj_step(model, data);
    CHECK(model->actuator_lengthrange[0] < model->actuator_lengthrange[1]);
    CHECK(data->qfrc_passive[0] < -0.5);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* ---- strong brakes under contacts ---- */

static const char brake[] = "<plugin plugin='stiction.friction'>"
                            "<config key='law' value='coulomb'/>"
                            "<config key='coulomb_torque' value='1000'/>"
                            "<config key='stiffness' value='1e5'/>"
                            "<config key='damping' value='1000'/></plugin>";

/* rad/s, the fastest joint in the last of 5 s. */
static double fastest_at_the_end(const char *bodies) {
    mjModel *model = model_of(text("<mujoco><compiler autolimits='true'/><extension>%s</extension>"
                                   "<worldbody>%s</worldbody></mujoco>",
                                   all_plugins, bodies));
    mjData *data = mj_makeData(model);
    double fastest = 0;
    while (data->time < 5) {
        mj_step(model, data);
        for (int k = 0; k < model->njnt; k++)
            if (model->jnt_type[k] == mjJNT_HINGE && data->time > 4)
                fastest = fmax(fastest, fabs(data->qvel[model->jnt_dofadr[k]]));
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    return fastest;
}

static int warnings;
static void count_warning(const char *message) {
    warnings++;
    CHECK_CONTAINS(message, "a contact acts on a joint whose bristle is softened");
}

TEST(light_wheels_under_a_car_rest) {
    mju_user_warning = count_warning;
    const double fastest = fastest_at_the_end(
        text("<geom type='plane' size='3 3 .01'/><body pos='0 0 .03'>%s<freejoint/>"
             "<geom type='box' size='.08 .04 .01' pos='0 0 .02' mass='0.5'/>"
             "<geom type='sphere' pos='.08 0 -.015' size='.015' condim='1' priority='1'/>"
             "<body pos='-.07 .06 0' zaxis='0 1 0'><joint/>"
             "<geom type='cylinder' size='.03 .01'/></body>"
             "<body pos='-.07 -.06 0' zaxis='0 1 0'><joint/>"
             "<geom type='cylinder' size='.03 .01'/></body></body>",
             brake));
    printf("wheels of 25e-6 kg m^2 with brakes of 1000 N m: %.1e rad/s\n", fastest);
    mju_user_warning = NULL;
    CHECK(fastest < 1e-5);
    CHECK(warnings == 1);
}

TEST(a_light_joint_that_begins_outside_its_limit_rests) {
    const double fastest = fastest_at_the_end(
        text("<body>%s<inertial pos='0 0 0' mass='1' diaginertia='6e-4 6e-4 6e-4'/>"
             "<joint axis='0 0 1' range='0.263 1.4'/></body>",
             brake));
    printf("a joint of 6e-4 kg m^2 outside its limit: %.1e rad/s\n", fastest);
    CHECK(fastest < 1e-5);
}

/* ---- errors ---- */

static void check_error(one_joint of, const char *part) {
    char message[1000];
    mjModel *model = try_model(xml_of(of), message);
    CHECK(!model);
    CHECK_CONTAINS(message, part);
    mj_deleteModel(model);
}

/* With this after the parameters of the wrist. */
static void check_config(const char *config, const char *part) {
    check_error((one_joint){.body = element(text("%s%s", wrist_law, config))}, part);
}

TEST(errors_in_an_element_are_errors_of_the_compiler) {
    check_config("<config key='joints' value='RWRP'/>",
                 "joints: there is no joint 'RWRP'; the nearest is 'RWRR'");
    check_config("<config key='yaml' value='{stiction: 1}'/>", "friction is given twice");
    check_config("<config key='static_torqe' value='1'/>", "static_torqe");
    check_config("<config key='coupling' value='both'/>", "coupling");
    check_error((one_joint){.body = element("")}, "no friction is given");
    check_error((one_joint){.body = element("<config key='config' value='there_is_no.yaml'/>")},
                "there_is_no.yaml");
    check_error((one_joint){.body = element("<config key='law' value='stribek'/>")}, "stribek");
    check_error((one_joint){.body = element("<config key='yaml' value='{stiction: 1, joints: "
                                            "{RWRX: {law: none}}}'/>")},
                "RWRX");
}

TEST(friction_of_mujoco_on_the_same_joint_is_refused) {
    check_error((one_joint){.joint = "frictionloss='1'", .body = element(wrist_law)},
                "joint 'RWRR' has frictionloss of MuJoCo as well");
    check_error((one_joint){.joint = "damping='1'", .body = element(wrist_law)},
                "joint 'RWRR' has damping of MuJoCo as well");
}

TEST(a_joint_has_one_friction) {
    const char *inner = text("<body><joint name='b' axis='0 0 1'/><inertial pos='0 0 0' mass='1' "
                             "diaginertia='1 1 1'/>%s</body>",
                             element(wrist_law));
    check_error((one_joint){.body = text("%s%s", element(wrist_law), inner)},
                "joint 'b' has friction from another element");
}

/* Of two instances in a body MuJoCo keeps only the second. The first then belongs to no body, so
 * it acts on the whole model. */
TEST(two_instances_in_a_body_are_refused) {
    check_error(
        (one_joint){.extension =
                        text("<plugin plugin='stiction.friction'><instance name='a'>%s</instance>"
                             "<instance name='b'>%s</instance></plugin>",
                             wrist_law, wrist_law),
                    .body = "<plugin instance='a'/><plugin instance='b'/>"},
        "joint 'RWRR' has friction from another element");
}

typedef enum answer { LOADED, REFUSED, CRASHED } answer;
enum { exit_loaded = 40, exit_refused = 41 }; /* MuJoCo's own errors end with 1 */

/* Another plugin, which does nothing. */
static int no_state(const mjModel *model, int id) {
    (void)model, (void)id;
    return 0;
}
static void no_reset(const mjModel *model, mjtNum *state, void *memory, int id) {
    (void)model, (void)state, (void)memory, (void)id;
}
static void no_force(const mjModel *model, mjData *data, int id, int capability) {
    (void)model, (void)data, (void)id, (void)capability;
}
static const char foreign[] = "foreign.passive";
static void register_foreign(void) {
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    plugin.name = foreign;
    plugin.capabilityflags = mjPLUGIN_PASSIVE;
    plugin.nstate = no_state;
    plugin.reset = no_reset;
    plugin.compute = no_force;
    mjp_registerPlugin(&plugin);
}

/* What becomes of a body with two inline elements, in a process of its own. */
static answer load_two(const char *plugin, const char *config) {
    const char *element_text = text("<plugin plugin='%s'>%s</plugin>", plugin, config);
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        char message[1000];
        const mjModel *model =
            try_model(xml_of((one_joint){.extension = text("<plugin plugin='%s'/>", plugin),
                                         .body = text("%s%s", element_text, element_text)}),
                      message);
        const bool expected =
            strcmp(plugin, foreign) == 0 || strstr(message, "has friction from another element");
        _exit(model ? exit_loaded : expected ? exit_refused : 1);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) abort();
    if (!WIFEXITED(status)) return CRASHED;
    return WEXITSTATUS(status) == exit_loaded    ? LOADED
           : WEXITSTATUS(status) == exit_refused ? REFUSED
                                                 : CRASHED;
}

/* MuJoCo 3.3.6 and 3.9.0 crash in mj_loadXML with any plugin, before they call one: the compiler
 * looks up the first of the elements, which no body has, among the plugins at place -1. A version
 * that comes as far as ours gets an error. */
TEST(two_elements_in_a_body_never_load) {
    static const char *const outcomes[] = {"loads", "is refused", "crashes in MuJoCo"};
    load_plugin();
    register_foreign();
    const answer others = load_two(foreign, ""), ours = load_two("stiction.friction", wrist_law);
    printf("two elements in a body, MuJoCo %s: another plugin %s, ours %s\n", mj_versionString(),
           outcomes[others], outcomes[ours]);
    CHECK(ours == REFUSED || (ours == CRASHED && others == CRASHED));
}

TEST(what_a_model_cannot_simulate_is_refused) {
    /* Z is not legal where K T + B is below the steepest descent of the law */
    check_error((one_joint){.option = "timestep='1e-5'",
                            .body = element("<config key='law' value='stribeck'/>"
                                            "<config key='static_torque' value='2.5'/>"
                                            "<config key='coulomb_torque' value='0.4'/>"
                                            "<config key='stribeck_velocity' value='0.06'/>"
                                            "<config key='stiffness' value='5000'/>"
                                            "<config key='damping' value='1'/>")},
                "RWRR");
    const char *implicit = element(text("%s<config key='coupling' value='implicit'/>", wrist_law));
    check_error((one_joint){.option = "integrator='RK4'", .body = implicit},
                "the integrator is RK4");
    check_error((one_joint){.body = element(wrist_law),
                            .rest = "<option><flag spring='disable' damper='disable'/></option>"},
                "switch all passive forces off");
    check_error((one_joint){.body = element("<config key='law' value='lugre'/>"
                                            "<config key='coupling' value='implicit'/>"
                                            "<config key='static_torque' value='2.5'/>"
                                            "<config key='coulomb_torque' value='0.4'/>"
                                            "<config key='stribeck_velocity' value='0.06'/>"
                                            "<config key='stribeck_exponent' value='2'/>"
                                            "<config key='viscous' value='4.5'/>"
                                            "<config key='stiffness' value='5000'/>"
                                            "<config key='damping' value='50'/>")},
                "law lugre has no potential");
    check_error((one_joint){.body = element(wrist_law),
                            .rest = "<sensor><plugin plugin='stiction.heat' objtype='body' "
                                    "objname='arm'/></sensor>"},
                "name its 'joints'");
    check_error((one_joint){.body = element(wrist_law),
                            .rest = "<sensor><plugin plugin='stiction.heat'><config key='joints' "
                                    "value='RW* elbow'/></plugin></sensor>"},
                "there is no hinge and no slide 'elbow'");
}
