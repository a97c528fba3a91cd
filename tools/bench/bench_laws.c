/* SPDX-License-Identifier: MIT
 * stiction bench, part laws: what a step of a joint with the friction of HRP-5P's wrist costs, in
 * a batch and alone, in ns and as a ratio to one exp of libm (E) in the same run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "common/command.h"
#include "joint_models/fast/variant.h"
#include "stiction/stiction.h"

static const double timestep = 0.001; /* s */

/* Half of a second-level cache of 512 KiB. */
enum { batch_size = 10752, robot_count = 64, swing_steps = 200, argument_count = 1024 };

/* ---- models; the friction is legal, so only memory can be missing ---- */

static void must(stiction_status status) {
    if (status != STICTION_OK) (void)must_have(NULL);
}

static stiction_model *make_model(const char *law, size_t joints) {
    const bool stribeck = strcmp(law, "stribeck") == 0;
    stiction_joint_def def = stiction_joint_def_default();
    def.law = law;
    def.static_torque = 2.5;
    def.coulomb_torque = stribeck ? 0.4 : 0.2;
    def.stribeck_velocity = stribeck ? 0.06 : 0.04;
    def.viscous = 4.5;
    def.stiffness = 5000;
    def.damping = 50;
    stiction_config *config = must_have(stiction_config_create());
    must(stiction_config_set_timestep(config, timestep, NULL));
    must(stiction_config_add_joint(config, "*", &def, NULL));
    AUTO_FREE char **names = allocate(joints, sizeof *names);
    for (size_t k = 0; k < joints; k++) names[k] = format_text("J%zu", k);
    stiction_model *model = NULL;
    must(stiction_model_create(config, (const char *const *)names, joints, NULL, &model, NULL));
    for (size_t k = 0; k < joints; k++) free(names[k]);
    stiction_config_destroy(config);
    return model;
}

/* ---- a batch: a quarter of the joints sticks, or all; the others slide ---- */

typedef struct batch {
    stiction_model *model;
    stiction_batch *of;
    double *velocity, *torque;
} batch;

/* For bench_race. */
static void step_batch(void *context) {
    const batch *b = context;
    (void)stiction_step_batch(b->of, timestep, b->velocity, b->torque, NULL);
}

static batch make_batch(const char *law, size_t environments, size_t threads, bool all_stick) {
    static const double held = 1.8e-4; /* rad: the most that all three laws hold */
    batch b = {.model = make_model(law, 1)};
    stiction_batch_def def = stiction_batch_def_default();
    def.threads = threads;
    must(stiction_batch_create(b.model, environments, &def, &b.of, NULL));
    AUTO_FREE double *deflection = allocate(environments, sizeof *deflection);
    b.velocity = allocate(environments, sizeof *b.velocity);
    b.torque = allocate(environments, sizeof *b.torque);
    for (size_t k = 0; k < environments; k++) {
        const bool sticks = all_stick || bench_spread(k, 4) < 0.25;
        const double speed = 0.003 * pow(1 / 0.003, bench_spread(k, 0)); /* rad/s, up to 1 */
        b.velocity[k] = sticks ? 0 : copysign(speed, bench_spread(k, 1) - 0.5);
        deflection[k] = held * (2 * bench_spread(k, 5) - 1);
    }
    must(stiction_batch_set_deflections(b.of, deflection, NULL));
    for (size_t k = 0; k < 30; k++) step_batch(&b); /* until the torques are steady */
    return b;
}

static void free_batch(const batch *b) {
    stiction_batch_destroy(b->of);
    stiction_model_destroy(b->model);
    free(b->velocity);
    free(b->torque);
}

/* ---- robots that step in turns; their joints swing, and stick where they turn ---- */

typedef struct robots {
    stiction_model *model;
    stiction_state *states[robot_count];
    size_t joints;
    double *velocity, *torque; /* of all joints of all robots, step after step; of one robot */
} robots;

static void step_robots(void *context) {
    const robots *r = context;
    const double *velocity = r->velocity;
    for (size_t step = 0; step < swing_steps; step++)
        for (size_t k = 0; k < robot_count; k++, velocity += r->joints)
            (void)stiction_step(r->states[k], timestep, velocity, r->torque, NULL);
}

static robots make_robots(const char *law, size_t joints) {
    robots r = {.model = make_model(law, joints), .joints = joints};
    const size_t all = robot_count * joints;
    for (size_t k = 0; k < robot_count; k++)
        must(stiction_state_create(r.model, &r.states[k], NULL));
    r.velocity = allocate(swing_steps * all, sizeof *r.velocity);
    r.torque = allocate(joints, sizeof *r.torque);
    for (size_t k = 0; k < swing_steps * all; k++) {
        /* one to three turns of 0.3 rad/s; every joint begins at another place */
        const size_t step = k / all, joint = k % all;
        const double turns = (double)(step * (1 + joint % 3)) / swing_steps;
        r.velocity[k] = 0.3 * sin(6.283185307179586 * (turns + bench_spread(joint, 6)));
    }
    return r;
}

static void free_robots(const robots *r) {
    for (size_t k = 0; k < robot_count; k++) stiction_state_destroy(r->states[k]);
    stiction_model_destroy(r->model);
    free(r->velocity);
    free(r->torque);
}

/* ---- E ---- */

static void call_exp(void *context) {
    double (*const volatile function)(double) = exp; /* not a vector of it */
    double *results = context;
    for (size_t k = 0; k < argument_count; k++) results[k] = function(-20 * bench_spread(k, 0));
}

bench_runner bench_exp(void) {
    static double results[argument_count];
    return (bench_runner){.run = call_exp, .context = results, .steps = argument_count};
}

/* ---- the part ---- */

static const struct {
    const char *name, *law;
    size_t batch, robot; /* joints of one of the two */
    size_t threads;
    bool all_stick;
} rows[] = {
    {"batch, Stribeck exact", "stribeck", batch_size, 0, 1, false},
    {"batch, Stribeck exact, all stick", "stribeck", batch_size, 0, 1, true},
    {"batch, Stribeck exact, two threads", "stribeck", batch_size, 0, 2, false},
    {"batch, rational", "rational", batch_size, 0, 1, false},
    {"batch, Coulomb-viscous", "coulomb", batch_size, 0, 1, false},
    {"12 joints, stiction_step", "stribeck", 0, 12, 1, false},
    {"one joint, Stribeck, stiction_step", "stribeck", 0, 1, 1, false},
    {"one joint, rational, stiction_step", "rational", 0, 1, 1, false},
    {"one joint, Coulomb-viscous, stiction_step", "coulomb", 0, 1, 1, false},
};
enum { row_count = sizeof rows / sizeof rows[0] };

static const table_column columns[] = {
    {"row", "a step of a joint", 0}, {"joints", "joints a call", 0}, {"best_ns", "best (ns)", 3},
    {"median_ns", "median (ns)", 3}, {"exps", "best (E)", 3},        {"set", "instructions", 0},
};

static void add_row(table *t, const char *name, size_t joints, const bench_runner *r, double E) {
    table_text(t, name);
    table_count(t, joints);
    table_number(t, 1e9 * r->best);
    table_number(t, 1e9 * r->median);
    table_number(t, r->best / E);
    table_text(t, stiction_variant_name(stiction_variant_best()));
}

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    (void)project, (void)error;
    batch batches[row_count];
    robots swinging[row_count];
    bench_runner runners[row_count + 1];
    for (size_t k = 0; k < row_count; k++) {
        if (rows[k].batch) {
            batches[k] = make_batch(rows[k].law, rows[k].batch, rows[k].threads, rows[k].all_stick);
            runners[k] =
                (bench_runner){.run = step_batch, .context = &batches[k], .steps = rows[k].batch};
        } else {
            swinging[k] = make_robots(rows[k].law, rows[k].robot);
            runners[k] = (bench_runner){.run = step_robots,
                                        .context = &swinging[k],
                                        .steps = robot_count * swing_steps * rows[k].robot};
        }
    }
    runners[row_count] = bench_exp();
    bench_race(request, runners, row_count + 1);
    const double E = runners[row_count].best;
    for (size_t k = 0; k < row_count; k++) {
        add_row(t, rows[k].name, rows[k].batch + rows[k].robot, &runners[k], E);
        if (rows[k].batch)
            free_batch(&batches[k]);
        else
            free_robots(&swinging[k]);
    }
    add_row(t, "E: exp, libm", 1, &runners[row_count], E);
    return true;
}

const bench_part bench_laws = {
    .name = "laws",
    BENCH_COLUMNS(columns),
    .measure = measure,
};
