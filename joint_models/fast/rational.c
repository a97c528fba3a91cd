/* SPDX-License-Identifier: MIT
 * The fast step of the rational law. Two loops, as root and quotient in one would be a chain of
 * operations that wait for each other.
 */
#include "joint_models/laws/rational.h"
#include "joint_models/fast/block.h"
#include "joint_models/viscosity.h"

STICTION_INLINE double slide(const double *coefficients, double x, double reserve) {
    return rational_slide(rational_coefficients_of(coefficients), x, reserve);
}

STICTION_HOT static double step(const stiction_element_c *c, double u, double *e) {
    return step_single(slide, c, u, e);
}

STICTION_INLINE law_numbers relevel(const stiction_element_c *c, const stiction_level_base *base,
                                    stiction_level_change change, double coulomb, double falling,
                                    double viscous) {
    const double inverse_g = inverse_g_of(c, base, change, viscous);
    const bool shifts = change == STICTION_SHIFT, keeps = change != STICTION_ALL_LEVELS;
    rational_coefficients law = *rational_coefficients_of(c->coefficients);
    law.line.offset = coulomb * inverse_g;
    law.line.gain = keeps ? law.line.gain : viscous * inverse_g;
    if (!shifts) rational_set_fall(&law, c->Z, falling * inverse_g, base->inverse_v_S, inverse_g);
    law_numbers numbers;
    memcpy(&numbers, &law, sizeof numbers);
    return numbers;
}
_Static_assert(sizeof(law_numbers) == sizeof(rational_coefficients), "nothing but doubles");

STICTION_INLINE double levelled(const stiction_element_c *c, const stiction_level_base *base,
                                stiction_level_change change, double coulomb, double falling,
                                double viscous, double u, double *e) {
    return slide_levelled(slide, c, base, change, coulomb, falling, viscous, u, e);
}

STICTION_BLOCK bool careful(const double *numbers, bool shared, double T, size_t m, const double *u,
                            double *e, double *f) {
    return step_carefully(slide, numbers, shared, T, m, u, e, f);
}

STICTION_INLINE rational_coefficients law_at(const double *numbers, bool shared, size_t k) {
    return rational_coefficients_at(coefficients_at(numbers, shared, k), number_stride(shared));
}

/* What the first loop leaves for the second. */
typedef struct stages {
    _Alignas(64) double x[block_size];
    double reserve[block_size], divisor[block_size];
} stages;

STICTION_INLINE void start_joint(const double *numbers, bool shared, double T, double u, double e,
                                 stages *a, size_t k) {
    const spring c = spring_at(numbers, shared, T, k);
    const rational_coefficients law = law_at(numbers, shared, k);
    a->x[k] = element_c_input(c.ZK, u, e);
    a->reserve[k] = element_c_reserve(c.Z, c.breakaway, a->x[k]);
    a->divisor[k] = rational_divisor(&law, a->reserve[k]);
}

/* From the quotient 2 amplitude/divisor. */
STICTION_INLINE void finish_joint(const double *numbers, bool shared, double T, const stages *a,
                                  size_t k, double quotient, double *e, double *f) {
    const spring c = spring_at(numbers, shared, T, k);
    const rational_coefficients law = law_at(numbers, shared, k);
    *f = force_at(c.inverse_Z, a->x[k], a->reserve[k], rational_sum(&law, a->x[k], quotient));
    *e = element_c_deflect(c.K, c.TZ, *e, *f);
}

STICTION_INLINE bool step_block(const double *restrict numbers, bool shared, double T, size_t m,
                                const double *restrict u, double *restrict e, double *restrict f) {
    stages a;
    double sum = 0;
    promise_fours(m);
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < m; k++) {
        start_joint(numbers, shared, T, u[k], e[k], &a, k);
        sum += fabs(u[k]);
    }
    if (!is_usable(sum)) return careful(numbers, shared, T, m, u, e, f);
    for (size_t k = 0; k < m; k++) {
        const rational_coefficients law = law_at(numbers, shared, k);
        finish_joint(numbers, shared, T, &a, k, rational_amplitude(&law) / a.divisor[k], &e[k],
                     &f[k]);
    }
    return true;
}

static size_t step_many(const double *numbers, bool shared, double T, size_t n, const double *u,
                        double *e, double *f) {
    return step_blocks(block_size, numbers, shared, T, n, u, e, f);
}

const stiction_fast_step stiction_fast_rational = {
    .law = "rational",
    .covers = stiction_viscosity_is_linear,
    .step = step,
    .sticks = element_c_sticks,
    .step_many = step_many,
    .step_levelled = {at_shift, at_levels, at_all},
};
