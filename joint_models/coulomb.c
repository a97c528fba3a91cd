/*
 * Coulomb friction with viscosity: Phi(v) = F sgn v + D v.
 * Kikuuwe et al. 2006, (24), (25).
 * Knows no stiction: static_torque is not used.
 */
#include "element_c.h"
#include "laws.h"

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

STICTION_INLINE double slide_closed(const stiction_sliding *c, double x, double s) {
    (void)s;
    return sliding_line(c, x); /* (25) */
}

static double slide(const stiction_phi_z *phi_z, double x, double s) {
    return slide_closed(&phi_z->sliding, x, s);
}

static double step(const stiction_element_c *c, double T, double u, double *e, bool *sticks) {
    return element_c_step(slide_closed, c, T, u, e, sticks);
}

STICTION_INLINE void block(const double *restrict numbers, bool shared, double T, size_t m,
                           const double *restrict u, double *restrict e, double *restrict f) {
    element_c_loop(slide_closed, numbers, shared, T, m, u, e, f);
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
    .slide = slide,
    .step = step,
    .step_many = step_many,
};
