/*
 * The sample wrist in MuJoCo: the body that Choreonoid reads, the controller that Choreonoid runs,
 * the friction of the same file. It must stop where the wrist stops in Choreonoid.
 */
#include "check.h"
#include "posture/posture_config.h"
#include "robot.h"
#include "stiction/stiction.h"

static const double T = 0.001, degree = 3.141592653589793 / 180;

typedef struct outcome {
    double angle, stop_time; /* deg, s */
} outcome;

/* The controller of wrist.cnoid for a robot of one joint. */
static posture *make_controller(const char *name, const char *options) {
    posture_joint_def joint = posture_joint_def_default();
    posture_def def = posture_def_default();
    posture_config *config = posture_config_create();
    posture *controller = NULL;
    stiction_error error;
    joint.name = name;
    if (posture_config_add_options(config, options, NULL, &error) != STICTION_OK ||
        posture_config_apply(config, &def, &joint, 1, &error) != STICTION_OK ||
        posture_create(&def, &controller, &error) != STICTION_OK)
        FAIL("%s", error.message);
    posture_config_destroy(config);
    return controller;
}

static stiction_model *make_friction(const char *name) {
    stiction_config *config = NULL;
    stiction_model *model = NULL;
    stiction_error error = {0};
    if (stiction_config_load("../config/wrist.yaml", &config, NULL) != STICTION_OK ||
        stiction_model_create(config, &name, 1, NULL, &model, &error) != STICTION_OK)
        FAIL("the friction does not load: %s", error.message);
    stiction_config_destroy(config);
    return model;
}

static outcome run(const char *options, double seconds) {
    stiction_error error;
    robot *wrist = robot_load("../sample_projects/wrist/wrist.body", NULL, &error);
    if (!wrist) FAIL("%s", error.message);
    const robot_joint *joint = robot_find_joint(wrist, "RWRR");
    mjData *data = mj_makeData(wrist->model);
    posture *controller = make_controller("RWRR", options);
    stiction_model *model = make_friction("RWRR");
    posture_state *posture_run = NULL;
    stiction_state *friction_run = NULL;
    CHECK(posture_state_create(controller, &posture_run, NULL) == STICTION_OK);
    CHECK(stiction_state_create(model, &friction_run, NULL) == STICTION_OK);
    wrist->model->opt.timestep = T;

    outcome o = {0, 0};
    for (int k = 0; k < (int)(seconds / T); k++) {
        double M, torque, friction;
        posture_input input = posture_input_default();
        posture_output output = posture_output_default();
        mj_forward(wrist->model, data);
        mj_fullM(wrist->model, &M, data->qM);
        input.t = data->time;
        input.dt = T;
        input.q = &data->qpos[joint->position];
        input.dq = &data->qvel[joint->velocity];
        input.M = &M;
        input.c = data->qfrc_bias;
        output.torque = &torque;
        (void)posture_step(posture_run, &input, &output);
        CHECK(stiction_step(friction_run, T, input.dq, &friction, NULL) == STICTION_OK);
        if (fabs(*input.dq) > 1e-3) o.stop_time = data->time;
        data->qfrc_applied[joint->velocity] = torque - friction;
        mj_step(wrist->model, data);
    }
    o.angle = data->qpos[joint->position] / degree;
    stiction_state_destroy(friction_run);
    stiction_model_destroy(model);
    posture_state_destroy(posture_run);
    posture_destroy(controller);
    mj_deleteData(data);
    robot_destroy(wrist);
    return o;
}

TEST(stops_where_choreonoid_stops) {
    /* tests/choreonoid/wrist.sh: 69.876846 deg, 2.768 s on AIST and ODE */
    const outcome o = run("kp=20 kv=2 lambda=0 target=RWRR:90", 6);
    printf("stops at %.6f deg after %.3f s\n", o.angle, o.stop_time);
    CHECK_NEAR(o.angle, 69.876846, 0.001); /* the same semi-implicit Euler */
    CHECK_NEAR(o.stop_time, 2.768, 0.0015);
}

TEST(holds_a_load_below_the_static_torque) {
    const outcome o = run("mode=torque shape=ramp from=0 target=2.4 duration=2", 62);
    CHECK_NEAR(o.angle * degree, 2.4 / 5000, 1e-9);
}
