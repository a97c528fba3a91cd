/*
 * Coulomb friction with viscosity: Phi(v) = F sgn v + D v.
 * Kikuuwe et al. 2006, (24), (25).
 * Knows no stiction: static_torque is not used.
 */
#include "joint_models/fast/element_c.h"
#include "joint_models/laws.h"

static double phi(const stiction_law_parameters *p, double v) {
    return p->viscous > 0 ? fma(p->viscous, v, p->coulomb_torque) : p->coulomb_torque; /* (24) */
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    (void)v;
    return p->viscous;
}

static double steepest_descent(const stiction_law_parameters *p) {
    return -p->viscous;
}

static void prepare(stiction_phi_z *phi_z) {
    stiction_prepare_line(phi_z);
    phi_z->margin = dd_round(stiction_g(phi_z));
}

/* (25): of the line of sticking and that of sliding the lower one. */
STICTION_INLINE double lower_line(double inverse_Z, const stiction_sliding *sliding, double x) {
    const double sticks = fabs(x) * inverse_Z, slides = sliding_line(sliding, x);
    return sticks < slides ? sticks : slides;
}

static double magnitude(const stiction_phi_z *phi_z, double x) {
    return lower_line(phi_z->inverse_Z, &phi_z->sliding, x);
}

STICTION_HOT static double step(const stiction_element_c *c, double u, double *e) {
    const double x = element_c_input(c, u, *e);
    const double f = copysign(lower_line(c->inverse_Z, &c->sliding, x), x);
    *e = element_c_deflect(c, *e, f);
    return f;
}

/* Short enough for one loop, which leaves alone those that are not usable. */
STICTION_INLINE bool block(BLOCK_PARAMETERS) {
    double sum = 0;
    STICTION_SUM(sum)
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, T, k);
        const double x = element_c_input(&c, u[k], e[k]);
        f[k] = with_sign_bit(lower_line(c.inverse_Z, &c.sliding, x), x);
        e[k] = element_c_deflect_if(is_usable(u[k]), &c, e[k], f[k]);
        sum += fabs(u[k]);
    }
    return is_usable(sum);
}

ELEMENT_C_STEP_MANY(block, element_c_long_block)

const stiction_law STICTION_LAW(coulomb) = {
    .name = "coulomb",
    .description = "F sgn v + D v, without stiction",
    .uses = STICTION_USES_COULOMB_TORQUE | STICTION_USES_VISCOUS,
    .phi = phi,
    .phi_slope = phi_slope,
    .steepest_descent = steepest_descent,
    .prepare = prepare,
    .magnitude = magnitude,
    .step = step,
    .sticks = element_c_sticks,
    .step_many = step_many,
};
