/* SPDX-License-Identifier: MIT
 * What the parts of `stiction bench` step: joints with the friction of HRP-5P's wrist (Cisneros et
 * al.), in batches and in states, and how they move. Nothing here is random or timed.
 */
#ifndef STICTION_TOOLS_BENCH_BENCH_JOINTS_H
#define STICTION_TOOLS_BENCH_BENCH_JOINTS_H

#include "bench.h"
#include "joint_models/element.h"
#include "stiction/batch.h"

extern const double bench_timestep; /* s */

/* Zeros, aligned to a cache line, as in a fast host. */
double *bench_array(size_t size);
void bench_array_free(double *array);

/* Element k of one of eight independent sequences that fill [0, 1) evenly. */
double bench_spread(size_t k, size_t sequence);

/* Laws are letters: s(tribeck), r(ational), c(oulomb). All torques are `scale` times the wrist's.
 */
stiction_joint_def bench_joint_def(char letter, double scale);

/* An element C with the wrist's friction, at the time step. */
stiction_element bench_element(char letter);

/* rad/s: sliding, from 0.003 to 1 in either direction. */
double bench_sliding_velocity(size_t k);

/* A batch and its arrays. A quarter of the joints sticks, here and there; the others slide. */
typedef struct bench_batch {
    stiction_model *model;
    stiction_batch *batch;
    size_t size; /* joints times environments */
    double *velocity, *torque;
} bench_batch;

typedef struct bench_batch_def {
    const char *laws;            /* of the joints of the model, in turns */
    size_t joints, environments; /* joints 0: one per law */
    size_t threads;              /* 0: 1 */
    bool own_constants;          /* every joint of every environment has its own */
    bool environment_major;
    bool all_stick;
} bench_batch_def;

/* Ends the command where there is no memory. */
bench_batch *bench_batch_create(const bench_batch_def *def);
void bench_batch_destroy(bench_batch *b);
/* One step; for bench_runner. */
void bench_batch_run(void *batch);

/* Robots of one law that step in turns. Their joints swing: they stick where they turn. */
enum { bench_robot_count = 64, bench_swing_steps = 200 };
typedef struct bench_robots {
    stiction_model *model;
    stiction_state *states[bench_robot_count];
    size_t joints;    /* of each */
    double *velocity; /* of all joints of all robots, step after step */
    double *torque;   /* of one robot */
    /* the same joints without a state of the library: the first one of each robot */
    stiction_element element;
    double deflection[bench_robot_count], law_torque[bench_robot_count];
} bench_robots;

bench_robots *bench_robots_create(char law, size_t joints);
void bench_robots_destroy(bench_robots *r);
/* All steps of the swing, by stiction_step or by the step of the law alone; for bench_runner. */
void bench_robots_run(void *robots);
void bench_robots_run_law(void *robots);
/* An empty step in place of the law's. */
double bench_empty_step(const stiction_element_c *c, double u, double *e);

/* Models of joints 0, 1, ...; the laws in turns. */
stiction_model *bench_model_create(const char *laws, size_t joints);

/* Ends the program unless OK: the friction here is legal, so only memory can be missing. */
void bench_must(stiction_status status);

#endif
