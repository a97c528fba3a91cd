/*
 * The rational law: Phi(v) = (F_C + F_SC v_S/(|v| + v_S)) sgn v + D v.
 * Cisneros et al., (33) to (49), whose four coefficients reduce to this; (44) without cancellation.
 * One square root and one division a call.
 */
#include "element_c.h"
#include "laws.h"

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

/* The stable root of the quadratic (43) in sigma = s/(v_S g). */
STICTION_INLINE double slide_closed(const stiction_sliding *c, double x, double s) {
    const double sigma = c->rate * s, kappa = c->bend;
    const double a = c->one_minus_bend + sigma;
    const double root = sqrt(fma(a, a, 4 * kappa * sigma));
    return sliding_line(c, x) + 2 * c->amplitude / (1 + kappa + sigma + root);
}

ELEMENT_C_ONE_LOOP(slide_closed)

const stiction_law STICTION_LAW(rational) = {
    .name = "rational",
    .description = "F_C + (F_S - F_C) v_S/(|v| + v_S), with viscosity",
    .uses = STICTION_USES_STATIC_TORQUE | STICTION_USES_COULOMB_TORQUE |
            STICTION_USES_STRIBECK_VELOCITY | STICTION_USES_VISCOUS,
    .phi = phi,
    .phi_slope = phi_slope,
    .steepest_descent = steepest_descent,
    .prepare = stiction_prepare_stiction,
    .slide = slide,
    .step = step,
    .step_many = step_many,
};
