/* SPDX-License-Identifier: MIT
 * The least that a batch step of the exact law could cost here: the same blocks through the stack,
 * the same three arrays, and of the law nothing but a power of two, a square root and a division.
 * Compiled for the instruction set that the laws use on this processor.
 */
#include <math.h>
#include <stdlib.h>

#include "bench_joints.h"
#include "bench_rivals.h"
#include "common/command.h"
#include "joint_models/exponential.h"
#include "joint_models/fast/variant.h"

enum { block = STICTION_FAST_BLOCK };

/* What the loops read. */
typedef struct coefficients {
    double ZK, K, TZ;
    double threshold, rate, least; /* of the exponent */
    double share;                  /* of the power in what the root is of, below 1 */
} coefficients;

struct bench_floor {
    coefficients c;
    size_t joints;
    const double *velocity; /* the caller's */
    double *deflection, *torque;
};

#define INLINE static inline __attribute__((always_inline))

INLINE void step_block(const coefficients *given, size_t m, const double *restrict u,
                       double *restrict e, double *restrict f) {
    const coefficients c = *given;
    double r[block], power[block], p[block], root[block];
    for (size_t k = 0; k < m; k++) {
        const double x = fma(c.ZK, e[k], u[k]), exponent = c.rate * (c.threshold - fabs(x));
        const stiction_exp2_reduced t = stiction_exp2_reduce(stiction_most(exponent, c.least));
        r[k] = t.r;
        power[k] = t.power;
    }
    for (size_t k = 0; k < m; k++) {
        p[k] = stiction_exp2_expand((stiction_exp2_reduced){r[k], power[k]}).value;
        root[k] = sqrt(fma(-c.share, p[k], 1));
    }
    for (size_t k = 0; k < m; k++) {
        f[k] = p[k] / root[k];
        e[k] = fma(c.TZ, fma(-c.K, e[k], f[k]), e[k]);
    }
}

INLINE void steps(const coefficients *c, size_t n, const double *u, double *e, double *f) {
    for (size_t k = 0; k < n; k += block)
        step_block(c, n - k < block ? n - k : block, u + k, e + k, f + k);
}

static void steps_baseline(const coefficients *c, size_t n, const double *u, double *e, double *f) {
    steps(c, n, u, e, f);
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static void steps_avx2(const coefficients *c, size_t n,
                                                           const double *u, double *e, double *f) {
    steps(c, n, u, e, f);
}

__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma"))) static void
steps_avx512(const coefficients *c, size_t n, const double *u, double *e, double *f) {
    steps(c, n, u, e, f);
}
#else
#define steps_avx2   steps_baseline
#define steps_avx512 steps_baseline
#endif

static void (*const by_variant[STICTION_VARIANT_COUNT])(const coefficients *c, size_t n,
                                                        const double *u, double *e, double *f) = {
    [STICTION_BASELINE] = steps_baseline,
    [STICTION_AVX2] = steps_avx2,
    [STICTION_AVX512] = steps_avx512,
};

bench_floor *bench_floor_create(size_t joints, const double *velocity) {
    enum { steps_until_even = 30 };
    bench_floor *b = allocate(1, sizeof *b);
    const stiction_element wrist = bench_element('s');
    const stiction_element_c *c = &wrist.c;
    b->c = (coefficients){.ZK = c->ZK,
                          .K = c->K,
                          .TZ = c->TZ,
                          .threshold = c->Z * c->breakaway,
                          .rate = 1 / (c->Z * c->breakaway), /* as large as the law's */
                          .least = -995,
                          .share = 0.9};
    b->joints = joints;
    b->velocity = velocity;
    b->deflection = bench_array(joints);
    b->torque = bench_array(joints);
    for (size_t k = 0; k < steps_until_even; k++) bench_floor_run(b);
    return b;
}

void bench_floor_destroy(bench_floor *b) {
    if (!b) return;
    bench_array_free(b->deflection);
    bench_array_free(b->torque);
    free(b);
}

void bench_floor_run(void *context) {
    bench_floor *b = context;
    by_variant[stiction_variant_best()](&b->c, b->joints, b->velocity, b->deflection, b->torque);
}
