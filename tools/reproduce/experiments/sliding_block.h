/* SPDX-License-Identifier: MIT
 * A block that slides in under a steady force (Kikuuwe et al. 2006, Figs 6 and 7): model A, and
 * beside it what explicit Euler makes of the same friction.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_SLIDING_BLOCK_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_SLIDING_BLOCK_H

#include "../experiment.h"

typedef struct sliding_block {
    double mass;     /* M, kg */
    double friction; /* F, N */
    double force;    /* h, N */
    double velocity; /* v0, m/s */
    double timestep; /* T, s */
    bool explicit_euler;
} sliding_block;

typedef struct sliding_end {
    double arrival;     /* s, when the velocity is first zero or reversed */
    double reversals;   /* how often the velocity has changed its sign from a step to the next */
    double at_zero;     /* steps that end at exactly zero velocity */
    double speed_after; /* m/s, the largest from `arrival` on */
    double velocity;    /* m/s, at the end */
    double friction;    /* N, at the end */
} sliding_end;

/* Into two curves over `duration` seconds; NaNs where there is no such element. */
sliding_end slide_block(const sliding_block *b, double duration, experiment_curve *velocity,
                        experiment_curve *friction);

/* M, F and h of the experiment's parameters. */
sliding_block block_of(const experiment *self, double v0, double T);

#endif
