/* SPDX-License-Identifier: MIT
 * Software pipelining over blocks of joints, for processors whose vectors are so wide that a step
 * waits for the divider: the loop that ends one block begins the next, so that divisions and square
 * roots overlap with other work. Only if joints share their numbers; otherwise block by block.
 */
#ifndef STICTION_JOINT_MODELS_FAST_CONVEYOR_H
#define STICTION_JOINT_MODELS_FAST_CONVEYOR_H

#include "joint_models/fast/block.h"

typedef struct outlook {
    bool usable; /* all velocities */
    bool slides; /* a joint */
} outlook;

/* Defined in the file of a law: the intermediate results of a block, in `stages`. Blocks have
 * block_size joints; m is not a compile-time constant, so that the compiler does not unroll each
 * loop. */
typedef struct stages stages;

static outlook begin_block(const double *numbers, double T, size_t m, const double *u,
                           const double *e, stages *a);
/* Ends the block `before`, whose joints have e and f, and begins that with next_u and next_e. */
static outlook go_on(const double *numbers, double T, size_t m, stages *before, double *e,
                     double *f, const double *next_u, const double *next_e, stages *next);
static void end_block(const double *numbers, double T, size_t m, const stages *a, double *e,
                      double *f);
/* A block in which no joint slides, and one in which not all can be done at once. */
static void stick_block(const double *numbers, double T, size_t m, const stages *a, double *e,
                        double *f);
static bool careful(const double *numbers, bool shared, double T, size_t m, const double *u,
                    double *e, double *f);

/* Promises the compiler that a loop over m joints has no rest at any width. */
STICTION_INLINE void promise_block(size_t m) {
    if (m % block_size || m == 0) __builtin_unreachable();
}

/* The caller provides the memory for two blocks. */
STICTION_INLINE size_t step_conveyed(stages *here, stages *next, const double *numbers, double T,
                                     size_t n, const double *u, double *e, double *f) {
    enum { m = block_size };
    size_t k = 0, faults = 0;
    bool under_way = false;
    for (; k + m <= n; k += m) {
        const outlook ahead =
            under_way ? go_on(numbers, T, m, here, e + k - m, f + k - m, u + k, e + k, next)
                      : begin_block(numbers, T, m, u + k, e + k, next);
        under_way = ahead.usable && ahead.slides;
        if (!ahead.usable) {
            if (!careful(numbers, true, T, m, u + k, e + k, f + k))
                faults += refuse_unusable(m, u + k, f + k);
        } else if (!ahead.slides) {
            stick_block(numbers, T, m, next, e + k, f + k);
        }
        stages *const done = here;
        here = next;
        next = done;
    }
    if (under_way) end_block(numbers, T, m, here, e + k - m, f + k - m);
    return faults + step_blocks(block_size, numbers, true, T, n - k, u + k, e + k, f + k);
}

#endif
