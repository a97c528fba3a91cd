/* SPDX-License-Identifier: MIT
 * stiction bench, part drives: what load, temperature, ripple, lag and presliding add to the step
 * of a joint, compared with the same law without them and with E, one exp of libm.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_joints.h"
#include "bench_rivals.h"
#include "common/command.h"
#include "drives.h"

/* What a row adds to the wrist's friction. */
enum {
    LOAD = 1,
    SHIFT = 2,       /* a load of which only the law is timed, with levels that are there */
    STATIC_LOAD = 4, /* both levels follow the load */
    LAG = 8,
    RIPPLE = 16,
    TEMPERATURE = 32,
    PRESLIDING = 64,
    REVERSE = 128,
    ALL = STATIC_LOAD | LAG | RIPPLE | TEMPERATURE | PRESLIDING | REVERSE
};

/* The rows of a law follow its plain one. */
static const struct {
    const char *name;
    char law;
    int more;
    double alpha, p; /* exponents */
} rows[] = {
    {"Stribeck", 's', 0, 1, 1},
    {"Stribeck, a shift", 's', SHIFT, 1, 1},
    {"Stribeck, load: torques to a shift", 's', LOAD, 1, 1},
    {"Stribeck, lag", 's', LAG, 1, 1},
    {"Stribeck, load at rest (both levels)", 's', STATIC_LOAD, 1, 1},
    {"Stribeck, ripple", 's', RIPPLE, 1, 1},
    {"Stribeck, temperature", 's', TEMPERATURE, 1, 1},
    {"Stribeck, presliding of 3", 's', PRESLIDING, 1, 1},
    {"Stribeck, all of it", 's', ALL, 1, 1},
    {"rational", 'r', 0, 1, 1},
    {"rational, a shift", 'r', SHIFT, 1, 1},
    {"rational, load: torques to a shift", 'r', LOAD, 1, 1},
    {"rational, load at rest (both levels)", 'r', STATIC_LOAD, 1, 1},
    {"rational, all of it", 'r', ALL, 1, 1},
    {"Coulomb", 'c', 0, 1, 1},
    {"Coulomb, a shift", 'c', SHIFT, 1, 1},
    {"Coulomb, load: torques to a shift", 'c', LOAD, 1, 1},
    {"Stribeck, alpha 1.5", 's', 0, 1.5, 1},
    {"Stribeck, alpha 1.5, load", 's', LOAD, 1.5, 1},
    {"Stribeck, alpha 1.5, load at rest", 's', STATIC_LOAD, 1.5, 1},
    {"Stribeck, p 1.5", 's', 0, 1, 1.5},
    {"Stribeck, p 1.5, load at rest", 's', STATIC_LOAD, 1, 1.5},
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
    const int more = rows[row].more;
    if (rows[row].alpha != 1) def.stribeck_exponent = rows[row].alpha;
    if (rows[row].p != 1) def.viscous_exponent = rows[row].p;
    if (more & (LOAD | SHIFT | STATIC_LOAD)) {
        def.load_motor = 0.2;
        def.load_external = 0.1;
    }
    if (more & STATIC_LOAD) {
        def.load_motor_static = 0.05;
        def.load_limit = 5;
    }
    if (more & LAG) def.lag = 0.01;
    if (more & RIPPLE) {
        def.ripple = 0.1;
        def.ripple_count = 2;
    }
    if (more & TEMPERATURE) {
        def.temperature_level = -0.002;
        def.temperature_viscous = 0.01;
        def.thermal_resistance = 4;
        def.thermal_time = 600;
    }
    for (int k = 0; more & PRESLIDING && k < 3; k++) {
        def.presliding_torque[k] = 0.05;
        def.presliding_stiffness[k] = 1000;
    }
    if (more & REVERSE) def.reverse_factor = 1.1;
    def.damping = 400; /* legal for all of them */
    return def;
}

static swing *swing_create(size_t row) {
    swing *s = allocate(1, sizeof *s);
    const stiction_joint_def def = def_of(row);
    const char *name = "joint";
    stiction_config *config = must_have(stiction_config_create());
    stiction_model_def model = stiction_model_def_default();
    model.timestep = bench_timestep;
    bench_must(stiction_config_add_joint(config, name, &def, NULL));
    bench_must(stiction_model_create(config, &name, 1, &model, &s->model, NULL));
    stiction_config_destroy(config);
    bench_must(stiction_batch_create(s->model, joints, NULL, &s->batch, NULL));
    bench_must(stiction_joint_init(&s->joint, name, &def, bench_timestep, NULL));
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

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    (void)project, (void)error;
    enum { runner_count = 2 * row_count + 1 };
    static bench_runner runners[runner_count];
    swing *swings[row_count];
    static bench_calls calls;
    for (size_t k = 0; k < row_count; k++) {
        swings[k] = swing_create(k);
        runners[2 * k] = (bench_runner){.run = rows[k].more == SHIFT ? run_shifts : run_singly,
                                        .context = swings[k],
                                        .steps = (size_t)steps * joints};
        runners[2 * k + 1] =
            (bench_runner){.run = run_batch, .context = swings[k], .steps = (size_t)steps * joints};
    }
    runners[runner_count - 1] = bench_calls_of(&calls, exp, bench_minus_sigma);
    bench_race(request, runners, runner_count);
    const double E = runners[runner_count - 1].best;
    double plain = 0, plain_batch = 0;
    for (size_t k = 0; k < row_count; k++) {
        const double single = runners[2 * k].best;
        const double batch = runners[2 * k + 1].best;
        if (!rows[k].more) plain = single, plain_batch = batch;
        table_text(t, rows[k].name);
        table_number(t, 1e9 * single);
        table_number(t, single / E);
        table_number(t, 1e9 * (single - plain));
        table_number(t, single / plain);
        table_number(t, 1e9 * batch);
        table_number(t, batch / plain_batch);
        swing_destroy(swings[k]);
    }
    return true;
}

const bench_part bench_drives = {
    .name = "drives",
    .only_if_named = true,
    BENCH_COLUMNS(columns),
    .measure = measure,
};
