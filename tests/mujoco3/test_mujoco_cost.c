/* SPDX-License-Identifier: MIT
 * What the plugin costs on a humanoid of 53 joints that stands on the floor, in parts of a step of
 * MuJoCo without friction; `ctest -R mujoco_cost -V` prints it.
 */
#include <time.h>

#include "models.h"

static double seconds_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of a call: the fastest of many short runs, which other programs disturb least. */
static double time_of(void (*call)(const mjModel *, mjData *), const mjModel *model, mjData *data) {
    enum { calls = 20 };
    double best = 1;
    for (int round = 0; round < 100; round++) {
        const double start = seconds_now();
        for (int i = 0; i < calls; i++) call(model, data);
        best = fmin(best, (seconds_now() - start) / calls);
    }
    return best;
}

/* In the states of a run, in which friction costs what the passive forces take longer for it.
 * Returns its part of mj_forward without it, which is nearly all of a step. */
static double part_of_friction(const char *coupling, bool moving) {
    mjModel *model = humanoid(
        "timestep='0.001'", "armature='0.5'",
        element(text("<config key='yaml' value='{stiction: 1, coupling: %s, joints: {\"*\": {law: "
                     "stribeck, static_torque: 30, coulomb_torque: 29, stribeck_velocity: 0.1, "
                     "stiffness: 2000, damping: 20}}}'/>",
                     coupling)));
    mjModel without = *model;
    without.nplugin = 0;
    mjData *data = mj_makeData(model);
    double friction = 0, step = 0;
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 100; i++) {
            for (int dof = 6; moving && dof < model->nv; dof++)
                data->qfrc_applied[dof] = 45 * sin(0.1 * dof + 10 * data->time);
            mj_step(model, data);
        }
        friction += time_of(mj_passive, model, data) - time_of(mj_passive, &without, data);
        step += time_of(mj_forward, &without, data);
    }
    const double part = friction / step;
    printf("%s, %s: friction %.1f us, a step without it %.1f us: %.1f %%\n", coupling,
           moving ? "all joints slip" : "standing on its friction", 1e6 * friction / 5,
           1e6 * step / 5, 100 * part);
    CHECK(model->njnt == 54);
    mj_deleteData(data);
    mj_deleteModel(model);
    return part;
}

/* With room for machines that are busy: a test must not depend on their speed. */
TEST(the_plugin_costs_a_part_of_a_step) {
    CHECK(part_of_friction("explicit", false) < 2 * 0.05);
    CHECK(part_of_friction("implicit", false) < 2 * 0.6);
    CHECK(part_of_friction("explicit", true) < 2 * 0.05);
    CHECK(part_of_friction("implicit", true) < 2 * 0.6);
}
