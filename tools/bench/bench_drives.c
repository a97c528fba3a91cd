/* SPDX-License-Identifier: MIT
 * stiction bench, part drives: what load, temperature, ripple, lag and presliding add to the step
 * of a joint, beside the same law without them and beside E, one exp of libm; all in one race.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_joints.h"
#include "bench_rivals.h"
#include "common/command.h"
#include "drives.h"

/* What a row makes of the wrist's friction. */
typedef void (*change)(stiction_joint_def *def);

static void nothing(stiction_joint_def *def) {
    (void)def;
}

static void load(stiction_joint_def *def) {
    def->load_motor = 0.2;
    def->load_external = 0.1;
}

/* The same where the levels are there: what is timed is the law with them. */
static void shift(stiction_joint_def *def) {
    load(def);
}

static void lag(stiction_joint_def *def) {
    def->lag = 0.01;
}

static void static_load(stiction_joint_def *def) {
    load(def);
    def->load_motor_static = 0.05;
    def->load_limit = 5;
}

static void ripple(stiction_joint_def *def) {
    def->ripple = 0.1;
    def->ripple_count = 2;
}

static void temperature(stiction_joint_def *def) {
    def->temperature_level = -0.002;
    def->temperature_viscous = 0.01;
    def->thermal_resistance = 4;
    def->thermal_time = 600;
}

static void presliding(stiction_joint_def *def) {
    for (int k = 0; k < 3; k++) {
        def->presliding_torque[k] = 0.05;
        def->presliding_stiffness[k] = 1000;
    }
}

static void all(stiction_joint_def *def) {
    static_load(def);
    lag(def);
    ripple(def);
    temperature(def);
    presliding(def);
    def->reverse_factor = 1.1;
}

static void exponent(stiction_joint_def *def) {
    def->stribeck_exponent = 1.5;
}

static void exponent_load(stiction_joint_def *def) {
    exponent(def);
    load(def);
}

static void exponent_levels(stiction_joint_def *def) {
    exponent(def);
    static_load(def);
}

static void power(stiction_joint_def *def) {
    def->viscous_exponent = 1.5;
}

static void power_levels(stiction_joint_def *def) {
    power(def);
    static_load(def);
}

/* The rows of a law follow its plain one. */
static const struct {
    const char *name;
    char law;
    change plain, more;
} rows[] = {
    {"Stribeck", 's', nothing, nothing},
    {"Stribeck, a shift", 's', nothing, shift},
    {"Stribeck, load: torques to a shift", 's', nothing, load},
    {"Stribeck, lag", 's', nothing, lag},
    {"Stribeck, load at rest (both levels)", 's', nothing, static_load},
    {"Stribeck, ripple", 's', nothing, ripple},
    {"Stribeck, temperature", 's', nothing, temperature},
    {"Stribeck, presliding of 3", 's', nothing, presliding},
    {"Stribeck, all of it", 's', nothing, all},
    {"rational", 'r', nothing, nothing},
    {"rational, a shift", 'r', nothing, shift},
    {"rational, load: torques to a shift", 'r', nothing, load},
    {"rational, load at rest (both levels)", 'r', nothing, static_load},
    {"rational, all of it", 'r', nothing, all},
    {"Coulomb", 'c', nothing, nothing},
    {"Coulomb, a shift", 'c', nothing, shift},
    {"Coulomb, load: torques to a shift", 'c', nothing, load},
    {"Stribeck, alpha 1.5", 's', exponent, nothing},
    {"Stribeck, alpha 1.5, load", 's', exponent, exponent_load},
    {"Stribeck, alpha 1.5, load at rest", 's', exponent, exponent_levels},
    {"Stribeck, p 1.5", 's', power, nothing},
    {"Stribeck, p 1.5, load at rest", 's', power, power_levels},
};
enum { row_count = sizeof rows / sizeof rows[0], joints = 64, steps = 200 };

/* Joints of one friction that swing, one by one and as a batch. */
typedef struct swing {
    stiction_model *model;
    joint joint;
    double velocity[steps][joints], position[joints], effort[joints], external[joints];
    double torque[joints], deflection[joints];
    stiction_drive_memory memories[joints];
    stiction_batch *batch;
    size_t step;
} swing;

static stiction_joint_def def_of(size_t row) {
    stiction_joint_def def = bench_joint_def(rows[row].law, 1);
    rows[row].plain(&def);
    rows[row].more(&def);
    def.damping = 400; /* legal for all of them */
    return def;
}

static swing *swing_create(size_t row) {
    swing *s = allocate(1, sizeof *s);
    const stiction_joint_def def = def_of(row);
    const char *name = "joint";
    stiction_error error;
    stiction_config *config = stiction_config_create();
    stiction_model_def model = stiction_model_def_default();
    if (!config) need_memory();
    model.timestep = bench_timestep;
    bench_must(stiction_config_add_joint(config, name, &def, &error), &error);
    bench_must(stiction_model_create(config, &name, 1, &model, &s->model, &error), &error);
    stiction_config_destroy(config);
    bench_must(stiction_batch_create(s->model, joints, NULL, &s->batch, &error), &error);
    bench_must(stiction_joint_init(&s->joint, name, &def, bench_timestep, &error), &error);
    for (size_t k = 0; k < joints; k++) {
        s->position[k] = 3 * bench_spread(k, 0);
        s->effort[k] = 2 * bench_spread(k, 1) - 1;
        s->external[k] = 2 * bench_spread(k, 2) - 1;
        for (size_t n = 0; n < steps; n++)
            s->velocity[n][k] =
                0.3 * sin(6.283185307179586 * ((double)n / steps + bench_spread(k, 3)));
    }
    return s;
}

static void swing_destroy(swing *s) {
    stiction_batch_destroy(s->batch);
    stiction_model_destroy(s->model);
    free(s);
}

/* The law with levels that are there. */
static void run_shifts(void *context) {
    swing *s = context;
    const stiction_drive *d = &s->joint.model.drive;
    for (size_t n = 0; n < steps; n++)
        for (size_t k = 0; k < joints; k++)
            s->torque[k] = d->step_levelled(&d->element.c, &d->change,
                                            d->base.coulomb + s->external[k] / 4, d->base.falling,
                                            d->base.viscous, s->velocity[n][k], &s->deflection[k]);
}

/* The step of the law, or of the drive around it. */
static void run_singly(void *context) {
    swing *s = context;
    const joint *j = &s->joint;
    for (size_t n = 0; n < steps; n++)
        for (size_t k = 0; k < joints; k++) {
            const double u = s->velocity[n][k];
            if (j->is_drive) {
                const stiction_drive_input in = {s->position[k], s->effort[k], s->external[k],
                                                 (double)NAN};
                const stiction_drive *d = &j->model.drive;
                s->torque[k] = d->step(d, &in, u, &s->deflection[k], &s->memories[k]);
            } else {
                s->torque[k] = stiction_element_c_step_1(&j->model.element, u, &s->deflection[k]);
            }
        }
}

static void run_batch(void *context) {
    swing *s = context;
    stiction_input in = stiction_input_default();
    in.timestep = bench_timestep;
    in.position = s->position;
    in.effort = s->effort;
    in.external_torque = s->external;
    for (size_t n = 0; n < steps; n++) {
        in.velocity = s->velocity[n];
        (void)stiction_step_batch_full(s->batch, &in, s->torque, NULL);
    }
}

static const table_column columns[] = {
    {"row", "a step of a joint", 0},   {"best_ns", "best (ns)", 3},
    {"exps", "best (E)", 3},           {"more_ns", "more than plain (ns)", 3},
    {"times", "times plain", 3},       {"batch_ns", "in a batch (ns)", 3},
    {"batch_times", "times plain", 3},
};

static bool measure(const bench_request *request, table *t) {
    enum { runner_count = 2 * row_count + 1 };
    static bench_runner runners[runner_count];
    swing *swings[row_count];
    static bench_calls calls;
    calls.function = exp;
    for (size_t k = 0; k < bench_argument_count; k++) calls.arguments[k] = bench_minus_sigma(k);
    for (size_t k = 0; k < row_count; k++) {
        swings[k] = swing_create(k);
        runners[2 * k] = (bench_runner){.run = rows[k].more == shift ? run_shifts : run_singly,
                                        .context = swings[k],
                                        .steps = (size_t)steps * joints};
        runners[2 * k + 1] =
            (bench_runner){.run = run_batch, .context = swings[k], .steps = (size_t)steps * joints};
    }
    runners[runner_count - 1] =
        (bench_runner){.run = bench_calls_run, .context = &calls, .steps = bench_argument_count};
    bench_race(request, runners, runner_count);
    const double E = bench_best(runners[runner_count - 1].times, request->repeat);
    double plain = 0, plain_batch = 0;
    for (size_t k = 0; k < row_count; k++) {
        const double single = bench_best(runners[2 * k].times, request->repeat);
        const double batch = bench_best(runners[2 * k + 1].times, request->repeat);
        if (rows[k].more == nothing) plain = single, plain_batch = batch;
        table_text(t, rows[k].name);
        table_number(t, 1e9 * single);
        table_number(t, single / E);
        table_number(t, 1e9 * (single - plain));
        table_number(t, single / plain);
        table_number(t, 1e9 * batch);
        table_number(t, batch / plain_batch);
        swing_destroy(swings[k]);
    }
    for (size_t k = 0; k < runner_count; k++) free(runners[k].times);
    return true;
}

const bench_part bench_drives = {
    .name = "drives",
    .only_if_named = true,
    .columns = columns,
    .column_count = sizeof columns / sizeof columns[0],
    .measure = measure,
};
