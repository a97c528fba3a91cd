/* SPDX-License-Identifier: MIT
 * What the plugin costs on a humanoid of 53 joints that stands on the floor, in parts of a step of
 * MuJoCo without friction; `ctest -R mujoco_cost -V` prints it.
 */
#include <time.h>

#include "models.h"

typedef struct xml_text {
    char *text;
    size_t used;
} xml_text;

enum { TEXT_SIZE = 100000 };

__attribute__((format(printf, 2, 3))) static void add(xml_text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsnprintf(t->text + t->used, TEXT_SIZE - t->used, format, arguments);
    va_end(arguments);
    if (t->used >= TEXT_SIZE) abort();
}

/* A chain of links along a direction, each turning about another axis; what follows is inside. */
static void add_chain(xml_text *t, const char *name, int count, const char *place, double length,
                      double thick, const char *joint) {
    static const char *const axes[] = {"0 1 0", "1 0 0", "0 0 1"};
    for (int k = 0; k < count; k++) {
        if (k)
            add(t, "<body pos='0 0 %g'>", -length);
        else
            add(t, "<body pos='%s'>", place);
        add(t, "<joint name='%s%d' axis='%s' %s/>", name, k, axes[k % 3], joint);
        add(t,
            "<geom type='capsule' size='%g' fromto='0 0 0 0 0 %g' contype='0' conaffinity='%d'/>",
            thick, -length, k == count - 1);
    }
    for (int k = 0; k < count; k++) add(t, "</body>");
}

/* 2 legs of 6, 2 arms of 7, 2 hands of 12, a waist and a neck of 2. */
static mjModel *humanoid(const char *joint, const char *plugin) {
    xml_text t = {.text = calloc(1, TEXT_SIZE)};
    add(&t, "<mujoco><option timestep='0.001'/><extension>%s</extension><worldbody>", all_plugins);
    add(&t, "<geom type='plane' size='3 3 0.1' contype='1'/>");
    add(&t,
        "<body pos='0 0 0.97'><freejoint/><geom type='box' size='0.1 0.15 0.1' mass='10' "
        "contype='0' conaffinity='0'/>%s",
        plugin);
    add_chain(&t, "LLEG", 6, "0 0.1 -0.1", 0.14, 0.05, joint);
    add_chain(&t, "RLEG", 6, "0 -0.1 -0.1", 0.14, 0.05, joint);
    add_chain(&t, "WAIST", 1, "0 0 0.3", 0.1, 0.08, joint);
    add_chain(&t, "NECK", 2, "0 0 0.6", 0.05, 0.04, joint);
    add_chain(&t, "LARM", 7, "0 0.25 0.5", 0.1, 0.03, joint);
    add_chain(&t, "RARM", 7, "0 -0.25 0.5", 0.1, 0.03, joint);
    for (int k = 0; k < 8; k++)
        add_chain(&t, text("HAND%d", k), 3, text("0 %g 0.2", 0.01 * k), 0.02, 0.008, joint);
    add(&t, "</body></worldbody></mujoco>");
    mjModel *model = model_of(t.text);
    free(t.text);
    return model;
}

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
        "armature='0.5'",
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
    CHECK(part_of_friction("explicit", true) < 2 * 0.1);
    CHECK(part_of_friction("implicit", true) < 2 * 2.5);
}
