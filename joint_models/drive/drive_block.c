/* SPDX-License-Identifier: MIT
 * The step of many joints that share a drive: the loops are vectorised, and each joint gets the
 * same bits as from the step of one joint. The joints are passed as arrays of a block.
 */
#include <math.h>

#include "joint_models/drive/drive_step.h"
#include "joint_models/drive/levels.h"
#include "joint_models/drive/presliding.h"
#include "joint_models/element_c.h"

enum { block = STICTION_FAST_BLOCK };

typedef struct working {
    double x[block], scale[block], warmth[block];
    double coulomb[block], falling[block], viscous[block];
    double power[block];
    double numbers[STICTION_FAST_NUMBERS * block];
} working;

static void find_levels(const stiction_drive *d, size_t n, const stiction_drive_block *b,
                        working *w) {
    const stiction_drive_parameters p = d->parameters;
    const stiction_levels base = d->base;
    const double ZK = d->element.c.ZK, follow = d->follow;
#pragma omp simd
    for (size_t k = 0; k < n; k++) {
        w->x[k] = element_c_input(ZK, b->velocity[k], b->deflection[k]);
        w->scale[k] = 1;
        w->warmth[k] = drive_warmth(&p, b->temperature[k]);
        w->coulomb[k] = base.coulomb;
        w->falling[k] = base.falling;
        w->viscous[k] = base.viscous;
    }
    if (d->parts & STICTION_DRIVE_SCALES) {
#pragma omp simd
        for (size_t k = 0; k < n; k++) w->scale[k] = drive_warm_scale(&p, w->warmth[k]);
        if (p.ripple > 0) {
#pragma omp simd
            for (size_t k = 0; k < n; k++)
                w->scale[k] = drive_ripple(&p, b->position[k]) * w->scale[k];
        }
#pragma omp simd
        for (size_t k = 0; k < n; k++) {
            const double s = w->scale[k] * drive_direction(&p, w->x[k] < 0);
            w->coulomb[k] *= s;
            w->falling[k] *= s;
        }
    }
    if (d->parts & STICTION_DRIVE_SCALES && d->change.change == STICTION_ALL_LEVELS) {
#pragma omp simd
        for (size_t k = 0; k < n; k++)
            w->viscous[k] *= drive_direction(&p, w->x[k] < 0) * drive_thinning(&p, w->warmth[k]);
    }
    if (d->parts & STICTION_DRIVE_LOADS) {
        const bool at_rest = d->change.change != STICTION_SHIFT;
#pragma omp simd
        for (size_t k = 0; k < n; k++) {
            const drive_load load = drive_load_of(&p, b->motor_torque[k], b->external_torque[k]);
            w->coulomb[k] += drive_load_friction(&p, load);
            w->falling[k] += at_rest ? drive_load_falling(&p, load) : 0;
        }
    }
    if (follow < 1) {
#pragma omp simd
        for (size_t k = 0; k < n; k++) {
            const double start = w->coulomb[k] + w->falling[k];
            const double last = b->level[k] > 0 ? b->level[k] : start;
            w->coulomb[k] = drive_late(follow, last, w->coulomb[k]);
            w->falling[k] *= follow;
        }
    }
}

/* What the next step begins with. Where the torque is NaN, all stays. */
static void remember(const stiction_drive *d, size_t n, stiction_drive_block *b, working *w) {
    const double Z = d->element.c.Z;
    const bool lags = d->follow < 1;
#pragma omp simd
    for (size_t k = 0; k < n; k++) {
        const double most = w->coulomb[k] + w->falling[k], f = fabs(b->torque[k]);
        const bool slips = element_c_reserve(Z, most, w->x[k]) < 0;
        const double slip = fma(-Z, f, fabs(w->x[k])), v = slips && slip > 0 ? slip : 0;
        const double slid = drive_clamp(f - w->viscous[k] * v, w->coulomb[k], most);
        const double level = v > 0 ? slid : most;
        b->level[k] = isnan(f) || !lags ? b->level[k] : level;
        w->power[k] = f * v;
    }
}

static void step_presliding(const stiction_drive *d, size_t i, size_t n, stiction_drive_block *b,
                            working *w) {
    const stiction_drive_parameters p = d->parameters;
    const double limit = d->presliding_torque[i], K = d->presliding_stiffness[i];
    const double T = d->element.def.timestep;
    double *restrict e = b->presliding[i];
#pragma omp simd
    for (size_t k = 0; k < n; k++) {
        const presliding s = presliding_step(&p, w->scale[k] * limit, K, T, b->velocity[k], e[k]);
        const bool fine = !isnan(b->torque[k]);
        e[k] = fine ? s.deflection : e[k];
        b->torque[k] += s.torque;
        w->power[k] += s.power;
    }
}

static void warm_up(const stiction_drive *d, size_t n, stiction_drive_block *b, const working *w) {
    const stiction_drive_parameters p = d->parameters;
    const double warming = d->warming;
#pragma omp simd
    for (size_t k = 0; k < n; k++) {
        const double theta = b->temperature[k];
        const double rise = theta - p.temperature + drive_heat(&p, warming, theta, w->power[k]);
        b->rise[k] = isnan(b->torque[k]) ? b->rise[k] : rise;
    }
}

void stiction_drive_block_step(const stiction_drive *d, size_t n, stiction_drive_block *b) {
    working w;
    const bool remembers = d->parts & STICTION_DRIVE_REMEMBERS;
    if (n == 0 || n > block) return;
    /* others at rest fill up the last four */
    for (; n % 4; n++) {
        double *const all[] = {b->position, b->motor_torque, b->external_torque,
                               b->velocity, b->deflection,   b->level,
                               b->rise};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) all[i][n] = 0;
        for (size_t i = 0; i < d->presliding; i++) b->presliding[i][n] = 0;
        b->temperature[n] = d->parameters.temperature;
    }
    const double start = d->parameters.temperature;
    for (size_t k = 0; k < n; k++) {
        if (isnan(b->temperature[k]))
            b->temperature[k] = start + b->rise[k];
        else if (!remembers && !isnan(b->velocity[k]))
            b->rise[k] = b->temperature[k] - start;
    }
    find_levels(d, n, b, &w);
    d->element.fast->level_many(&d->element.c, &d->change, n, w.coulomb, w.falling, w.viscous,
                                w.numbers);
    (void)d->element.fast->step_many(w.numbers, false, d->element.def.timestep, n, b->velocity,
                                     b->deflection, b->torque);
    if (!remembers) return;
    remember(d, n, b, &w);
    for (size_t i = 0; i < d->presliding; i++) step_presliding(d, i, n, b, &w);
    warm_up(d, n, b, &w);
}
