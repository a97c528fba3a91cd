/* SPDX-License-Identifier: MIT
 * Many engines of one robot that step together in a few threads. They share the model; each has its
 * own state, friction, controllers and record, so that its bits do not depend on the others or on
 * the number of threads.
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/auto.h"
#include "engine_internal.h"
#include "mujoco_compile/fence.h"
#include "pool.h"

struct stiction_vector {
    size_t count, joints;
    stiction_engine **engines;
    engine_arrays arrays;
    void *memory;
    pool *pool; /* NULL: one thread */
    size_t parts;
    overrides overrides; /* of the definition */
    pthread_mutex_t mutex;
    size_t failed;        /* the first environment that failed in a call; count: none */
    stiction_error error; /* its error */
};

static stiction_status no_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
}

/* ---- work in threads ---- */

/* A function to be called for every environment. */
typedef struct task {
    stiction_vector *v;
    stiction_status (*run)(const struct task *t, size_t environment, stiction_error *error);
    const double *torque;
    size_t steps;
    const simulation_options *options;
    const char *path;
} task;

typedef struct share {
    const task *task;
    size_t part;
} share;

static void note_failure(stiction_vector *v, size_t environment, const stiction_error *error) {
    (void)pthread_mutex_lock(&v->mutex);
    if (environment < v->failed) {
        v->failed = environment;
        v->error = *error;
    }
    (void)pthread_mutex_unlock(&v->mutex);
}

/* For engine_run. */
static void run_share(void *context) {
    const share *s = context;
    stiction_vector *v = s->task->v;
    for (size_t k = v->count * s->part / v->parts; k < v->count * (s->part + 1) / v->parts; k++) {
        stiction_error error;
        if (s->task->run(s->task, k, &error) != STICTION_OK) note_failure(v, k, &error);
    }
}

/* For the pool. MuJoCo's handlers, which need a lock, are set once for all environments of a part.
 */
static void run_part(void *context, size_t part) {
    char message[ENGINE_MESSAGE];
    (void)engine_run(run_share, &(share){context, part}, NULL, NULL, message);
}

/* Every environment is tried; the error is that of the first one that failed. */
static stiction_status run_task(task *t, stiction_error *error) {
    stiction_vector *v = t->v;
    v->failed = v->count;
    if (v->pool)
        stiction_pool_run(v->pool, run_part, t, v->parts);
    else
        for (size_t part = 0; part < v->parts; part++) run_part(t, part);
    if (v->failed == v->count) return STICTION_OK;
    if (error) {
        *error = v->error;
        (void)snprintf(error->message, sizeof error->message, "environment %zu: %.900s", v->failed,
                       v->error.message);
    }
    return v->error.status;
}

/* ---- creation ---- */

/* With the first engine's options and, if something is drawn, a seed of its own. */
static stiction_status create_engine(const task *t, size_t k, stiction_error *error) {
    stiction_vector *v = t->v;
    simulation_options options = *t->options;
    uint64_t seed;
    char number[24];
    options.shared = (world *)simulation_world(v->engines[0]->simulation);
    options.log = options.controller_log = NULL; /* the first one has reported it */
    AUTO_FREE stiction_override *list = NULL;
    if (stiction_engine_seed(v->engines[0], &seed)) {
        friction_options *f = &options.friction;
        list = calloc(f->override_count + 1, sizeof *list);
        if (!list) return no_memory(error);
        if (f->override_count) memcpy(list, f->overrides, f->override_count * sizeof *list);
        (void)snprintf(number, sizeof number, "%" PRIu64,
                       (seed + k) % (STICTION_SEED_LARGEST + UINT64_C(1)));
        list[f->override_count++] = (stiction_override){"seed", number};
        f->overrides = list;
    }
    return stiction_engine_make(t->path, &options, &v->engines[k], error);
}

static stiction_status create_other(const task *t, size_t k, stiction_error *error) {
    const stiction_status status = k ? create_engine(t, k, error) : STICTION_OK;
    if (status == STICTION_OK) engine_move_arrays(t->v->engines[k], &t->v->arrays, k);
    return status;
}

static stiction_status make_threads(stiction_vector *v, size_t threads, stiction_error *error) {
    enum { parts_per_thread = 16 }; /* so that threads stay busy if one part is slow */
    if (threads > v->count) threads = v->count;
    v->parts = v->count < parts_per_thread * threads ? v->count : parts_per_thread * threads;
    if (threads > 1) v->pool = stiction_pool_create(threads);
    return threads == 1 || v->pool
               ? STICTION_OK
               : stiction_fail(error, STICTION_OUT_OF_MEMORY,
                               "no memory for %zu threads, or no more are allowed", threads);
}

static stiction_status make(stiction_vector *v, const char *path, size_t threads,
                            stiction_error *error) {
    const simulation_options *options = &v->overrides.simulation;
    v->engines = calloc(v->count, sizeof(stiction_engine *));
    if (!v->engines) return no_memory(error);
    REQUIRE(options->friction.source != FRICTION_FRICTIONLOSS, error,
            "friction=frictionloss: the environments share one MuJoCo model and cannot differ in "
            "its friction");
    stiction_status status = stiction_engine_make(path, options, &v->engines[0], error);
    if (status != STICTION_OK) return status;
    const world *w = simulation_world(v->engines[0]->simulation);
    v->joints = w->joint_count;
    v->memory = engine_arrays_make(&v->arrays, v->count, w->joint_count, w->body_count);
    if (!v->memory) return no_memory(error);
    status = make_threads(v, threads, error);
    task t = {.v = v, .run = create_other, .options = options, .path = path};
    return status == STICTION_OK ? run_task(&t, error) : status;
}

stiction_status stiction_vector_create(const char *path, const stiction_engine_def *def,
                                       size_t environments, size_t threads,
                                       stiction_vector **vector, stiction_error *error) {
    REQUIRE(vector, error, "vector is NULL");
    *vector = NULL;
    REQUIRE(environments >= 1 && environments <= 1000000, error,
            "%zu environments: must be from 1 to 1000000", environments);
    REQUIRE(threads >= 1 && threads <= 1024, error, "%zu threads: must be from 1 to 1024", threads);
    stiction_vector *v = calloc(1, sizeof *v);
    if (!v) return no_memory(error);
    v->count = environments;
    (void)pthread_mutex_init(&v->mutex, NULL);
    stiction_status status = engine_read_definition(&v->overrides, path, def, error);
    if (status == STICTION_OK) status = make(v, path, threads, error);
    if (status == STICTION_OK)
        *vector = v;
    else
        stiction_vector_destroy(v);
    return status;
}

void stiction_vector_destroy(stiction_vector *v) {
    if (!v) return;
    stiction_pool_destroy(v->pool);
    for (size_t k = v->engines ? v->count : 0; k-- > 0;) /* the first one owns the model */
        stiction_engine_destroy(v->engines[k]);
    free(v->engines);
    free(v->memory);
    overrides_free(&v->overrides);
    (void)pthread_mutex_destroy(&v->mutex);
    free(v);
}

/* ---- use ---- */

stiction_engine *stiction_vector_engine(stiction_vector *v, size_t environment) {
    return v && environment < v->count ? v->engines[environment] : NULL;
}

stiction_vector_arrays stiction_vector_arrays_default(void) {
    return (stiction_vector_arrays){.size = sizeof(stiction_vector_arrays)};
}

void stiction_vector_look(const stiction_vector *v, stiction_vector_arrays *seen) {
    if (!v || !seen) return;
    const engine_arrays *a = &v->arrays;
#define COPY_ARRAY(type, name, unit, description) .name = a->friction.name,
    const stiction_vector_arrays all = {.size = seen->size,
                                        .time = a->time,
                                        .failed = a->failed,
                                        .q = a->q,
                                        .dq = a->dq,
                                        .command = a->command,
                                        .base = a->base,
                                        STICTION_JOINT_QUANTITIES(COPY_ARRAY)};
#undef COPY_ARRAY
    memcpy(seen, &all, seen->size < sizeof all ? seen->size : sizeof all);
}

static stiction_status step_one(const task *t, size_t k, stiction_error *error) {
    if (t->v->arrays.failed[k]) return STICTION_OK;
    return engine_step(t->v->engines[k], t->torque ? t->torque + t->v->joints * k : NULL, t->steps,
                       error);
}

stiction_status stiction_vector_step(stiction_vector *v, const double *torque, size_t steps,
                                     stiction_error *error) {
    REQUIRE(v, error, "the vector is NULL");
    REQUIRE(steps >= 1 && steps <= 1000000, error, "%zu steps: must be from 1 to 1000000", steps);
    for (size_t k = 0; torque && k < v->count * v->joints; k++)
        REQUIRE(isfinite(torque[k]), error,
                "environment %zu: joint '%s': the torque is %g, not a finite number", k / v->joints,
                stiction_engine_joint_name(v->engines[0], k % v->joints), torque[k]);
    task t = {.v = v, .run = step_one, .torque = torque, .steps = steps};
    return run_task(&t, error);
}

static stiction_status reset_one(const task *t, size_t k, stiction_error *error) {
    return stiction_engine_reset(t->v->engines[k], error);
}

stiction_status stiction_vector_reset(stiction_vector *v, stiction_error *error) {
    REQUIRE(v, error, "the vector is NULL");
    task t = {.v = v, .run = reset_one};
    return run_task(&t, error);
}
