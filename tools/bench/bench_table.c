/* SPDX-License-Identifier: MIT
 * The batch step with S's look-up table of 4096 entries in the place of the exact law: element C,
 * linear between the entries. The rival that the exact law is measured against, so it is given all
 * that helps: AVX2 where there is one, the same loop as ours around it, no check of its input.
 */
#include <math.h>
#include <stdlib.h>

#include "bench_joints.h"
#include "bench_rivals.h"
#include "common/command.h"
#include "joint_models/comparison/stribeck_table.h"
#include "joint_models/fast/variant.h"

enum { entry_count = 4096, block = STICTION_FAST_BLOCK };

/* What the loop reads. */
typedef struct coefficients {
    double K, Z, inverse_Z, timestep;
    double threshold, inverse_spacing, last; /* of the table */
    double gain, offset;
    const double *entries;
} coefficients;

struct bench_table {
    coefficients c;
    stiction_stribeck_table table;
    double entries[entry_count + 1];
    size_t joints;
    const double *velocity; /* the caller's */
    double *deflection, *torque;
};

/* Three loops over a block, through the stack, as in the exact law: one takes three times as long.
 */
static inline __attribute__((always_inline)) void step_block(const coefficients *given, size_t m,
                                                             const double *restrict u,
                                                             double *restrict e,
                                                             double *restrict f) {
    const coefficients c = *given;
    double x[block], fraction[block], term[block];
    int index[block];
    for (size_t k = 0; k < m; k++) {
        x[k] = fma(c.Z * c.K, e[k], u[k]);
        double place = (fabs(x[k]) - c.threshold) * c.inverse_spacing;
        place = place > 0 ? place : 0;
        place = place < c.last ? place : c.last;
        index[k] = (int)place;
        fraction[k] = place - index[k];
    }
    for (size_t k = 0; k < m; k++) {
        const double low = c.entries[index[k]], high = c.entries[index[k] + 1];
        term[k] = fma(fraction[k], high - low, low);
    }
    for (size_t k = 0; k < m; k++) {
        const double a = fabs(x[k]), slide = copysign(fma(c.gain, a, c.offset) + term[k], x[k]);
        const double force = a > c.threshold ? slide : x[k] * c.inverse_Z;
        e[k] = fma(c.timestep * c.Z, fma(-c.K, e[k], force), e[k]);
        f[k] = force;
    }
}

static inline __attribute__((always_inline)) void steps(const coefficients *c, size_t n,
                                                        const double *u, double *e, double *f) {
    for (size_t k = 0; k < n; k += block)
        step_block(c, n - k < block ? n - k : block, u + k, e + k, f + k);
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static void steps_avx2(const coefficients *c, size_t n,
                                                           const double *u, double *e, double *f) {
    steps(c, n, u, e, f);
}
#else
#define steps_avx2 steps
#endif

bench_table *bench_table_create(size_t joints, const double *velocity) {
    enum { steps_until_even = 30 };
    bench_table *t = allocate(1, sizeof *t);
    const stiction_element wrist = bench_element('s');
    const stiction_phi_z *phi_z = &wrist.phi_z;
    (void)stiction_stribeck_table_init(&t->table, phi_z, t->entries, entry_count);
    t->entries[entry_count] = 0;
    t->c = (coefficients){.K = wrist.def.stiffness,
                          .Z = phi_z->Z,
                          .inverse_Z = phi_z->inverse_Z,
                          .timestep = wrist.def.timestep,
                          .threshold = t->table.start,
                          .inverse_spacing = 1 / t->table.spacing,
                          .last = entry_count - 1,
                          .gain = t->table.line.gain,
                          .offset = t->table.line.offset,
                          .entries = t->entries};
    t->joints = joints;
    t->velocity = velocity;
    t->deflection = bench_array(joints);
    t->torque = bench_array(joints);
    for (size_t k = 0; k < steps_until_even; k++) bench_table_run(t);
    return t;
}

void bench_table_destroy(bench_table *t) {
    if (!t) return;
    bench_array_free(t->deflection);
    bench_array_free(t->torque);
    free(t);
}

void bench_table_run(void *context) {
    bench_table *t = context;
    if (stiction_variant_runs(STICTION_AVX2))
        steps_avx2(&t->c, t->joints, t->velocity, t->deflection, t->torque);
    else
        steps(&t->c, t->joints, t->velocity, t->deflection, t->torque);
}

double bench_table_error(const bench_table *t) {
    enum { points = 20000 };
    double worst = 0;
    for (size_t k = 0; k < points; k++) {
        const double x = t->c.threshold + t->table.spacing * entry_count * bench_spread(k, 0);
        worst = fmax(worst, fabs(stiction_stribeck_table_at(&t->table, x) -
                                 stiction_phi_z_at(&t->table.phi_z, x)));
    }
    return worst;
}
