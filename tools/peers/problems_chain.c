/* SPDX-License-Identifier: MIT */
/* The problems of chains: coming to rest, contacts, and what friction costs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "problems.h"
#include "solution.h"

static const double degree = 3.14159265358979323846 / 180;

/* ---- coming to rest ---- */

typedef struct coasting {
    const char *name;
    chain of;
    double velocity[8], duration;
    double position[8], rest, free_position[8]; /* of the reference */
} coasting;

static const double free_duration = 1; /* s */

static coasting coastings[] = {
    {.name = "double pendulum",
     .of = {.count = 2,
            .length = 0.5,
            .centre = 0.25,
            .mass = 2,
            .inertia = 2 * 0.25 / 12,
            .gravity = 9.81,
            .static_torque = 2,
            .coulomb_torque = 2,
            .stribeck = 0.06},
     .velocity = {0, 8},
     .duration = 10},
    {.name = "7-joint arm, coasting",
     .of = {.count = 7,
            .length = 0.3,
            .centre = 0.15,
            .mass = 2,
            .inertia = 2 * 0.09 / 12,
            .static_torque = 3,
            .coulomb_torque = 3,
            .stribeck = 0.06},
     .velocity = {1, -1, 0.5, 1, -0.5, 1, -1},
     .duration = 10},
};
enum { COASTINGS = sizeof coastings / sizeof coastings[0] };

static chain without_friction(chain c) {
    c.static_torque = c.coulomb_torque = 0;
    return c;
}

void find_chain_references(void) {
    for (int k = 0; k < COASTINGS; k++) {
        coasting *of = &coastings[k];
        const chain free = without_friction(of->of);
        const double step = 4e-4;
        double error, rest_error, unused;
        reference_chain(&of->of, of->velocity, of->duration, step, of->position, &of->rest, &error,
                        &rest_error);
        report_reference(of->name, "pose at rest", "rad", of->position[of->of.count - 1], error);
        report_reference(of->name, "time at rest", "s", of->rest, rest_error);
        reference_chain(&free, of->velocity, free_duration, step, of->free_position, &unused,
                        &error, &rest_error);
        report_reference(of->name, "pose after 1 s without friction", "rad",
                         of->free_position[of->of.count - 1], error);
    }
}

/* The largest distance from a pose after some time, rad; *rest: when it stopped. -1: not for
 * chains. */
static double pose_error(const peer *p, const coasting *of, chain c, double timestep,
                         double duration, const double *position, double *rest) {
    double q[8] = {0}, v[8], torque[8] = {0}, worst = 0;
    c.timestep = timestep;
    void *made = p->create(&c);
    if (!made) return -1;
    p->place(made, q, of->velocity);
    *rest = 0;
    for (long k = 0; k < lround(duration / timestep); k++) {
        double fastest = 0;
        p->step(made, torque);
        p->read(made, q, v);
        for (int i = 0; i < c.count; i++) fastest = fmax(fastest, fabs(v[i]));
        if (!(fastest < 1e-3)) *rest = (double)(k + 1) * timestep;
    }
    p->destroy(made);
    for (int i = 0; i < c.count; i++) worst = fmax(worst, fabs(q[i] - position[i]));
    return isfinite(q[0]) ? worst : (double)NAN;
}

void measure_coasting(const peer *p) {
    for (int k = 0; k < COASTINGS; k++) {
        const coasting *of = &coastings[k];
        double rest, unused;
        const double at_1 = pose_error(p, of, of->of, 1e-3, of->duration, of->position, &rest);
        const char *why = at_1 < 0 ? "one joint only" : NULL;
        report(of->name, p, "pose at rest, error", "rad", at_1, why);
        if (why) continue;
        const double at_4 = pose_error(p, of, of->of, 4e-3, of->duration, of->position, &unused);
        const double free = pose_error(p, of, without_friction(of->of), 1e-3, free_duration,
                                       of->free_position, &unused);
        report(of->name, p, "time at rest, error", "s", fabs(rest - of->rest),
               rest > of->duration - 0.1 ? "does not rest" : NULL);
        report(of->name, p, "order of convergence", "1", log(at_4 / at_1) / log(4), NULL);
        report(of->name, p, "1 s without friction, error", "rad", free, NULL);
    }
}

/* ---- contacts ---- */

/* Mean speed of the fastest joint over the second half, rad/s; -1: not for that. */
static double creep_in(const peer *p, const chain *c, const double *pose) {
    static const double zero[8];
    double q[8] = {0}, v[8], half[8], creep = 0;
    void *made = p->create(c);
    if (!made) return -1;
    if (pose) p->place(made, pose, zero);
    const double duration = peers_reduced ? 4 : 20;
    const long steps = lround(duration / c->timestep);
    for (long k = 0; k < steps; k++) {
        p->step(made, zero);
        if (k == steps / 2 - 1) p->read(made, half, v);
    }
    p->read(made, q, v);
    p->destroy(made);
    for (int k = c->stands; k < c->count; k++) {
        const double own = fabs(q[k] - half[k]) / (duration / 2);
        creep = isnan(own) || isnan(creep) ? (double)NAN : fmax(creep, own);
    }
    return creep;
}

void measure_contact(const peer *p) {
    static const chain arm = {.count = 3,
                              .length = 0.3,
                              .centre = 0.15,
                              .mass = 2,
                              .inertia = 2 * 0.09 / 12,
                              .gravity = 9.81,
                              .timestep = 1e-3,
                              .static_torque = 300,
                              .coulomb_torque = 300,
                              .stribeck = 0.06,
                              .weight = 20};
    static const chain legs = {.count = 7,
                               .length = 0.3,
                               .centre = 0.15,
                               .mass = 5,
                               .inertia = 5 * 0.09 / 12,
                               .gravity = 9.81,
                               .timestep = 1e-3,
                               .static_torque = 60,
                               .coulomb_torque = 60,
                               .stribeck = 0.06,
                               .stands = true};
    static const double bends[7] = {0, 100, -30, -70, -70, -30, 100}; /* knees outward, deg */
    double pose[7];
    for (int k = 0; k < 7; k++) pose[k] = bends[k] * degree;
    const double rope = creep_in(p, &arm, NULL), standing = creep_in(p, &legs, pose);
    report("contact", p, "20 kg on a rope, creep", "rad/s", rope,
           rope < 0 ? "one joint only" : why_creep(rope));
    report("contact", p, "standing on two feet, creep", "rad/s", standing,
           standing < 0 ? "not built" : why_creep(standing));
}

/* ---- cost ---- */

static double processor_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The time of the processor for a block of steps, s; NaN: the motion is absurd. */
static double time_block(const peer *p, void *made, int count, double speed) {
    static const double zero[PEER_MOST_LINKS];
    double q[PEER_MOST_LINKS] = {0}, v[PEER_MOST_LINKS];
    for (int k = 0; k < count; k++) v[k] = k % 2 ? -speed : speed;
    p->place(made, q, v);
    const double start = processor_seconds();
    for (int k = 0; k < 50; k++) p->step(made, zero);
    const double time = processor_seconds() - start;
    p->read(made, q, v);
    for (int k = 0; k < count; k++)
        if (!(fabs(v[k]) < 100)) return (double)NAN;
    return time;
}

/* Blocks with and without friction take turns; the median of their ratios. */
static void measure_cost_of(const peer *p, int count, bool branches, bool moving) {
    enum { MOST = 41 };
    double ratios[MOST];
    const int blocks = peers_reduced ? 11 : MOST;
    char figure[60];
    const double speed = moving ? 1 : 0;
    const chain c = {.count = count,
                     .trunk = branches ? 3 : 0,
                     .limb = branches ? 10 : 0,
                     .length = 0.1,
                     .centre = 0.05,
                     .mass = 0.5,
                     .inertia = 1e-3,
                     .timestep = 1e-3,
                     .stribeck = 0.06,
                     .static_torque = moving ? 0.01 : 1000,
                     .coulomb_torque = moving ? 0.01 : 1000,
                     .gravity = moving ? 0 : 9.81};
    chain free = without_friction(c);
    free.gravity = 0;
    void *with = p->create(&c), *plain = p->create(&free);
    (void)snprintf(figure, sizeof figure, "%d joints%s that %s", count,
                   count > 10 && !branches ? " in a row" : "", moving ? "slip" : "stick");
    if (p->is_remote || !with || !plain) {
        report("cost", p, figure, "steps without friction", 0,
               with ? "not measured" : "one joint only");
        return;
    }
    bool fine = true;
    for (int k = 0; k < blocks; k++) {
        const double on = time_block(p, with, count, speed);
        ratios[k] = on / time_block(p, plain, count, speed);
        fine = fine && !isnan(ratios[k]);
    }
    qsort(ratios, (size_t)blocks, sizeof *ratios, by_size);
    report("cost", p, figure, "steps without friction", ratios[blocks / 2],
           fine ? NULL : "diverges");
    p->destroy(with);
    p->destroy(plain);
}

void measure_cost(const peer *p) {
    for (int moving = 0; moving < 2; moving++) {
        measure_cost_of(p, 7, false, moving);
        measure_cost_of(p, 53, true, moving);
        measure_cost_of(p, 53, false, moving);
    }
}
