/*
 * The rational law: Phi(v) = (F_C + F_SC v_S/(|v| + v_S)) sgn v + D v.
 * Cisneros et al., (33) to (49), whose four coefficients reduce to this; (44) without cancellation.
 * One square root and one division a call.
 */
#include "joint_models/fast/element_c.h"
#include "joint_models/laws.h"

static double phi(const stiction_law_parameters *p, double v) {
    const double F_C = p->coulomb_torque, F_SC = p->static_torque - F_C;
    const double v_S = p->stribeck_velocity;
    if (v == 0) return p->static_torque;               /* (36), free of rounding */
    const double dry = F_C + F_SC * (v_S / (v + v_S)); /* (33) */
    return p->viscous > 0 ? fma(p->viscous, v, dry) : dry;
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    const double shape = v_S / (v + v_S);
    return p->viscous - F_SC / v_S * shape * shape;
}

/* r of (38), reached at v = +0 */
static double steepest_descent(const stiction_law_parameters *p) {
    return (p->static_torque - p->coulomb_torque) / p->stribeck_velocity - p->viscous;
}

/* The stable root of the quadratic (43) in sigma = s/(v_S g): what divides 2 amplitude. */
STICTION_INLINE double divisor(const stiction_sliding *c, double reserve) {
    const double sigma = -(c->rate * reserve), kappa = c->bend, a = c->one_minus_bend + sigma;
    return 1 + kappa + sigma + sqrt(fma(a, a, 4 * kappa * sigma));
}

STICTION_INLINE double slide_by(const stiction_sliding *c, double x, double by) {
    return sliding_line(c, x) + 2 * c->amplitude / by;
}

STICTION_INLINE double slide_closed(const stiction_sliding *c, double x, double reserve) {
    return slide_by(c, x, divisor(c, reserve));
}

static double magnitude(const stiction_phi_z *phi_z, double x) {
    const double reserve = stiction_reserve(phi_z, x);
    return reserve < 0 ? slide_closed(&phi_z->sliding, x, reserve) : x * phi_z->inverse_Z;
}

STICTION_HOT static double step(const stiction_element_c *c, double u, double *e) {
    return element_c_step(slide_closed, c, u, e);
}

STICTION_BLOCK bool careful(BLOCK_PARAMETERS) {
    return element_c_careful(slide_closed, numbers, shared, T, m, u, e, f);
}

/* Two loops, as root and quotient in one would be a chain of operations that wait for each other.
 */
STICTION_INLINE bool block(BLOCK_PARAMETERS) {
    double x[element_c_block], reserve[element_c_block], by[element_c_block], sum = 0;
    STICTION_SUM(sum)
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, T, k);
        x[k] = element_c_input(&c, u[k], e[k]);
        reserve[k] = element_c_reserve(&c, x[k]);
        by[k] = divisor(&c.sliding, reserve[k]);
        sum += fabs(u[k]);
    }
    if (!is_usable(sum)) return careful(numbers, shared, T, m, u, e, f);
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, T, k);
        f[k] = element_c_force(&c, x[k], reserve[k], slide_by(&c.sliding, x[k], by[k]));
        e[k] = element_c_deflect(&c, e[k], f[k]);
    }
    return true;
}

ELEMENT_C_STEP_MANY(block, element_c_block)

const stiction_law STICTION_LAW(rational) = {
    .name = "rational",
    .description = "F_C + (F_S - F_C) v_S/(|v| + v_S), with viscosity",
    .uses = STICTION_USES_STATIC_TORQUE | STICTION_USES_COULOMB_TORQUE |
            STICTION_USES_STRIBECK_VELOCITY | STICTION_USES_VISCOUS,
    .phi = phi,
    .phi_slope = phi_slope,
    .steepest_descent = steepest_descent,
    .prepare = stiction_prepare_stiction,
    .magnitude = magnitude,
    .step = step,
    .sticks = element_c_sticks,
    .step_many = step_many,
};
