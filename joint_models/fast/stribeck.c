/* SPDX-License-Identifier: MIT
 * The fast step of the Stribeck law with alpha = 1. For many joints each stage is a separate loop,
 * with intermediate results on the stack, because one long chain of dependent operations would
 * stall the processor.
 */
#include "joint_models/laws/stribeck.h"
#include "joint_models/fast/block.h"
#include "joint_models/viscosity.h"

static bool covers(const stiction_law_parameters *p) {
    return p->stribeck_exponent == 1 && stiction_viscosity_is_linear(p);
}

STICTION_INLINE double slide(const double *coefficients, double x, double reserve) {
    return stribeck_slide(stribeck_coefficients_of(coefficients), x, reserve);
}

STICTION_HOT static double step(const stiction_element_c *c, double u, double *e) {
    return step_single(slide, c, u, e);
}

STICTION_INLINE law_numbers relevel(const stiction_element_c *c, const stiction_level_base *base,
                                    stiction_level_change change, double coulomb, double falling,
                                    double viscous) {
    const double inverse_g = inverse_g_of(c, base, change, viscous);
    const bool shifts = change == STICTION_SHIFT, keeps = change != STICTION_ALL_LEVELS;
    stribeck_coefficients law = *stribeck_coefficients_of(c->coefficients);
    law.line.offset = coulomb * inverse_g;
    law.line.gain = keeps ? law.line.gain : viscous * inverse_g;
    if (!shifts) stribeck_set_fall(&law, c->Z, falling * inverse_g, base->inverse_v_S, inverse_g);
    law_numbers numbers;
    memcpy(&numbers, &law, sizeof numbers);
    return numbers;
}
_Static_assert(sizeof(law_numbers) == sizeof(stribeck_coefficients), "nothing but doubles");

STICTION_INLINE double levelled(const stiction_element_c *c, const stiction_level_base *base,
                                stiction_level_change change, double coulomb, double falling,
                                double viscous, double u, double *e) {
    return slide_levelled(slide, c, base, change, coulomb, falling, viscous, u, e);
}

STICTION_BLOCK bool careful(const double *numbers, bool shared, double T, size_t m, const double *u,
                            double *e, double *f) {
    return step_carefully(slide, numbers, shared, T, m, u, e, f);
}

STICTION_INLINE stribeck_coefficients law_at(const double *numbers, bool shared, size_t k) {
    return stribeck_coefficients_at(coefficients_at(numbers, shared, k), number_stride(shared));
}

/* What one stage leaves for the next. */
typedef struct stages {
    _Alignas(64) double x[block_size];
    double reserve[block_size];
    double r[block_size], power[block_size];
    double scale[block_size], p[block_size], p2[block_size];
    double ratio[block_size];
    /* Two of them in a row do not lie a page apart: of a number that is read, Intel's processors
     * see by its place in a page whether it is being written. */
    double apart[32];
} stages;

typedef struct outlook {
    bool usable; /* all velocities */
    bool slides; /* a joint */
} outlook;

/* Each stage of the joint k. */
STICTION_INLINE void start_joint(const double *numbers, bool shared, double T, double least,
                                 double u, double e, stages *a, size_t k) {
    const spring c = spring_at(numbers, shared, T, k);
    const stribeck_coefficients law = law_at(numbers, shared, k);
    a->x[k] = element_c_input(c.ZK, u, e);
    a->reserve[k] = element_c_reserve(c.Z, c.breakaway, a->x[k]);
    const stiction_exp2_reduced decay = stribeck_decay(&law, a->reserve[k], least);
    a->r[k] = decay.r;
    a->power[k] = decay.power;
}

STICTION_INLINE void find_term(const double *numbers, bool shared, stages *a, size_t k) {
    const stribeck_coefficients law = law_at(numbers, shared, k);
    const stribeck_term t = stribeck_term_of(&law, (stiction_exp2_reduced){a->r[k], a->power[k]});
    a->scale[k] = t.scale;
    a->p[k] = t.p;
    a->p2[k] = t.p2;
}

STICTION_INLINE void finish_joint(const double *numbers, bool shared, double T, const stages *a,
                                  size_t k, double ratio, double *e, double *f) {
    const spring c = spring_at(numbers, shared, T, k);
    const stribeck_coefficients law = law_at(numbers, shared, k);
    *f = force_at(c.inverse_Z, a->x[k], a->reserve[k],
                  stribeck_sum(&law, a->x[k], a->scale[k], ratio));
    *e = element_c_deflect(c.K, c.TZ, *e, *f);
}

/* The bound of the exponent, read at run time: of a constant one gcc makes a comparison and a
 * blend. */
STICTION_INLINE double least_exponent(void) {
    const volatile double bound = stribeck_least_exponent;
    return bound;
}

STICTION_INLINE outlook start(const double *restrict numbers, bool shared, double T, size_t m,
                              const double *restrict u, const double *restrict e, stages *a) {
    const double least = least_exponent();
    double sum = 0;
    uint64_t signs = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < m; k++) {
        start_joint(numbers, shared, T, least, u[k], e[k], a, k);
        signs |= bits_of(a->reserve[k]);
        sum += fabs(u[k]);
    }
    return (outlook){is_usable(sum), signs >> 63};
}

STICTION_INLINE void find_terms(const double *restrict numbers, bool shared, size_t m, stages *a) {
    for (size_t k = 0; k < m; k++) find_term(numbers, shared, a, k);
}

STICTION_INLINE void find_ratios(size_t m, stages *a) {
    for (size_t k = 0; k < m; k++) a->ratio[k] = stiction_lambert_ratio(a->p[k], a->p2[k]);
}

/* Where `with_ratio`, finds the ratios on the way. */
STICTION_INLINE void finish(const double *restrict numbers, bool shared, double T, size_t m,
                            bool with_ratio, const stages *a, double *restrict e,
                            double *restrict f) {
    for (size_t k = 0; k < m; k++)
        finish_joint(numbers, shared, T, a, k,
                     with_ratio ? stiction_lambert_ratio(a->p[k], a->p2[k]) : a->ratio[k], &e[k],
                     &f[k]);
}

/* Where no joint slides. */
STICTION_INLINE void stick(const double *restrict numbers, bool shared, double T, size_t m,
                           const stages *a, double *restrict e, double *restrict f) {
    for (size_t k = 0; k < m; k++) {
        const spring c = spring_at(numbers, shared, T, k);
        f[k] = a->x[k] * c.inverse_Z;
        e[k] = element_c_deflect(c.K, c.TZ, e[k], f[k]);
    }
}

/* So few joints are all on their way at once: a loop less is faster. */
enum { few = 24 };

STICTION_INLINE bool step_block(const double *restrict numbers, bool shared, double T, size_t m,
                                const double *restrict u, double *restrict e, double *restrict f) {
    stages a;
    promise_fours(m);
    const outlook all = start(numbers, shared, T, m, u, e, &a);
    if (!all.usable) return careful(numbers, shared, T, m, u, e, f);
    if (!all.slides) {
        stick(numbers, shared, T, m, &a, e, f);
        return true;
    }
    find_terms(numbers, shared, m, &a);
    if (m <= few) {
        finish(numbers, shared, T, m, true, &a, e, f);
    } else {
        find_ratios(m, &a);
        finish(numbers, shared, T, m, false, &a, e, f);
    }
    return true;
}

static size_t step_many(const double *numbers, bool shared, double T, size_t n, const double *u,
                        double *e, double *f) {
    return step_blocks(block_size, numbers, shared, T, n, u, e, f);
}

const stiction_fast_step stiction_fast_stribeck = {
    .law = "stribeck",
    .covers = covers,
    .step = step,
    .sticks = element_c_sticks,
    .step_many = step_many,
    .step_levelled = {at_shift, at_levels, at_all},
};
