/*
 * Coulomb friction with viscosity: Phi(v) = F sgn v + D v.
 * Kikuuwe et al. 2006, (24), (25).
 * Knows no stiction: static_torque is not used.
 */
#include "joint_models/laws/coulomb.h"

#include <string.h>

#include "joint_models/laws.h"

static double phi(const stiction_law_parameters *p, double v) {
    return p->viscous > 0 ? fma(p->viscous, v, p->coulomb_torque) : p->coulomb_torque; /* (24) */
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    (void)v;
    return p->viscous;
}

static double work(const stiction_law_parameters *p, double a, double b) {
    return stiction_line_work(p, a, b);
}

static double steepest_descent(const stiction_law_parameters *p) {
    return -p->viscous;
}

static void prepare(stiction_phi_z *phi_z) {
    const stiction_line line = stiction_line_of(phi_z);
    memcpy(phi_z->coefficients, &line, sizeof line);
    phi_z->margin = dd_round(stiction_g(phi_z));
}

static double magnitude(const stiction_phi_z *phi_z, double x) {
    return coulomb_magnitude(phi_z->inverse_Z, coulomb_line(phi_z->coefficients, 1), x);
}

const stiction_law stiction_law_coulomb = {
    .name = "coulomb",
    .description = "F sgn v + D v, without stiction",
    .uses = STICTION_USES(coulomb_torque) | STICTION_USES(viscous),
    .phi = phi,
    .phi_slope = phi_slope,
    .work = work,
    .steepest_descent = steepest_descent,
    .prepare = prepare,
    .magnitude = magnitude,
};
