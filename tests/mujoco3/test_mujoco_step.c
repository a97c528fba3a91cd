/* SPDX-License-Identifier: MIT
 * stiction_mujoco_step: friction, contacts and limits solved together in other people's MuJoCo 3.
 */
#include "models.h"
#include "stiction/mujoco.h"

static const double F_S = 2.5;

static void step(const mjModel *model, mjData *data) {
    stiction_error error;
    if (stiction_mujoco_step(model, data, &error) != STICTION_OK) {
        FAIL("%s", error.message);
        exit(1);
    }
}

/* ---- one joint ---- */

TEST(a_joint_holds_with_no_velocity_at_all) {
    static const char *const options[] = {"timestep='0.001'", "timestep='0.005'",
                                          "timestep='0.02' integrator='implicitfast'"};
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        mjModel *model = model_of(wrist(options[k]));
        mjData *data = mj_makeData(model);
        double speed = 0;
        while (data->time < 60) {
            const double t = data->time;
            data->qfrc_applied[0] = F_S * fmin(t / 2, 1) * (0.9 + 0.08 * sin(2 * mjPI * 20 * t));
            step(model, data);
            speed = fmax(speed, fabs(data->qvel[0]));
        }
        printf("0.9 F_S with 0.08 F_S at 20 Hz for 60 s, %s: %g rad/s, moved %g rad\n", options[k],
               speed, data->qpos[0]);
        CHECK(speed == 0);
        CHECK(data->qpos[0] == 0);
        mj_deleteData(data);
        mj_deleteModel(model);
    }
}

TEST(a_slow_ramp_breaks_away_at_the_static_torque) {
    for (int light = 0; light < 2; light++) {
        const char *option = "timestep='0.005'";
        mjModel *model = model_of(light ? finger("", NULL) : wrist(option));
        mjData *data = mj_makeData(model);
        const double holds = light ? 0.05 : F_S, rate = holds / 50;
        double torque = 0;
        while (data->qvel[0] == 0 && torque < 2 * holds) {
            data->qfrc_applied[0] = torque = rate * data->time;
            step(model, data);
        }
        printf("%s breaks away at %.5f of %g N m\n", light ? "finger" : "wrist", torque, holds);
        CHECK_NEAR(torque, holds, 0.001 * holds);
        mj_deleteData(data);
        mj_deleteModel(model);
    }
}

TEST(the_wrist_stops_where_the_embedded_engine_stops_it) {
    static const double steps[] = {0.001, 0.005};
    for (int k = 0; k < 2; k++) {
        mjModel *model = model_of(wrist(text("timestep='%g'", steps[k])));
        mjData *data = mj_makeData(model);
        while (data->time < 6) {
            data->qfrc_applied[0] = 0.1675 * (20 * (mjPI / 2 - data->qpos[0]) - 2 * data->qvel[0]);
            step(model, data);
        }
        const double angle = data->qpos[0] * 180 / mjPI;
        printf("wrist at %g ms: %.4f deg\n", 1e3 * steps[k], angle);
        /* docs/implicit.md: a rigid joint stops at 69.89 deg as the time step falls */
        CHECK_NEAR(angle, 69.89, k ? 0.1 : 0.02);
        CHECK(data->qvel[0] == 0);
        mj_deleteData(data);
        mj_deleteModel(model);
    }
}

/* ---- contacts ---- */

static const char brakes[] = "<config key='yaml' value='{stiction: 1, joints: {\"*\": {law: "
                             "stribeck, static_torque: 300, coulomb_torque: 250, "
                             "stribeck_velocity: 0.1, stiffness: 1e5, damping: 1000}}}'/>";

static double largest(const mjtNum *numbers, int from, int end) {
    double most = 0;
    for (int k = from; k < end; k++) most = fmax(most, fabs(numbers[k]));
    return most;
}

TEST(the_humanoid_stands_on_its_brakes) {
    mjModel *model = humanoid("timestep='0.005'", "", element(brakes));
    mjData *data = mj_makeData(model);
    while (data->time < 2) step(model, data);
    const double height = data->qpos[2];
    double speed = 0;
    while (data->time < 10) {
        step(model, data);
        speed = fmax(speed, largest(data->qvel, 6, model->nv));
    }
    printf("humanoid of %d joints at 5 ms: %d contacts, sinks %.2g m, joints move at %.2g rad/s\n",
           (int)model->njnt - 1, data->ncon, height - data->qpos[2], speed);
    CHECK(data->ncon >= 4);
    CHECK_NEAR(data->qpos[2], height, 1e-3);
    CHECK(speed < 1e-12);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* ---- mjData ---- */

TEST(copies_of_the_data_continue_with_the_same_bits) {
    mjModel *model = model_of(two_joints("auto"));
    mjData *data = mj_makeData(model), *copy = mj_makeData(model);
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < 37; i++) {
            data->ctrl[0] = sin(7 * data->time);
            /* steps of both kinds may follow each other */
            if (k % 2)
                step(model, data);
            else
                mj_step(model, data);
        }
        mj_copyData(copy, model, data);
        for (int i = 0; i < ROUNDS(1000); i++) {
            data->ctrl[0] = copy->ctrl[0] = sin(7 * data->time);
            step(model, data);
            step(model, copy);
        }
        CHECK(memcmp(data->qpos, copy->qpos, (size_t)model->nq * sizeof *data->qpos) == 0);
        CHECK(memcmp(data->plugin_state, copy->plugin_state,
                     (size_t)model->npluginstate * sizeof *data->plugin_state) == 0);
    }
    CHECK(data->qpos[1] != 0);
    mj_deleteData(copy);
    mj_deleteData(data);
    mj_deleteModel(model);
}

TEST(sensors_and_forces_are_those_of_the_step) {
    mjModel *model = model_of(two_joints("auto"));
    mjData *data = mj_makeData(model);
    double heat = 0;
    for (int k = 0; k < 4000; k++) {
        data->ctrl[0] = sin(7 * data->time);
        step(model, data);
        CHECK_NEAR(sensor(model, data, "torque"), -data->qfrc_passive[1], 0);
        CHECK(sensor(model, data, "heat") >= heat - 1e-12);
        heat = sensor(model, data, "heat");
    }
    CHECK(heat > 0);
    CHECK_NEAR(data->time, 4, 1e-9);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* ---- changes ---- */

static stiction_joint_def wrist_def(void) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "stribeck";
    def.static_torque = 2.5;
    def.coulomb_torque = 0.4;
    def.stribeck_velocity = 0.06;
    def.viscous = 4.5;
    def.stiffness = 5000;
    def.damping = 50;
    return def;
}

static void plain_step(const mjModel *model, mjData *data) {
    mj_step(model, data);
}

/* newton #4255: brakes are released and set while a simulation runs. */
TEST(friction_changes_while_a_simulation_runs) {
    for (int together = 0; together < 2; together++) {
        stiction_error error;
        stiction_joint_def def = stiction_joint_def_default();
        mjModel *model = model_of(wrist("timestep='0.001'"));
        mjData *data = mj_makeData(model), *copy = mj_makeData(model);
        void (*const next)(const mjModel *, mjData *) = together ? step : plain_step;
        while (data->time < 4) {
            data->qfrc_applied[0] = 2 * fmin(data->time / 2, 1);
            next(model, data);
        }
        CHECK(fabs(data->qvel[0]) < 1e-12);
        CHECK(stiction_mujoco_joint(model, data, "RWRR", &def, &error) == STICTION_OK);
        CHECK_NEAR(def.static_torque, 2.5, 0);
        def.static_torque = 1;
        CHECK(stiction_mujoco_set_joint(model, data, "RWRR", &def, &error) == STICTION_OK);
        mj_copyData(copy, model, data);
        while (data->time < 5) next(model, data);
        while (copy->time < 5) next(model, copy);
        CHECK(data->qpos[0] > 0.01); /* 2 N m are more than it holds now */
        CHECK_SAME(copy->qpos[0], data->qpos[0]);
        def = wrist_def();
        def.static_torque = 10;
        def.stribeck_velocity = 0.6;
        CHECK(stiction_mujoco_set_joint(model, data, "RWRR", &def, &error) == STICTION_OK);
        while (data->time < 12) {
            data->qfrc_applied[0] = 5 * fmin(fmax(data->time - 8, 0) / 2, 1);
            next(model, data);
        }
        CHECK(fabs(data->qvel[0]) < 1e-12); /* and now 5 N m are less */
        CHECK_REFUSED(stiction_mujoco_set_joint(model, data, "RWRP", &def, &error),
                      STICTION_INVALID_ARGUMENT, error, "there is no joint 'RWRP'");
        def.static_torque = -1;
        CHECK(stiction_mujoco_set_joint(model, data, "RWRR", &def, &error) != STICTION_OK);
        mj_deleteData(copy);
        mj_deleteData(data);
        mj_deleteModel(model);
    }
}

/* ---- errors ---- */

static void check_refused(const char *xml, const char *part) {
    stiction_error error;
    mjModel *model = model_of(xml);
    mjData *data = mj_makeData(model);
    CHECK(stiction_mujoco_step(model, data, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, part);
    CHECK(data->time == 0);
    mj_deleteData(data);
    mj_deleteModel(model);
}

TEST(what_cannot_be_solved_together_is_an_error) {
    stiction_error error;
    check_refused(xml_of((one_joint){.body = ""}), "no element of stiction.friction");
    check_refused(wrist("integrator='RK4'"), "the integrator is RK4");
    check_refused(
        xml_of((one_joint){.body = element("<config key='law' value='lugre'/>"
                                           "<config key='static_torque' value='2.5'/>"
                                           "<config key='coulomb_torque' value='0.4'/>"
                                           "<config key='stribeck_velocity' value='0.06'/>"
                                           "<config key='stribeck_exponent' value='2'/>"
                                           "<config key='viscous' value='4.5'/>"
                                           "<config key='stiffness' value='500'/>"
                                           "<config key='damping' value='5'/>")}),
        "law lugre has no potential");
    CHECK_REFUSED(stiction_mujoco_step(NULL, NULL, &error), STICTION_INVALID_ARGUMENT, error,
                  "NULL");
}
