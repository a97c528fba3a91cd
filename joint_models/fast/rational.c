/* SPDX-License-Identifier: MIT
 * The fast step of the rational law. Two loops, as root and quotient in one would be a chain of
 * operations that wait for each other.
 */
#include "joint_models/laws/rational.h"
#include "joint_models/fast/block.h"
#include "joint_models/fast/conveyor.h"
#include "joint_models/fast/quotient.h"
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
struct stages {
    _Alignas(64) double x[block_size];
    double reserve[block_size], divisor[block_size];
};

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

/* ---- on the conveyor ---- */

/* All that is left to the divider there is the root: quotients are from multiplications. Divisors
 * are from 1 to 4 (1 + sigma), sigma up to the rate times the sum of all |x|: beyond this bound a
 * block is done joint by joint. */
static const double most_sigma = 0x1p300;

/* What the amplitude must be for that: none, or in the middle of the numbers, so that both are
 * within STICTION_QUOTIENT_LEAST and STICTION_QUOTIENT_MOST. */
STICTION_INLINE bool multiplies(const double *numbers) {
    const rational_coefficients law = law_at(numbers, true, 0);
    return law.amplitude == 0 || (law.amplitude >= 0x1p-300 && law.amplitude <= 0x1p300);
}

STICTION_INLINE outlook outlook_of(const double *numbers, double sum_u, double sum_x) {
    const rational_coefficients law = law_at(numbers, true, 0);
    return (outlook){is_usable(sum_u) && law.rate * sum_x <= most_sigma, true};
}

STICTION_BLOCK outlook begin_block(const double *numbers, double T, size_t m, const double *u,
                                   const double *e, stages *a) {
    double room[STICTION_FAST_NUMBERS], sum_u = 0, sum_x = 0;
    const double *own = numbers_apart(numbers, room);
    promise_block(m);
#pragma omp simd reduction(+ : sum_u, sum_x)
    for (size_t k = 0; k < m; k++) {
        start_joint(own, true, T, u[k], e[k], a, k);
        sum_u += fabs(u[k]);
        sum_x += fabs(a->x[k]);
    }
    return outlook_of(own, sum_u, sum_x);
}

/* The root of the next joint beside the quotient of this one. */
STICTION_BLOCK outlook go_on(const double *numbers, double T, size_t m, stages *restrict before,
                             double *restrict e, double *restrict f, const double *restrict next_u,
                             const double *restrict next_e, stages *restrict next) {
    double room[STICTION_FAST_NUMBERS], sum_u = 0, sum_x = 0;
    const double *own = numbers_apart(numbers, room);
    const rational_coefficients law = law_at(own, true, 0);
    const double amplitude = rational_amplitude(&law);
    promise_block(m);
#pragma omp simd reduction(+ : sum_u, sum_x)
    for (size_t k = 0; k < m; k++) {
        start_joint(own, true, T, next_u[k], next_e[k], next, k);
        sum_u += fabs(next_u[k]);
        sum_x += fabs(next->x[k]);
        finish_joint(own, true, T, before, k, stiction_quotient(amplitude, before->divisor[k]),
                     &e[k], &f[k]);
    }
    return outlook_of(own, sum_u, sum_x);
}

STICTION_BLOCK void end_block(const double *numbers, double T, size_t m, const stages *restrict a,
                              double *restrict e, double *restrict f) {
    double room[STICTION_FAST_NUMBERS];
    const double *own = numbers_apart(numbers, room);
    const rational_coefficients law = law_at(own, true, 0);
    const double amplitude = rational_amplitude(&law);
    promise_block(m);
    for (size_t k = 0; k < m; k++)
        finish_joint(own, true, T, a, k, amplitude / a->divisor[k], &e[k], &f[k]);
}

/* The block does not check its joints. */
static void stick_block(const double *numbers, double T, size_t m, const stages *a, double *e,
                        double *f) {
    end_block(numbers, T, m, a, e, f);
}

static size_t step_many(const double *numbers, bool shared, double T, size_t n, const double *u,
                        double *e, double *f) {
    if (!STICTION_WIDE || !shared || n < 2 * block_size || !multiplies(numbers))
        return step_blocks(block_size, numbers, shared, T, n, u, e, f);
    stages a, b;
    return step_conveyed(&a, &b, numbers, T, n, u, e, f);
}

const stiction_fast_step stiction_fast_rational = {
    .law = "rational",
    .covers = stiction_viscosity_is_linear,
    .step = step,
    .sticks = element_c_sticks,
    .step_many = step_many,
    .step_levelled = {at_shift, at_levels, at_all},
    .level_many = level_many,
};
