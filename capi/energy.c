/* SPDX-License-Identifier: MIT */
/* Dissipated energy, for any processor and with the vectors of AVX2. */
#include "energy.h"

#include "joint_internal.h"

static inline __attribute__((always_inline)) void
add(size_t fours, double timestep, const double *restrict stiffness,
    const double *restrict velocity, const double *restrict torque, const double *restrict before,
    const double *restrict after, double *restrict energy) {
    if (fours % 4) __builtin_unreachable(); /* no rest */
    for (size_t n = 0; n < fours; n++)
        energy[n] +=
            joint_dissipation(stiffness[n], timestep, velocity[n], torque[n], before[n], after[n]);
}

static void add_plain(size_t fours, double timestep, const double *restrict stiffness,
                      const double *restrict velocity, const double *restrict torque,
                      const double *restrict before, const double *restrict after,
                      double *restrict energy) {
    add(fours, timestep, stiffness, velocity, torque, before, after, energy);
}

#ifdef __x86_64__
/* Without fma: nothing may be contracted. */
__attribute__((target("avx2"))) static void
add_avx2(size_t fours, double timestep, const double *restrict stiffness,
         const double *restrict velocity, const double *restrict torque,
         const double *restrict before, const double *restrict after, double *restrict energy) {
    add(fours, timestep, stiffness, velocity, torque, before, after, energy);
}
#else
#define add_avx2 add_plain
#endif

energy_function stiction_energy_choose(void) {
    return stiction_variant_runs(STICTION_AVX2) ? add_avx2 : add_plain;
}
