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

ELEMENT_C_ONE_LOOP(slide_closed)

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
