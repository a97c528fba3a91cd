/*
 * Element C in one dimension, for the closed forms: Kikuuwe et al. 2006, (38). One source for one
 * joint and for loops over many, which the compiler turns into vector instructions.
 * No branch but on whole blocks, no call, no libm but fma and sqrt.
 */
#ifndef STICTION_JOINT_MODELS_ELEMENT_C_H
#define STICTION_JOINT_MODELS_ELEMENT_C_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "joint_models/element.h"

#define STICTION_INLINE static inline __attribute__((always_inline))
/* Not copied for each caller: a loop of known length would be unrolled into pages of code. */
#ifdef __clang__
#define STICTION_BLOCK static __attribute__((noinline))
#else
#define STICTION_BLOCK static __attribute__((noipa))
#endif

/* clang is not sure that a loop leaves shared numbers alone, unless nobody else has them. */
#ifdef __clang__
#define STICTION_NUMBERS_APART(numbers)                                                            \
    memcpy((double[STICTION_ELEMENT_C_NUMBERS]){0}, numbers,                                       \
           STICTION_ELEMENT_C_NUMBERS * sizeof(double))
#else
#define STICTION_NUMBERS_APART(numbers) (numbers)
#endif

/* At the start of a cache line: where a short function lies shows in its time. */
#define STICTION_HOT __attribute__((aligned(64)))

/* A loop whose sum may be taken in any order. */
#define STICTION_SUM(sum)     STICTION_PRAGMA(omp simd reduction(+ : sum))
#define STICTION_PRAGMA(text) _Pragma(#text)

enum {
    element_c_block = STICTION_ELEMENT_C_BLOCK,
    element_c_long_block = 16 * element_c_block /* where the numbers are shared */
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

/* The joint k of a block of numbers. */
STICTION_INLINE stiction_element_c element_c_at(const double *numbers, bool shared, double T,
                                                size_t k) {
    const size_t stride = shared ? 1 : element_c_block, at = shared ? 0 : k;
#define NUMBER(field) numbers[offsetof(stiction_element_c, field) / sizeof(double) * stride + at]
    return (stiction_element_c){
        .K = NUMBER(K),
        .Z = NUMBER(Z),
        .inverse_Z = NUMBER(inverse_Z),
        .breakaway = NUMBER(breakaway),
        .sliding = {NUMBER(sliding.offset), NUMBER(sliding.gain), NUMBER(sliding.amplitude),
                    NUMBER(sliding.rate), NUMBER(sliding.bend), NUMBER(sliding.one_minus_bend)},
        .ZK = NUMBER(Z) * NUMBER(K),
        .TZ = NUMBER(Z) * T,
    };
#undef NUMBER
}

/* (38a): v* */
STICTION_INLINE double element_c_input(const stiction_element_c *c, double u, double e) {
    return fma(c->ZK, e, u);
}

/* Z Phi(+0) - |x|, one rounding, so that its sign is exact: the joint slides where it is negative.
 */
STICTION_INLINE double element_c_reserve(const stiction_element_c *c, double x) {
    return fma(c->Z, c->breakaway, -fabs(x));
}

static inline bool element_c_sticks(const stiction_element_c *c, double u, double e) {
    return element_c_reserve(c, element_c_input(c, u, e)) >= 0;
}

/* (38b): Phi_Z(x), where `slide` is its magnitude on the sliding branch. */
STICTION_INLINE double element_c_force(const stiction_element_c *c, double x, double reserve,
                                       double slide) {
    return is_negative(reserve) ? with_sign_bit(slide, x) : x * c->inverse_Z;
}

/* (38c) as a change, so that rest stays rest; unless `moves`, e as it is. */
STICTION_INLINE double element_c_deflect_if(bool moves, const stiction_element_c *c, double e,
                                            double f) {
    const double gap = moves ? fma(-c->K, e, f) : 0;
    return fma(c->TZ, gap, e);
}

STICTION_INLINE double element_c_deflect(const stiction_element_c *c, double e, double f) {
    return element_c_deflect_if(true, c, e, f);
}

/* The line (F_C + D |x|)/g that every sliding branch tends to. */
STICTION_INLINE double sliding_line(const stiction_sliding *c, double x) {
    return fma(c->gain, fabs(x), c->offset);
}

/* |Phi_Z(x)| on the sliding branch. In a loop over many it may be given a reserve that is not
 * negative; whatever then. */
typedef double (*slide_function)(const stiction_sliding *c, double x, double reserve);

STICTION_INLINE double element_c_step(slide_function slide, const stiction_element_c *c, double u,
                                      double *e) {
    const double x = element_c_input(c, u, *e), reserve = element_c_reserve(c, x);
    /* a branch, so that sticking costs nothing; copysign, as it is one joint, without integers */
    const double f = reserve < 0 ? copysign(slide(&c->sliding, x, reserve), x) : x * c->inverse_Z;
    *e = element_c_deflect(c, *e, f);
    return f;
}

STICTION_INLINE bool is_usable(double u) {
    return fabs(u) <= STICTION_VELOCITY_LIMIT;
}

/*
 * Many joints. A block function steps m of them, a multiple of 4, and gives whether all velocities
 * are usable, which is so where their sum is; a joint whose velocity is not stays as it was, and
 * its f is anything.
 */
#define BLOCK_PARAMETERS                                                                           \
    const double *restrict numbers, bool shared, double T, size_t m, const double *restrict u,     \
        double *restrict e, double *restrict f
typedef bool (*block_function)(BLOCK_PARAMETERS);

/* A block in which a velocity may not be usable, joint by joint. */
STICTION_INLINE bool element_c_careful(slide_function slide, BLOCK_PARAMETERS) {
    bool usable = true;
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, T, k);
        if (is_usable(u[k]))
            f[k] = element_c_step(slide, &c, u[k], &e[k]);
        else
            usable = false;
    }
    return usable;
}

/* Up to a block of any number of joints: others at rest fill up the last four. */
STICTION_BLOCK bool element_c_padded(block_function block, BLOCK_PARAMETERS) {
    double own_u[element_c_block], own_e[element_c_block], own_f[element_c_block];
    memcpy(own_u, u, m * sizeof *u);
    memcpy(own_e, e, m * sizeof *e);
    size_t fours = m;
    for (; fours % 4; fours++) own_u[fours] = own_e[fours] = 0;
    const bool usable = block(numbers, shared, T, fours, own_u, own_e, own_f);
    memcpy(e, own_e, m * sizeof *e);
    memcpy(f, own_f, m * sizeof *f);
    return usable;
}

/* NaN for the torques of velocities that are not usable; gives their number. */
STICTION_BLOCK size_t element_c_refuse(size_t n, const double *u, double *f) {
    size_t faults = 0;
    for (size_t k = 0; k < n; k++)
        if (!is_usable(u[k])) {
            f[k] = (double)NAN;
            faults++;
        }
    return faults;
}

STICTION_INLINE size_t element_c_step_many(block_function block, size_t largest,
                                           const double *numbers, bool shared, double T, size_t n,
                                           const double *u, double *e, double *f) {
    if (n <= element_c_block && n % 4 == 0) /* few have no time to lose */
        return block(numbers, shared, T, n, u, e, f) ? 0 : element_c_refuse(n, u, f);
    size_t faults = 0;
    for (size_t k = 0, m; k < n; k += m) {
        m = n - k < largest ? n - k : largest;
        if (m % 4 && m > element_c_block) m -= m % element_c_block;
        const bool usable =
            m % 4 ? element_c_padded(block, numbers, shared, T, m, u + k, e + k, f + k)
                  : block(numbers, shared, T, m, u + k, e + k, f + k);
        if (!usable) faults += element_c_refuse(m, u + k, f + k);
        numbers += shared ? 0 : STICTION_ELEMENT_C_NUMBERS * element_c_block;
    }
    return faults;
}

/* The step_many of a law from its block, which takes up to `largest` joints that share numbers. */
#define ELEMENT_C_STEP_MANY(block, largest)                                                        \
    STICTION_BLOCK bool block_shared(BLOCK_PARAMETERS) {                                           \
        (void)shared;                                                                              \
        if (m % 4) __builtin_unreachable();                                                        \
        return block(STICTION_NUMBERS_APART(numbers), true, T, m, u, e, f);                        \
    }                                                                                              \
    STICTION_BLOCK bool block_own(BLOCK_PARAMETERS) {                                              \
        (void)shared;                                                                              \
        if (m % 4) __builtin_unreachable();                                                        \
        return block(numbers, false, T, m, u, e, f);                                               \
    }                                                                                              \
    static size_t step_many(const double *numbers, bool shared, double T, size_t n,                \
                            const double *u, double *e, double *f) {                               \
        return shared ? element_c_step_many(block_shared, largest, numbers, true, T, n, u, e, f)   \
                      : element_c_step_many(block_own, element_c_block, numbers, false, T, n, u,   \
                                            e, f);                                                 \
    }

#endif
