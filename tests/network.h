/* SPDX-License-Identifier: MIT */
/* What the tests of the modular architecture share: friction, and a network on its way. */
#ifndef STICTION_TESTS_NETWORK_H
#define STICTION_TESTS_NETWORK_H

#include "check.h"
#include "joint_models/comparison/component.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static inline double largest(size_t n, const double *a) {
    double m = 0;
    for (size_t i = 0; i < n; i++) m = fmax(m, fabs(a[i]));
    return m;
}

static inline stiction_law_parameters coulomb_parameters(double F) {
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = p.coulomb_torque = F;
    return p;
}

static inline stiction_staged_friction coulomb_friction(double F, double K, double B, double T) {
    const stiction_law_parameters p = coulomb_parameters(F);
    stiction_staged_friction friction;
    CHECK(stiction_staged_friction_init(&friction, 1, stiction_law_find("coulomb"), &p, K, B, T) ==
          STICTION_LAW_OK);
    return friction;
}

/* A network on its way: the workspace is of just the size it asks for, so that a sanitizer sees
 * one double too many. */
typedef struct run {
    const stiction_network *network;
    double *state, *workspace;
    long step;
} run;

static inline run run_start(const stiction_network *network, double *state) {
    const size_t doubles = stiction_network_measure(network).workspace;
    return (run){network, state, malloc(doubles * sizeof(double)), 0};
}

static inline void run_step(run *r) {
    stiction_network_step(r->network, (double)r->step * r->network->timestep, r->state,
                          r->workspace);
    r->step++;
}

static inline void run_to(run *r, double t) {
    while (r->step < lround(t / r->network->timestep)) run_step(r);
}

static inline void run_end(run *r) {
    free(r->workspace);
}

/* Numbers in [-1, 1], the same on every machine. */
static inline double scatter(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 2147483648.0 - 1;
}

#endif
