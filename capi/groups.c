/* SPDX-License-Identifier: MIT */
/* How the joints of a model or a state are grouped by fast step. */
#include "groups.h"

#include <stdlib.h>

/* ---- dissipated energy, for any processor and with the vectors of AVX2 ---- */

static inline __attribute__((always_inline)) void
add_energy(size_t fours, double timestep, const double *restrict stiffness,
           const double *restrict velocity, const double *restrict torque,
           const double *restrict before, const double *restrict after, double *restrict energy) {
    if (fours % 4) __builtin_unreachable(); /* no rest */
    for (size_t n = 0; n < fours; n++)
        energy[n] +=
            joint_dissipation(stiffness[n], timestep, velocity[n], torque[n], before[n], after[n]);
}

static void add_energy_plain(size_t fours, double timestep, const double *restrict stiffness,
                             const double *restrict velocity, const double *restrict torque,
                             const double *restrict before, const double *restrict after,
                             double *restrict energy) {
    add_energy(fours, timestep, stiffness, velocity, torque, before, after, energy);
}

#ifdef __x86_64__
/* Without fma: nothing may be contracted. */
__attribute__((target("avx2"))) static void
add_energy_avx2(size_t fours, double timestep, const double *restrict stiffness,
                const double *restrict velocity, const double *restrict torque,
                const double *restrict before, const double *restrict after,
                double *restrict energy) {
    add_energy(fours, timestep, stiffness, velocity, torque, before, after, energy);
}
#else
#define add_energy_avx2 add_energy_plain
#endif

/* The one for this processor. */
static energy_function choose_energy(void) {
    return stiction_variant_runs(STICTION_AVX2) ? add_energy_avx2 : add_energy_plain;
}

/* ---- groups ---- */

enum { block = STICTION_FAST_BLOCK, line = 8 /* doubles */ };

static size_t whole_lines(size_t count) {
    return (count + line - 1) / line * line;
}

size_t stiction_groups_most_homes(size_t joints) {
    return whole_lines(joints) + stiction_fast_count() * line;
}

/* Whole blocks for every column that is long. */
static size_t most_numbers(size_t joints) {
    const size_t kinds = stiction_fast_count(), most = joints / least_long;
    const size_t blocks = joints / block + (most < kinds ? most : kinds);
    return blocks * block * STICTION_FAST_NUMBERS;
}

bool stiction_groups_create(joint_groups *g, size_t joints) {
    *g = (joint_groups){.columns = calloc(stiction_fast_count() + 2, sizeof *g->columns),
                        .slots = calloc(joints + 1, sizeof *g->slots),
                        .numbers = stiction_columns_lines(most_numbers(joints)),
                        .homes = calloc(joints + 1, sizeof *g->homes),
                        .add_energy = choose_energy()};
    if (g->columns && g->slots && g->numbers && g->homes) return true;
    stiction_groups_destroy(g);
    return false;
}

void stiction_groups_destroy(joint_groups *g) {
    free(g->columns);
    free(g->slots);
    free(g->numbers);
    free(g->homes);
    *g = (joint_groups){.columns = NULL};
}

/* The numbers of its joints, and where they have their homes. */
static void settle(joint_groups *g, const column *c, const joint *joints) {
    for (size_t k = 0; k < c->count; k++) {
        const size_t slot = column_slot(c, k);
        stiction_column_read_numbers(c, k, &joints[slot]);
        g->homes[slot] = c->start + k;
    }
}

void stiction_groups_fill(joint_groups *g, const joint *joints, size_t count) {
    const size_t kinds = stiction_fast_count();
    size_t *slots = g->slots, start = 0;
    double *numbers = g->numbers;
    g->column_count = 0;
    g->has_many = false;
    for (size_t l = 0; l <= kinds; l++) { /* with one more for those without a fast step */
        column *c = &g->columns[g->column_count];
        *c = (column){.fast = l < kinds ? stiction_fast_at(l) : NULL,
                      .slots = slots,
                      .start = start,
                      .numbers = numbers};
        for (size_t k = 0; k < count; k++) {
            if (joint_fast_step(&joints[k]) != c->fast) continue;
            slots[c->count++] = k;
            g->homes[k] = no_home;
        }
        if (c->count == 0) continue;
        g->column_count++;
        slots += c->count;
        c->first = c->slots[0];
        if (c->slots[c->count - 1] - c->first == c->count - 1) c->slots = NULL;
        if (!column_is_long(c)) continue;
        settle(g, c, joints);
        numbers += (c->count + block - 1) / block * block * STICTION_FAST_NUMBERS;
        start += whole_lines(c->count);
        g->has_many = true;
    }
}
