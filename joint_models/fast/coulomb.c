/* SPDX-License-Identifier: MIT */
/* The fast step of Coulomb friction: short enough for one loop. */
#include "joint_models/laws/coulomb.h"
#include "joint_models/fast/block.h"
#include "joint_models/viscosity.h"

STICTION_HOT static double step(const stiction_element_c *c, double u, double *e) {
    const double x = element_c_input(c->ZK, u, *e);
    const double f =
        copysign(coulomb_magnitude(c->inverse_Z, coulomb_line(c->coefficients, 1), x), x);
    *e = element_c_deflect(c->K, c->TZ, *e, f);
    return f;
}

STICTION_INLINE law_numbers relevel(const stiction_element_c *c, const stiction_level_base *base,
                                    stiction_level_change change, double coulomb, double falling,
                                    double viscous) {
    (void)falling;
    const double inverse_g = inverse_g_of(c, base, change, viscous);
    const bool keeps = change != STICTION_ALL_LEVELS;
    return (law_numbers){{coulomb * inverse_g, keeps ? c->coefficients[1] : viscous * inverse_g}};
}

STICTION_INLINE double levelled(const stiction_element_c *c, const stiction_level_base *base,
                                stiction_level_change change, double coulomb, double falling,
                                double viscous, double u, double *e) {
    const law_numbers law = relevel(c, base, change, coulomb, falling, viscous);
    const double x = element_c_input(c->ZK, u, *e);
    const double f = copysign(coulomb_magnitude(c->inverse_Z, coulomb_line(law.list, 1), x), x);
    *e = element_c_deflect(c->K, c->TZ, *e, f);
    return f;
}

/* Does not change joints whose velocity cannot be used. */
STICTION_INLINE bool step_block(const double *restrict numbers, bool shared, double T, size_t m,
                                const double *restrict u, double *restrict e, double *restrict f) {
    double sum = 0;
    promise_fours(m);
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < m; k++) {
        const spring c = spring_at(numbers, shared, T, k);
        const stiction_line line =
            coulomb_line(coefficients_at(numbers, shared, k), number_stride(shared));
        const double x = element_c_input(c.ZK, u[k], e[k]);
        f[k] = with_sign_bit(coulomb_magnitude(c.inverse_Z, line, x), x);
        const double gap = is_usable(u[k]) ? fma(-c.K, e[k], f[k]) : 0;
        e[k] = fma(c.TZ, gap, e[k]); /* (38c) */
        sum += fabs(u[k]);
    }
    return is_usable(sum);
}

static size_t step_many(const double *numbers, bool shared, double T, size_t n, const double *u,
                        double *e, double *f) {
    return step_blocks(long_block_size, numbers, shared, T, n, u, e, f);
}

const stiction_fast_step stiction_fast_coulomb = {
    .law = "coulomb",
    .covers = stiction_viscosity_is_linear,
    .step = step,
    .sticks = element_c_sticks,
    .step_many = step_many,
    .step_levelled = {at_shift, at_levels, at_all},
};
