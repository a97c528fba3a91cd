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

#include "stiction/models/element.h"

#define STICTION_INLINE static inline __attribute__((always_inline))
/* Not copied for each caller: a loop of known length would be unrolled into pages of code. */
#ifdef __clang__
#define STICTION_BLOCK static __attribute__((noinline))
#else
#define STICTION_BLOCK static __attribute__((noipa))
#endif

/* Loops so short that counting would cost as much as computing. */
#ifdef __clang__
#define STICTION_UNROLL
#else
#define STICTION_UNROLL _Pragma("GCC unroll 4")
#endif

enum {
    element_c_block = STICTION_ELEMENT_C_BLOCK,
    element_c_long_block = 16 * element_c_block /* where the numbers are shared */
};

STICTION_INLINE uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

STICTION_INLINE double with_sign_bit(double magnitude, double sign) {
    const uint64_t bits = bits_of(magnitude) | (bits_of(sign) & (uint64_t)1 << 63);
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/* The joint k of a block of numbers. */
STICTION_INLINE stiction_element_c element_c_at(const double *numbers, bool shared, size_t k) {
    const size_t stride = shared ? 1 : element_c_block, at = shared ? 0 : k;
#define NUMBER(field) numbers[offsetof(stiction_element_c, field) / sizeof(double) * stride + at]
    return (stiction_element_c){
        .K = NUMBER(K),
        .Z = NUMBER(Z),
        .inverse_Z = NUMBER(inverse_Z),
        .breakaway = NUMBER(breakaway),
        .sliding = {NUMBER(sliding.offset), NUMBER(sliding.gain), NUMBER(sliding.amplitude),
                    NUMBER(sliding.rate), NUMBER(sliding.bend), NUMBER(sliding.one_minus_bend)},
    };
#undef NUMBER
}

/* (38a): v* */
STICTION_INLINE double element_c_input(const stiction_element_c *c, double u, double e) {
    return fma(c->Z * c->K, e, u);
}

/* |x| - Z Phi(+0), one rounding: its sign is exact, and it is the only comparison. */
STICTION_INLINE double element_c_excess(const stiction_element_c *c, double x) {
    return fma(-c->Z, c->breakaway, fabs(x));
}

/* (38b): Phi_Z(x), where `slide` is its magnitude on the sliding branch. */
STICTION_INLINE double element_c_force(const stiction_element_c *c, double x, double s,
                                       double slide) {
    return s > 0 ? with_sign_bit(slide, x) : x * c->inverse_Z;
}

/* (38c) as a change, so that rest stays rest. */
STICTION_INLINE double element_c_deflect(const stiction_element_c *c, double T, double e,
                                         double f) {
    return fma(T * c->Z, fma(-c->K, e, f), e);
}

/* The line (F_C + D |x|)/g that every sliding branch tends to. */
STICTION_INLINE double sliding_line(const stiction_sliding *c, double x) {
    return fma(c->gain, fabs(x), c->offset);
}

/* |Phi_Z(x)| on the sliding branch. In a loop over many it may be given s <= 0; whatever then. */
typedef double (*slide_function)(const stiction_sliding *c, double x, double s);

STICTION_INLINE double element_c_step(slide_function slide, const stiction_element_c *c, double T,
                                      double u, double *e, bool *sticks) {
    const double x = element_c_input(c, u, *e), s = element_c_excess(c, x);
    const bool slides = s > 0;
    *sticks = !slides;
    /* a branch, so that sticking costs nothing; copysign, as it is one joint, without integers */
    const double f = slides ? copysign(slide(&c->sliding, x, s), x) : x * c->inverse_Z;
    *e = element_c_deflect(c, T, *e, f);
    return f;
}

/* A block of m joints, a multiple of 4, whose velocities are all usable. */
typedef void (*block_function)(const double *restrict numbers, bool shared, double T, size_t m,
                               const double *restrict u, double *restrict e, double *restrict f);

/* The block of a law that is cheap enough for one loop. */
STICTION_INLINE void element_c_loop(slide_function slide, const double *restrict numbers,
                                    bool shared, double T, size_t m, const double *restrict u,
                                    double *restrict e, double *restrict f) {
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, k);
        const double x = element_c_input(&c, u[k], e[k]), s = element_c_excess(&c, x);
        f[k] = element_c_force(&c, x, s, slide(&c.sliding, x, s));
        e[k] = element_c_deflect(&c, T, e[k], f[k]);
    }
}

/* Whether all velocities are usable: bit 63 of a difference is set where one is not. */
STICTION_INLINE bool element_c_usable(size_t n, const double *u) {
    uint64_t beyond = 0;
    STICTION_UNROLL
    for (size_t k = 0; k < n; k++) beyond |= bits_of(STICTION_VELOCITY_LIMIT) - bits_of(fabs(u[k]));
    return !(beyond >> 63);
}

/* Up to four joints, where some may be missing and some velocities not usable: others at rest take
 * their places, so that there are no single ones. Gives the number of those not usable. */
STICTION_BLOCK size_t element_c_four(block_function block, const double *numbers, bool shared,
                                     double T, size_t n, const double *u, double *e, double *f) {
    double u4[4] = {0, 0, 0, 0}, e4[4] = {0, 0, 0, 0}, f4[4];
    for (size_t k = 0; k < n; k++)
        if (element_c_usable(1, &u[k])) {
            u4[k] = u[k];
            e4[k] = e[k];
        }
    block(numbers, shared, T, 4, u4, e4, f4);
    size_t faults = 0;
    for (size_t k = 0; k < n; k++) {
        const bool usable = element_c_usable(1, &u[k]);
        e[k] = usable ? e4[k] : e[k];
        f[k] = usable ? f4[k] : (double)NAN;
        faults += !usable;
    }
    return faults;
}

STICTION_INLINE size_t element_c_step_many(block_function block, size_t largest,
                                           const double *numbers, bool shared, double T, size_t n,
                                           const double *u, double *e, double *f) {
    size_t faults = 0;
    for (size_t k = 0, m; k < n; k += m) {
        m = n - k < largest ? n - k : largest;
        const bool usable = element_c_usable(m, u + k);
        size_t done = usable ? m & ~(size_t)3 : 0;
        if (done) block(numbers, shared, T, done, u + k, e + k, f + k);
        for (; done < m; done += 4) {
            const size_t left = m - done, at = k + done;
            faults += element_c_four(block, numbers + (shared ? 0 : done), shared, T,
                                     left < 4 ? left : 4, u + at, e + at, f + at);
        }
        numbers += shared ? 0 : STICTION_ELEMENT_C_NUMBERS * element_c_block;
    }
    return faults;
}

/* The step_many of a law from its block, which takes up to `largest` joints that share numbers. */
#define ELEMENT_C_STEP_MANY(block, largest)                                                        \
    STICTION_BLOCK void block_shared(const double *restrict numbers, bool shared, double T,        \
                                     size_t m, const double *restrict u, double *restrict e,       \
                                     double *restrict f) {                                         \
        (void)shared;                                                                              \
        if (m % 4) __builtin_unreachable();                                                        \
        block(numbers, true, T, m, u, e, f);                                                       \
    }                                                                                              \
    STICTION_BLOCK void block_own(const double *restrict numbers, bool shared, double T, size_t m, \
                                  const double *restrict u, double *restrict e,                    \
                                  double *restrict f) {                                            \
        (void)shared;                                                                              \
        if (m % 4) __builtin_unreachable();                                                        \
        block(numbers, false, T, m, u, e, f);                                                      \
    }                                                                                              \
    static size_t step_many(const double *numbers, bool shared, double T, size_t n,                \
                            const double *u, double *e, double *f) {                               \
        return shared ? element_c_step_many(block_shared, largest, numbers, true, T, n, u, e, f)   \
                      : element_c_step_many(block_own, element_c_block, numbers, false, T, n, u,   \
                                            e, f);                                                 \
    }

/* slide, step and step_many of a law whose sliding branch is short enough for one loop. */
#define ELEMENT_C_ONE_LOOP(slide_closed)                                                           \
    static double slide(const stiction_phi_z *phi_z, double x, double s) {                         \
        return slide_closed(&phi_z->sliding, x, s);                                                \
    }                                                                                              \
    static double step(const stiction_element_c *c, double T, double u, double *e, bool *sticks) { \
        return element_c_step(slide_closed, c, T, u, e, sticks);                                   \
    }                                                                                              \
    STICTION_INLINE void block(const double *restrict numbers, bool shared, double T, size_t m,    \
                               const double *restrict u, double *restrict e, double *restrict f) { \
        element_c_loop(slide_closed, numbers, shared, T, m, u, e, f);                              \
    }                                                                                              \
    ELEMENT_C_STEP_MANY(block, element_c_long_block)

#endif
