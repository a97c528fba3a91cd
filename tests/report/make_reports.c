/* SPDX-License-Identifier: MIT
 * Runs as an engine leaves them, with their reports, for the tests that open the pages: the wrist
 * of Cisneros et al. that hunts about its target, a robot of 37 joints, names that would break a
 * page, and a sweep over them. It simulates a joint of one inertia; it is no engine.
 */
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "report/report.h"
#include "results/results.h"
#include "sweep/tables.h"

/* wrist.h is made for test programs, which have a main of their own */
#define main make_reports_unused_main
#include "../wrist.h"
#undef main

enum { most_joints = 37 };
static stiction_error error;

static const double T = 0.001, inertia = 0.1675, right_angle = 1.5707963267948966;

typedef struct scene {
    const char *name;
    const char *const *joints;
    size_t count;
    double seconds;
    double kp, lambda; /* gains of (50) and (51) */
    const char *law;
} scene;

/* One step of all joints; joint k is asked to go less far the larger k is. */
static void step(const scene *s, stiction_state *state, double time, results_sample *sample,
                 double *integral) {
    double *q = (double *)sample->position, *v = (double *)sample->velocity;
    double *command = (double *)sample->command;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = T;
    input.velocity = v;
    output.torque = (double *)sample->friction.torque;
    output.deflection = (double *)sample->friction.deflection;
    output.slipping = (unsigned char *)sample->friction.slipping;
    for (size_t k = 0; k < s->count; k++) {
        ((double *)sample->target)[k] = right_angle / (1 + (double)k);
        const double reference = s->kp * (sample->target[k] - q[k]) - 2 * v[k];
        integral[k] += T * reference;
        command[k] = inertia * (reference + s->lambda * (integral[k] - v[k]));
    }
    if (stiction_step_full(state, &input, &output, NULL) != STICTION_OK) FAIL("a step failed");
    for (size_t k = 0; k < s->count; k++) {
        v[k] += T / inertia * (command[k] - sample->friction.torque[k]);
        q[k] += T * v[k];
    }
    sample->time = time;
}

static results *simulate(const scene *s) {
    static double q[most_joints], v[most_joints], command[most_joints], target[most_joints],
        friction[most_joints], deflection[most_joints], energy[most_joints], integral[most_joints];
    static unsigned char slipping[most_joints];
    stiction_joint_def defs[most_joints];
    for (size_t k = 0; k < s->count; k++) {
        defs[k] = def_of_law(s->law);
        q[k] = v[k] = integral[k] = 0;
    }
    const results_def def = {.project = s->name,
                             .simulator = "a joint of one inertia",
                             .engine = "test",
                             .timestep = T,
                             .count = s->count,
                             .names = s->joints,
                             .friction = defs};
    results *r = results_create(&def);
    stiction_config *config = stiction_config_create();
    stiction_model *model = NULL;
    for (size_t k = 0; k < s->count; k++)
        (void)stiction_config_add_joint(config, s->joints[k], &defs[k], &error);
    stiction_model_def model_def = stiction_model_def_default();
    model_def.timestep = T;
    if (stiction_model_create(config, s->joints, s->count, &model_def, &model, &error) !=
        STICTION_OK)
        FAIL("%s", error.message);
    stiction_state *state = state_of(model);
    results_sample sample = {.position = q,
                             .velocity = v,
                             .command = command,
                             .target = target,
                             .friction.torque = friction,
                             .friction.deflection = deflection,
                             .friction.dissipated_energy = energy,
                             .friction.slipping = slipping};
    for (int k = 1; k <= (int)(s->seconds / T); k++) {
        step(s, state, k * T, &sample, integral);
        CHECK(results_add(r, &sample));
    }
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    return r;
}

/* A run in a folder of its own, with its report; its first joint's figures in `figures`. */
static void make_run(const char *root, const char *folder, const scene *s,
                     const char *const *figures, size_t figure_count, double *values) {
    AUTO_FREE char *path = format_text("%s/%s", root, folder);
    results *r = simulate(s);
    (void)mkdir(path, 0777);
    if (results_write(r, path, &error) != STICTION_OK) FAIL("%s", error.message);
    CHECK(report_write(path, path, &error));
    for (size_t k = 0; k < figure_count; k++) values[k] = results_figure(r, 0, figures[k]);
    results_destroy(r);
}

/* Twelve runs of the wrist, and one that failed. */
static void make_sweep(const char *root) {
    static const char *const joint = "RWRR";
    static char *projects[] = {"wrist.cnoid"}, *keys[] = {"controller.kp", "law"};
    static const char *const gains[] = {"10", "20", "40", "80", "-1"};
    static const char *const laws[] = {"stribeck", "rational", "coulomb"};
    static const char *const names[] = {"final_position", "stop_time", "stick_slip_events",
                                        "peak_torque"};
    static sweep_parameter parameters[2];
    static sweep_plan plan = {.projects = projects,
                              .project_count = 1,
                              .engine = "test",
                              .parameters = parameters,
                              .parameter_count = 2};
    static double values[12][4];
    static sweep_row rows[13];
    sweep_figure figures[4];
    for (size_t k = 0; k < 2; k++) parameters[k].key = keys[k];
    for (size_t k = 0; k < 4; k++)
        figures[k] = (sweep_figure){format_text("%s.%s", joint, names[k]), "RWRR",
                                    joint_figure_find(names[k]), false};
    AUTO_FREE char *folder = format_text("%s/runs", root);
    (void)mkdir(folder, 0777);
    for (size_t k = 0; k < 13; k++) {
        const char *const setting[] = {gains[k / 3], laws[k % 3]};
        rows[k] = (sweep_row){.run = sweep_plan_append(&plan, 0, setting),
                              .name = format_text("kp%s-%s", setting[0], setting[1]),
                              .failure = "wrist.cnoid:7:3: kp -1 is below 0 </td><script>"};
        if (k == 12) continue;
        const scene s = {.name = rows[k].name,
                         .joints = &joint,
                         .count = 1,
                         .seconds = 6,
                         .kp = strtod(setting[0], NULL),
                         .law = setting[1]};
        make_run(folder, rows[k].name, &s, names, 4, values[k]);
        rows[k].failure = NULL;
        rows[k].has_folder = true;
        rows[k].figures = values[k];
        rows[k].figure_count = 4;
    }
    const sweep_rows all = {.folder = root,
                            .plan = &plan,
                            .rows = rows,
                            .count = 13,
                            .failed = 1,
                            .figures = figures,
                            .figure_count = 4};
    CHECK(sweep_write_page(&all, root, &error));
}

/* The wrist under two laws, and a robot that has other joints. */
static void make_overlay(const char *root) {
    char *folders[] = {format_text("%s/runs/kp20-stribeck", root),
                       format_text("%s/runs/kp20-rational", root), format_text("%s/robot", root)};
    AUTO_FREE char *path = format_text("%s/overlay.html", root);
    CHECK(overlay_write((const char *const *)folders, 3, path, &error));
    for (size_t k = 0; k < 3; k++) free(folders[k]);
}

int main(int argc, char **argv) {
    static const char *const wrist = "RWRR";
    static const char *const evil[] = {"</script><script>document.title='broken'</script>",
                                       "\"quoted\" & 'single' <b>, comma", "\xE8\x82\x98 joint"};
    static char names[most_joints][16];
    static const char *many[most_joints];
    if (argc != 2) return 2;
    for (size_t k = 0; k < most_joints; k++) {
        (void)snprintf(names[k], sizeof names[k], "JOINT%02zu", k);
        many[k] = names[k];
    }
    const scene hunting = {"hunting.cnoid", &wrist, 1, 60, 20, 1, "stribeck"};
    const scene robot = {"robot.cnoid", many, most_joints, 10, 20, 1, "stribeck"};
    const scene nasty = {"</title><script>", evil, 3, 2, 20, 0, "lugre"};
    make_run(argv[1], "hunting", &hunting, NULL, 0, NULL);
    make_run(argv[1], "robot", &robot, NULL, 0, NULL);
    make_run(argv[1], "names", &nasty, NULL, 0, NULL);
    make_sweep(argv[1]);
    static const char *const runs[] = {"hunting", "robot", "names", "missing"};
    CHECK(report_index(argv[1], argv[1], runs, 4, &error));
    make_overlay(argv[1]);
    return check_failures != 0;
}
