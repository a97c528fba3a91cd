/* SPDX-License-Identifier: MIT
 * What the fast steps share: one joint in closed form, and loops over blocks of joints, which the
 * compiler turns into vector instructions.
 * No branch but on whole blocks, no call, no libm but fma and sqrt.
 */
#ifndef STICTION_JOINT_MODELS_FAST_BLOCK_H
#define STICTION_JOINT_MODELS_FAST_BLOCK_H

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "joint_models/element_c.h"

#define STICTION_INLINE static inline __attribute__((always_inline))
/* Not copied for each caller: a loop of known length would be unrolled into pages of code. */
#ifdef __clang__
#define STICTION_BLOCK static __attribute__((noinline))
#else
#define STICTION_BLOCK static __attribute__((noipa))
#endif
/* At the start of a cache line: where a short function lies shows in its time. */
#define STICTION_HOT __attribute__((aligned(64)))

enum {
    block_size = STICTION_FAST_BLOCK,
    long_block_size = 16 * block_size /* where the numbers are shared */
};

STICTION_INLINE uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The sign bit as it is: vectors are chosen by it without a comparison. */
STICTION_INLINE bool is_negative(double x) {
    return (int64_t)bits_of(x) < 0;
}

STICTION_INLINE double with_sign_bit(double magnitude, double sign) {
    const uint64_t bits = bits_of(magnitude) | (bits_of(sign) & (uint64_t)1 << 63);
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

STICTION_INLINE bool is_usable(double u) {
    return fabs(u) <= STICTION_VELOCITY_LIMIT;
}

/* ---- the joint k of a block of numbers ---- */

STICTION_INLINE size_t number_stride(bool shared) {
    return shared ? 1 : block_size;
}

/* Where its number `index` lies; the next one follows after number_stride. */
STICTION_INLINE const double *number_at(const double *numbers, bool shared, size_t index,
                                        size_t k) {
    return numbers + index * number_stride(shared) + (shared ? 0 : k);
}

/* Its coefficients, which are a law's business. */
STICTION_INLINE const double *coefficients_at(const double *numbers, bool shared, size_t k) {
    enum { first = offsetof(stiction_element_c, coefficients) / sizeof(double) };
    return number_at(numbers, shared, first, k);
}

/* All but its coefficients. */
typedef struct spring {
    double K, Z, inverse_Z, breakaway, ZK, TZ;
} spring;

STICTION_INLINE spring spring_at(const double *numbers, bool shared, double T, size_t k) {
    const size_t stride = number_stride(shared);
    const double *at = number_at(numbers, shared, 0, k);
    const double K = at[0], Z = at[stride], inverse_Z = at[2 * stride], breakaway = at[3 * stride];
    return (spring){K, Z, inverse_Z, breakaway, .ZK = Z * K, .TZ = Z * T};
}

/* (38b): Phi_Z(x), where `slide` is its magnitude on the sliding branch. */
STICTION_INLINE double force_at(double inverse_Z, double x, double reserve, double slide) {
    return is_negative(reserve) ? with_sign_bit(slide, x) : x * inverse_Z;
}

/* ---- one joint ---- */

/* |Phi_Z(x)| on the sliding branch. */
typedef double (*slide_function)(const double *coefficients, double x, double reserve);

STICTION_INLINE double step_single(slide_function slide, const stiction_element_c *c, double u,
                                   double *e) {
    const double x = element_c_input(c->ZK, u, *e);
    const double reserve = element_c_reserve(c->Z, c->breakaway, x);
    /* a branch, so that sticking costs nothing; copysign, as it is one joint, without integers */
    const double f =
        reserve < 0 ? copysign(slide(c->coefficients, x, reserve), x) : x * c->inverse_Z;
    *e = element_c_deflect(c->K, c->TZ, *e, f);
    return f;
}

/* ---- levels that change ---- */

/* Promises the compiler that a loop over m joints has no rest. */
STICTION_INLINE void promise_fours(size_t m) {
    if (m % 4) __builtin_unreachable();
}

typedef struct law_numbers {
    double list[STICTION_LAW_COEFFICIENTS];
} law_numbers;

/* What the file of a law defines: its coefficients for other levels, where `change` is known to the
 * compiler. They are rounded more often than those of prepare, to a few units of 1e-16. */
STICTION_INLINE law_numbers relevel(const stiction_element_c *c, const stiction_level_base *base,
                                    stiction_level_change change, double coulomb, double falling,
                                    double viscous);

/* 1/(1 + Z D) of a step. */
STICTION_INLINE double inverse_g_of(const stiction_element_c *c, const stiction_level_base *base,
                                    stiction_level_change change, double viscous) {
    return change == STICTION_ALL_LEVELS ? 1 / fma(c->Z, viscous, 1) : base->inverse_g;
}

STICTION_INLINE double slide_levelled(slide_function slide, const stiction_element_c *c,
                                      const stiction_level_base *base, stiction_level_change change,
                                      double coulomb, double falling, double viscous, double u,
                                      double *e) {
    const double x = element_c_input(c->ZK, u, *e);
    const double reserve = element_c_reserve(c->Z, coulomb + falling, x);
    double f = x * c->inverse_Z;
    if (reserve < 0) {
        const law_numbers law = relevel(c, base, change, coulomb, falling, viscous);
        f = copysign(slide(law.list, x, reserve), x);
    }
    *e = element_c_deflect(c->K, c->TZ, *e, f);
    return f;
}

/* Defined in the file of a law: the step of one joint with other levels. */
STICTION_INLINE double levelled(const stiction_element_c *c, const stiction_level_base *base,
                                stiction_level_change change, double coulomb, double falling,
                                double viscous, double u, double *e);

/* A function for each change. */
static double at_shift(const stiction_element_c *c, const stiction_level_base *base, double coulomb,
                       double falling, double viscous, double u, double *e) {
    return levelled(c, base, STICTION_SHIFT, coulomb, falling, viscous, u, e);
}

static double at_levels(const stiction_element_c *c, const stiction_level_base *base,
                        double coulomb, double falling, double viscous, double u, double *e) {
    return levelled(c, base, STICTION_LEVELS, coulomb, falling, viscous, u, e);
}

static double at_all(const stiction_element_c *c, const stiction_level_base *base, double coulomb,
                     double falling, double viscous, double u, double *e) {
    return levelled(c, base, STICTION_ALL_LEVELS, coulomb, falling, viscous, u, e);
}

/* ---- many joints ---- */

/*
 * Defined in the file of a law: steps m joints, a multiple of 4, and returns whether all velocities
 * can be used. It checks the sum of their magnitudes: if the sum is within the limit, so is each
 * velocity, and NaN in one is NaN in the sum. A joint whose velocity cannot be used does not
 * change, and its f is undefined.
 */
STICTION_INLINE bool step_block(const double *restrict numbers, bool shared, double T, size_t m,
                                const double *restrict u, double *restrict e, double *restrict f);

/* A copy of the numbers that all joints share: without it, clang assumes that the loop may
 * overwrite them. */
STICTION_INLINE const double *numbers_apart(const double *numbers,
                                            double room[STICTION_FAST_NUMBERS]) {
#ifdef __clang__
    memcpy(room, numbers, STICTION_FAST_NUMBERS * sizeof *room);
    return room;
#else
    (void)room;
    return numbers;
#endif
}

/* A block of joints that share their numbers, and one of joints that have their own. */
STICTION_BLOCK bool step_shared(const double *restrict numbers, double T, size_t m,
                                const double *restrict u, double *restrict e, double *restrict f) {
    double room[STICTION_FAST_NUMBERS];
    return step_block(numbers_apart(numbers, room), true, T, m, u, e, f);
}

STICTION_BLOCK bool step_own(const double *restrict numbers, double T, size_t m,
                             const double *restrict u, double *restrict e, double *restrict f) {
    return step_block(numbers, false, T, m, u, e, f);
}

typedef bool (*block_function)(const double *restrict numbers, double T, size_t m,
                               const double *restrict u, double *restrict e, double *restrict f);

/* A block in which a velocity may not be usable, joint by joint. */
STICTION_INLINE bool step_carefully(slide_function slide, const double *numbers, bool shared,
                                    double T, size_t m, const double *u, double *e, double *f) {
    bool usable = true;
    for (size_t k = 0; k < m; k++) {
        if (!is_usable(u[k])) {
            usable = false;
            continue;
        }
        const spring s = spring_at(numbers, shared, T, k);
        const double *at = coefficients_at(numbers, shared, k);
        stiction_element_c c = {s.K, s.Z, s.inverse_Z, s.breakaway, .ZK = s.ZK, .TZ = s.TZ};
        for (size_t n = 0; n < STICTION_LAW_COEFFICIENTS; n++)
            c.coefficients[n] = at[n * number_stride(shared)];
        f[k] = step_single(slide, &c, u[k], &e[k]);
    }
    return usable;
}

/* Up to a block of any number of joints: others at rest fill up the last four. */
STICTION_BLOCK bool step_padded(block_function block, const double *numbers, double T, size_t m,
                                const double *u, double *e, double *f) {
    double own_u[block_size], own_e[block_size], own_f[block_size];
    memcpy(own_u, u, m * sizeof *u);
    memcpy(own_e, e, m * sizeof *e);
    size_t fours = m;
    for (; fours % 4; fours++) own_u[fours] = own_e[fours] = 0;
    const bool usable = block(numbers, T, fours, own_u, own_e, own_f);
    memcpy(e, own_e, m * sizeof *e);
    memcpy(f, own_f, m * sizeof *f);
    return usable;
}

/* NaN for the torques of velocities that are not usable; gives their number. */
STICTION_BLOCK size_t refuse_unusable(size_t n, const double *u, double *f) {
    size_t faults = 0;
    for (size_t k = 0; k < n; k++)
        if (!is_usable(u[k])) {
            f[k] = (double)NAN;
            faults++;
        }
    return faults;
}

/* Joints in blocks of up to `largest`. */
STICTION_INLINE size_t step_in_turn(block_function block, size_t largest, const double *numbers,
                                    bool shared, double T, size_t n, const double *u, double *e,
                                    double *f) {
    if (n <= block_size && n % 4 == 0) /* few have no time to lose */
        return block(numbers, T, n, u, e, f) ? 0 : refuse_unusable(n, u, f);
    size_t faults = 0;
    for (size_t k = 0, m; k < n; k += m) {
        m = n - k < largest ? n - k : largest;
        if (m % 4 && m > block_size) m -= m % block_size;
        const bool usable = m % 4 ? step_padded(block, numbers, T, m, u + k, e + k, f + k)
                                  : block(numbers, T, m, u + k, e + k, f + k);
        if (!usable) faults += refuse_unusable(m, u + k, f + k);
        numbers += shared ? 0 : STICTION_FAST_NUMBERS * block_size;
    }
    return faults;
}

/* The same, with step_block; `largest` is for joints that share their numbers, the others lie in
 * blocks of block_size. */
STICTION_INLINE size_t step_blocks(size_t largest, const double *numbers, bool shared, double T,
                                   size_t n, const double *u, double *e, double *f) {
    return shared ? step_in_turn(step_shared, largest, numbers, true, T, n, u, e, f)
                  : step_in_turn(step_own, block_size, numbers, false, T, n, u, e, f);
}

#endif
