/* SPDX-License-Identifier: MIT
 * stiction bench, part vector: steps per second of many environments with friction
 * (stiction_vector_step), on one thread and on all, next to as many mjData of the same model
 * without friction that mj_step moves in the same threads. Both start from rest at the project's
 * start and get the same torques, drawn up to each joint's static friction and held for ten steps.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "common/command.h"
#include "common/folder.h"
#include "engine/engine_parts.h"
#include "mujoco_compile/fence.h"
#include "pool.h"

enum { held = 10, parts_per_thread = 16 };

/* Turns are short, so that some find all cores free. */
static const double turn = 0.002; /* s */

/* Environments on so many threads. */
typedef struct crew {
    size_t threads;
    stiction_vector *vector;
    pool *pool;
    mjData **data;                  /* of plain MuJoCo */
    double vector_best, plain_best; /* s */
} crew;

typedef struct contest {
    const char *project;
    size_t environments, steps;
    const world *world;
    double *torque; /* for one call: an entry per environment and joint */
    double *most;   /* an entry per joint */
    crew crews[2];  /* one thread, and all */
    stiction_error error;
    bool failed;
} contest;

static void draw_torques(contest *c, size_t call) {
    const size_t joints = c->world->joint_count, count = c->environments * joints;
    for (size_t k = 0; k < count; k++)
        c->torque[k] = c->most[k % joints] * (2 * bench_spread(k + call * count, 0) - 1);
}

/* ---- plain MuJoCo ---- */

typedef struct rollout {
    const contest *contest;
    const crew *crew;
    size_t part, parts;
} rollout;

/* For engine_run. */
static void step_share(void *context) {
    const rollout *r = context;
    const contest *c = r->contest;
    const world *w = c->world;
    const size_t n = c->environments;
    for (size_t e = n * r->part / r->parts; e < n * (r->part + 1) / r->parts; e++) {
        mjData *data = r->crew->data[e];
        for (size_t k = 0; k < w->joint_count; k++)
            data->qfrc_applied[w->joints[k].velocity] = c->torque[e * w->joint_count + k];
        for (size_t k = 0; k < held; k++) mj_step(w->model, data);
    }
}

static void step_part(void *context, size_t part) {
    rollout own = *(const rollout *)context;
    char message[ENGINE_MESSAGE];
    own.part = part;
    (void)engine_run(step_share, &own, NULL, NULL, message);
}

static void run_plain(contest *c, const crew *of) {
    const size_t parts = of->threads * parts_per_thread;
    rollout r = {
        .contest = c, .crew = of, .parts = parts < c->environments ? parts : c->environments};
    for (size_t done = 0; done < c->steps; done += held) {
        draw_torques(c, done / held);
        if (of->pool)
            stiction_pool_run(of->pool, step_part, &r, r.parts);
        else
            for (size_t part = 0; part < r.parts; part++) step_part(&r, part);
    }
}

/* ---- the race ---- */

static void run_vector(contest *c, const crew *of) {
    for (size_t done = 0; done < c->steps && !c->failed; done += held) {
        draw_torques(c, done / held);
        c->failed = stiction_vector_step(of->vector, c->torque, held, &c->error) != STICTION_OK;
    }
}

static void take_turn(contest *c, crew *of) {
    c->failed = c->failed || stiction_vector_reset(of->vector, &c->error) != STICTION_OK;
    for (size_t k = 0; k < c->environments; k++)
        mj_resetDataKeyframe(c->world->model, of->data[k], 0);
    double started = monotonic_seconds();
    run_vector(c, of);
    double time = monotonic_seconds() - started;
    of->vector_best = fmin(of->vector_best, time);
    started = monotonic_seconds();
    run_plain(c, of);
    time = monotonic_seconds() - started;
    of->plain_best = fmin(of->plain_best, time);
}

static void make_data(void *context) {
    contest *c = context;
    for (size_t n = 0; n < 2; n++)
        for (size_t k = 0; k < c->environments; k++)
            c->crews[n].data[k] = mj_makeData(c->world->model);
}

/* As many steps as take a turn on one thread. */
static void choose_steps(contest *c) {
    c->steps = held;
    take_turn(c, &c->crews[0]); /* it warms up */
    c->crews[0].vector_best = (double)INFINITY;
    take_turn(c, &c->crews[0]);
    c->steps = held * (size_t)fmin(fmax(turn / c->crews[0].vector_best, 1), 100);
    c->crews[0].vector_best = c->crews[0].plain_best = (double)INFINITY;
}

/* The caller works on the first core, the other threads on the rest: a busy machine may else put
 * all of them on one for seconds. */
static void keep_on_cores(size_t from, size_t to) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (size_t k = from; k < to; k++) CPU_SET(k, &cores);
    (void)sched_setaffinity(0, sizeof cores, &cores);
}

static bool make(contest *c, stiction_error *error) {
    const char *const none = "none";
    stiction_engine_def def = stiction_engine_def_default();
    def.controllers = &none;
    def.controller_count = 1;
    def.interval = (double)NAN;
    const size_t cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
    keep_on_cores(cores > 1, cores); /* which other threads inherit */
    for (size_t n = 0; n < 2; n++) {
        crew *of = &c->crews[n];
        *of = (crew){.threads = n == 0      ? 1
                                : cores > 1 ? cores
                                            : 2,
                     .vector_best = (double)INFINITY,
                     .plain_best = (double)INFINITY};
        of->data = allocate(c->environments, sizeof(mjData *));
        if (stiction_vector_create(c->project, &def, c->environments, of->threads, &of->vector,
                                   error) != STICTION_OK)
            return false;
        if (n > 0) of->pool = stiction_pool_create(of->threads);
        if (n > 0 && !of->pool) return fail(error, "no more threads are allowed");
    }
    keep_on_cores(0, 1);
    c->world =
        simulation_world(stiction_engine_simulation(stiction_vector_engine(c->crews[0].vector, 0)));
    c->torque = allocate(c->environments * c->world->joint_count, sizeof *c->torque);
    c->most = allocate(c->world->joint_count, sizeof *c->most);
    stiction_engine *first = stiction_vector_engine(c->crews[0].vector, 0);
    for (size_t k = 0; k < c->world->joint_count; k++) {
        const double holds = stiction_engine_parameter(first, k, "static_torque");
        c->most[k] = holds > 0 ? holds : 0.1;
    }
    char message[ENGINE_MESSAGE];
    return engine_run(make_data, c, NULL, NULL, message) || fail(error, "%s", message);
}

static void clean_up(contest *c) {
    for (size_t n = 0; n < 2; n++) {
        crew *of = &c->crews[n];
        for (size_t k = 0; of->data && k < c->environments; k++)
            if (of->data[k]) mj_deleteData(of->data[k]);
        free(of->data);
        stiction_pool_destroy(of->pool);
        stiction_vector_destroy(of->vector);
    }
    keep_on_cores(0, (size_t)sysconf(_SC_NPROCESSORS_ONLN));
    free(c->torque);
    free(c->most);
}

static const table_column columns[] = {
    {"project", NULL, 0},
    {"joints", NULL, 0},
    {"environments", NULL, 0},
    {"threads", NULL, 0},
    {"steps_per_second", "steps/s", 3},
    {"times_of_one_thread", "of 1 thread", 3},
    {"mujoco_steps_per_second", "plain MuJoCo, steps/s", 3},
    {"mujoco_times_of_one_thread", "of 1 thread", 3},
    {"time_of_mujoco", "time / plain MuJoCo", 3},
};

static void add_rows(const contest *c, table *t) {
    AUTO_FREE char *name = path_stem(c->project);
    const double steps = (double)(c->environments * c->steps);
    for (size_t n = 0; n < 2; n++) {
        const crew *of = &c->crews[n], *one = &c->crews[0];
        table_text(t, name);
        table_count(t, c->world->joint_count);
        table_count(t, c->environments);
        table_count(t, of->threads);
        table_number(t, steps / of->vector_best);
        table_number(t, one->vector_best / of->vector_best);
        table_number(t, steps / of->plain_best);
        table_number(t, one->plain_best / of->plain_best);
        table_number(t, of->vector_best / of->plain_best);
    }
}

static bool measure(const bench_request *request, const char *path, table *t,
                    stiction_error *error) {
    contest c = {.project = path, .environments = request->quick ? 4 : 16};
    bool fine = make(&c, error);
    if (fine) choose_steps(&c);
    for (size_t r = 0; fine && r < request->repeat && !c.failed; r++)
        for (size_t n = 0; n < 2; n++) take_turn(&c, &c.crews[n]);
    if (fine && c.failed) *error = c.error;
    fine = fine && !c.failed;
    if (fine) add_rows(&c, t);
    clean_up(&c);
    return fine;
}

const bench_part bench_vector = {
    .name = "vector",
    .needs_project = true,
    .only_if_named = true,
    BENCH_COLUMNS(columns),
    .measure = measure,
};
