/* SPDX-License-Identifier: MIT
 * Coulomb friction with viscosity: Phi(v) = F sgn v + D v, or D |v|^p sgn v.
 * Kikuuwe et al. 2006, (24), (25).
 * Knows no stiction: static_torque is not used.
 */
#include "joint_models/laws/coulomb.h"

#include <string.h>

#include "joint_models/laws.h"
#include "joint_models/viscous_slide.h"

static double phi(const stiction_law_parameters *p, double v) {
    return stiction_add_viscous(p, v, p->coulomb_torque); /* (24) */
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    return stiction_viscous_slope(p, v);
}

static double work(const stiction_law_parameters *p, double a, double b) {
    return stiction_smooth_work(p, a, b);
}

static double steepest_descent(const stiction_law_parameters *p) {
    /* the slope of a power is 0 at rest or far away */
    return stiction_viscosity_is_linear(p) ? -p->viscous : 0;
}

static stiction_fall fall_at(const stiction_law_parameters *p, double v) {
    (void)p, (void)v;
    return (stiction_fall){.left = 1};
}

static stiction_exact_fall exact_fall_at(const stiction_law_parameters *p, dd v) {
    (void)p, (void)v;
    return (stiction_exact_fall){.left = dd_from(1)};
}

static const stiction_falling falling = {fall_at, exact_fall_at};

static void prepare(stiction_phi_z *phi_z) {
    if (!stiction_viscosity_is_linear(&phi_z->parameters)) {
        stiction_prepare_power(phi_z, dd_from(0), 0);
        return;
    }
    const stiction_line line = stiction_line_of(phi_z);
    memcpy(phi_z->coefficients, &line, sizeof line);
    phi_z->margin = dd_round(stiction_g(phi_z));
}

static double magnitude(const stiction_phi_z *phi_z, double x) {
    if (!stiction_viscosity_is_linear(&phi_z->parameters)) {
        const double reserve = stiction_reserve(phi_z, x);
        return reserve < 0 ? stiction_slide_power(phi_z, &falling, x, -reserve)
                           : x * phi_z->inverse_Z;
    }
    return coulomb_magnitude(phi_z->inverse_Z, coulomb_line(phi_z->coefficients, 1), x);
}

const stiction_law stiction_law_coulomb = {
    .name = "coulomb",
    .description = "F sgn v + D v, without stiction",
    .uses =
        STICTION_USES(coulomb_torque) | STICTION_USES(viscous) | STICTION_USES(viscous_exponent),
    .phi = phi,
    .phi_slope = phi_slope,
    .work = work,
    .steepest_descent = steepest_descent,
    .prepare = prepare,
    .magnitude = magnitude,
};
