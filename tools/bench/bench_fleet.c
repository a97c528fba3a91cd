/* SPDX-License-Identifier: MIT
 * stiction bench, part fleet: what a fleet of simulated robots takes: 4096 of 37 joints at 1 kHz
 * against the time that they simulate, a configuration of 1,000 joints, and the memory of a joint.
 */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_joints.h"
#include "common/command.h"
#include "document/memory_stream.h"

/* HRP-5P has 37 joints. */
enum { robots = 4096, robot_joints = 37, configured_joints = 1000, measured_joints = 100000 };

static const table_column columns[] = {
    {"row", "what", 0},
    {"best", NULL, 4},
    {"median", NULL, 4},
    {"unit", NULL, 0},
};

/* `reciprocal`: of times, how often one goes into the figure. */
static void add_times(table *t, const char *name, const bench_runner *r, double factor,
                      const char *unit, bool reciprocal) {
    table_text(t, name);
    table_number(t, reciprocal ? factor / r->best : factor * r->best);
    table_number(t, reciprocal ? factor / r->median : factor * r->median);
    table_text(t, unit);
}

/* ---- real time ---- */

static const struct {
    const char *name;
    size_t threads;
    bool environment_major;
} fleets[] = {
    {"4096 robots of 37 joints at 1 kHz, 1 thread", 1, false},
    {"the same, 2 threads", 2, false},
    {"the same, 1 thread, robot by robot", 1, true},
    {"the same, 2 threads, robot by robot", 2, true},
};
enum { fleet_count = sizeof fleets / sizeof fleets[0] };

static void race_fleets(const bench_request *request, table *t) {
    bench_runner runners[fleet_count];
    bench_batch *batches[fleet_count];
    for (size_t k = 0; k < fleet_count; k++) {
        batches[k] = bench_batch_create(
            &(bench_batch_def){.laws = "s",
                               .joints = robot_joints,
                               .environments = request->quick ? 64 : robots,
                               .threads = fleets[k].threads,
                               .environment_major = fleets[k].environment_major});
        runners[k] = (bench_runner){.run = bench_batch_run, .context = batches[k], .steps = 1};
    }
    bench_race(request, runners, fleet_count);
    for (size_t k = 0; k < fleet_count; k++) {
        add_times(t, fleets[k].name, &runners[k], bench_timestep, "times faster than real time",
                  true);
        bench_batch_destroy(batches[k]);
    }
}

/* ---- configuration ---- */

typedef struct loading {
    char *text;
    size_t size;
    char *names[configured_joints];
} loading;

/* A profile, and one line per joint with its own parameter. */
static void write_configuration(loading *l) {
    FILE *out = must_have(stiction_memory_stream(&l->text, &l->size));
    fputs("stiction: 1\ntimestep: 0.001\nprofiles:\n  wrist:\n    law: stribeck\n"
          "    static_torque: 2.5\n    coulomb_torque: 0.4\n    stribeck_velocity: 0.06\n"
          "    viscous: 4.5\n    stiffness: 5000\n    damping: 50\njoints:\n",
          out);
    for (size_t k = 0; k < configured_joints; k++) {
        l->names[k] = format_text("JOINT%zu", k);
        fprintf(out, "  %s: { profile: wrist, static_torque: %.3f }\n", l->names[k],
                2 + bench_spread(k, 0) / 2);
    }
    if (fclose(out) != 0) bench_must(STICTION_OUT_OF_MEMORY);
}

static void load(void *context) {
    const loading *l = context;
    stiction_config *config = NULL;
    stiction_model *model = NULL;
    bench_must(stiction_config_parse(l->text, l->size, NULL, &config, NULL));
    bench_must(stiction_model_create(config, (const char *const *)l->names, configured_joints, NULL,
                                     &model, NULL));
    stiction_model_destroy(model);
    stiction_config_destroy(config);
}

static void time_loading(const bench_request *request, table *t) {
    loading l = {.text = NULL};
    write_configuration(&l);
    bench_runner runner = {.run = load, .context = &l, .steps = 1};
    bench_race(request, &runner, 1);
    add_times(t, "configuration of 1000 joints, text to model", &runner, 1e3, "ms", false);
    free(l.text);
    for (size_t k = 0; k < configured_joints; k++) free(l.names[k]);
}

/* ---- memory ---- */

static size_t bytes_in_use(void) {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

static void add_bytes(table *t, const char *name, size_t bytes, size_t joints) {
    table_text(t, name);
    if (bytes) { /* a sanitizer's malloc does not count */
        table_number(t, (double)bytes / (double)joints);
        table_number(t, (double)bytes / (double)joints);
    } else {
        table_empty(t);
        table_empty(t);
    }
    table_text(t, "bytes a joint");
}

static void measure_batch(table *t, const char *name, size_t joints, bool own_constants) {
    const size_t before = bytes_in_use();
    bench_batch *b = bench_batch_create(
        &(bench_batch_def){.laws = "s", .environments = joints, .own_constants = own_constants});
    /* the arrays are the caller's */
    bench_array_free(b->velocity);
    bench_array_free(b->torque);
    b->velocity = b->torque = NULL;
    add_bytes(t, name, bytes_in_use() - before, joints);
    bench_batch_destroy(b);
}

static void measure_state(table *t, size_t joints) {
    size_t before = bytes_in_use();
    stiction_model *model = bench_model_create("s", joints);
    const size_t of_model = bytes_in_use() - before;
    stiction_state *state = NULL;
    before = bytes_in_use();
    bench_must(stiction_state_create(model, &state, NULL));
    const size_t of_state = bytes_in_use() - before;
    add_bytes(t, "memory of a model", of_model, joints);
    add_bytes(t, "memory of a state", of_state, joints);
    stiction_state_destroy(state);
    stiction_model_destroy(model);
}

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    (void)project, (void)error;
    const size_t joints = request->quick ? 1000 : measured_joints;
    race_fleets(request, t);
    time_loading(request, t);
    measure_batch(t, "memory of a batch, constants shared", joints, false);
    measure_batch(t, "memory of a batch, own constants", joints, true);
    measure_state(t, joints / 100);
    return true;
}

const bench_part bench_fleet = {
    .name = "fleet",
    BENCH_COLUMNS(columns),
    .measure = measure,
};
