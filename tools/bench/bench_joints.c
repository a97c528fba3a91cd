/* SPDX-License-Identifier: MIT
 * The joints of the bench: the wrist's friction (config/wrist.yaml), even spreads of velocities and
 * deflections, and the wrist as often as it is wanted.
 */
#include "bench_joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

const double bench_timestep = 0.001;

double bench_spread(size_t k, size_t sequence) {
    static const double primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
    const double place = (double)(k + 1) * sqrt(primes[sequence % 8]);
    return place - floor(place);
}

/* Lines of a cache and of memory, in doubles. */
enum { line = 8, page = 512 };

/* An array and, before it, where its memory begins. */
double *bench_array(size_t size) {
    static size_t count;
    const size_t bytes = (page + size + line) / line * line * sizeof(double);
    double *memory = must_have(aligned_alloc(line * sizeof(double), bytes));
    memset(memory, 0, bytes);
    /* a quarter, a half or three quarters of a page further on: arrays that are read and written
     * together and lie alike in their pages get into each other's way, at some distances */
    double *array = memory + (count++ % 3 + 1) * (page / 4);
    memcpy(array - 1, &memory, sizeof memory);
    return array;
}

void bench_array_free(double *array) {
    AUTO_FREE double *memory = NULL;
    if (array) memcpy(&memory, array - 1, sizeof memory);
}

void bench_must(stiction_status status) {
    if (status != STICTION_OK) (void)must_have(NULL);
}

stiction_joint_def bench_joint_def(char letter, double scale) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = letter == 's' ? "stribeck" : letter == 'r' ? "rational" : "coulomb";
    def.static_torque = 2.5 * scale;
    def.coulomb_torque = (letter == 's' ? 0.4 : letter == 'r' ? 0.2 : 1.0) * scale;
    def.stribeck_velocity = letter == 's' ? 0.06 : 0.04;
    def.viscous = 4.5 * scale;
    def.stiffness = 5000 * scale;
    def.damping = 50 * scale;
    return def;
}

stiction_element bench_element(char letter) {
    const stiction_joint_def joint = bench_joint_def(letter, 1);
    const stiction_element_def def = {.kind = STICTION_ELEMENT_C,
                                      .stiffness = joint.stiffness,
                                      .damping = joint.damping,
                                      .timestep = bench_timestep};
    const stiction_law_parameters p = stiction_joint_law_parameters(&joint);
    stiction_element element;
    (void)stiction_element_init(&element, &def, stiction_law_find(joint.law), &p);
    return element;
}

double bench_sliding_velocity(size_t k) {
    const double speed = 0.003 * pow(1 / 0.003, bench_spread(k, 0));
    return bench_spread(k, 1) < 0.5 ? speed : -speed;
}

/* ---- models ---- */

static stiction_config *make_config(const char *laws) {
    stiction_config *config = must_have(stiction_config_create());
    bench_must(stiction_config_set_timestep(config, bench_timestep, NULL));
    for (size_t k = 0; laws[k]; k++) {
        const char pattern[] = {laws[k], '*', '\0'};
        const stiction_joint_def def = bench_joint_def(laws[k], 1);
        bench_must(stiction_config_add_joint(config, pattern, &def, NULL));
    }
    return config;
}

stiction_model *bench_model_create(const char *laws, size_t joints) {
    char **names = allocate(joints, sizeof *names);
    const size_t count = strlen(laws);
    for (size_t k = 0; k < joints; k++) names[k] = format_text("%c%zu", laws[k % count], k);
    stiction_config *config = make_config(laws);
    stiction_model *model = NULL;
    bench_must(
        stiction_model_create(config, (const char *const *)names, joints, NULL, &model, NULL));
    stiction_config_destroy(config);
    for (size_t k = 0; k < joints; k++) free(names[k]);
    free(names);
    return model;
}

/* ---- batches ---- */

static void give_own_constants(bench_batch *b, const char *laws) {
    const size_t joints = stiction_model_joint_count(b->model);
    for (size_t j = 0; j < joints; j++)
        for (size_t e = 0; e < stiction_batch_environment_count(b->batch); e++) {
            const size_t k = e * joints + j;
            stiction_joint_def def =
                bench_joint_def(laws[j % strlen(laws)], 0.5 + 1.5 * bench_spread(k, 2));
            def.stribeck_velocity *= 1 + bench_spread(k, 3) / 2;
            bench_must(stiction_batch_set_joint(b->batch, e, j, &def, NULL));
        }
}

/* Those that stick keep what torque they have; those that slide come to it in a few steps. */
static void set_off(bench_batch *b, bool all_stick) {
    enum { steps_until_even = 30 };
    static const double held = 1.8e-4; /* rad: the most that all three laws hold */
    double *deflection = allocate(b->size, sizeof *deflection);
    for (size_t k = 0; k < b->size; k++) {
        const bool sticks = all_stick || bench_spread(k, 4) < 0.25;
        b->velocity[k] = sticks ? 0 : bench_sliding_velocity(k);
        deflection[k] = held * (2 * bench_spread(k, 5) - 1);
    }
    bench_must(stiction_batch_set_deflections(b->batch, deflection, NULL));
    free(deflection);
    for (size_t k = 0; k < steps_until_even; k++) bench_batch_run(b);
}

bench_batch *bench_batch_create(const bench_batch_def *def) {
    bench_batch *b = allocate(1, sizeof *b);
    stiction_batch_def of_batch = stiction_batch_def_default();
    if (def->threads) of_batch.threads = def->threads;
    of_batch.environment_major = def->environment_major;
    b->model = bench_model_create(def->laws, def->joints ? def->joints : strlen(def->laws));
    bench_must(stiction_batch_create(b->model, def->environments, &of_batch, &b->batch, NULL));
    b->size = stiction_batch_size(b->batch);
    b->velocity = bench_array(b->size);
    b->torque = bench_array(b->size);
    if (def->own_constants) give_own_constants(b, def->laws);
    set_off(b, def->all_stick);
    return b;
}

void bench_batch_destroy(bench_batch *b) {
    if (!b) return;
    stiction_batch_destroy(b->batch);
    stiction_model_destroy(b->model);
    bench_array_free(b->velocity);
    bench_array_free(b->torque);
    free(b);
}

void bench_batch_run(void *batch) {
    bench_batch *b = batch;
    (void)stiction_step_batch(b->batch, bench_timestep, b->velocity, b->torque, NULL);
}

/* ---- robots ---- */

/* A swing is one to three turns of 0.3 rad/s; every joint begins at another place of it. */
static double swing_velocity(size_t step, size_t joint) {
    static const double pi = 3.14159265358979323846;
    const double turns = (double)(step * (1 + joint % 3)) / bench_swing_steps;
    return 0.3 * sin(2 * pi * (turns + bench_spread(joint, 6)));
}

bench_robots *bench_robots_create(char law, size_t joints) {
    bench_robots *r = allocate(1, sizeof *r);
    *r = (bench_robots){.joints = joints, .element = bench_element(law)};
    r->model = bench_model_create((const char[]){law, '\0'}, joints);
    for (size_t k = 0; k < bench_robot_count; k++)
        bench_must(stiction_state_create(r->model, &r->states[k], NULL));
    const size_t all = bench_robot_count * joints;
    r->velocity = allocate(bench_swing_steps * all, sizeof *r->velocity);
    r->torque = allocate(joints, sizeof *r->torque);
    for (size_t k = 0; k < bench_swing_steps * all; k++)
        r->velocity[k] = swing_velocity(k / all, k % all);
    return r;
}

void bench_robots_destroy(bench_robots *r) {
    if (!r) return;
    for (size_t k = 0; k < bench_robot_count; k++) stiction_state_destroy(r->states[k]);
    stiction_model_destroy(r->model);
    free(r->velocity);
    free(r->torque);
    free(r);
}

void bench_robots_run(void *robots) {
    bench_robots *r = robots;
    const double *velocity = r->velocity;
    for (size_t step = 0; step < bench_swing_steps; step++)
        for (size_t k = 0; k < bench_robot_count; k++, velocity += r->joints)
            (void)stiction_step(r->states[k], bench_timestep, velocity, r->torque, NULL);
}

double bench_empty_step(const stiction_element_c *c, double u, double *e) {
    (void)c;
    *e = u;
    return u;
}

__attribute__((aligned(64))) void bench_robots_run_law(void *robots) {
    bench_robots *r = robots;
    const stiction_element_c_step_function step = r->element.step;
    const stiction_element_c *c = &r->element.c;
    const double *velocity = r->velocity;
    for (size_t n = 0; n < bench_swing_steps; n++, velocity += bench_robot_count)
        for (size_t k = 0; k < bench_robot_count; k++)
            r->law_torque[k] = step(c, velocity[k], &r->deflection[k]);
}
