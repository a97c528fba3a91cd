/* SPDX-License-Identifier: MIT
 * The largest relative error of the Stribeck law's Phi_Z over a spread of legal parameters, many
 * next to the limit of (14) and next to the threshold, against Newton's method in 113 bits.
 * A sample for the bench's table; tests/joint_models/test_accuracy.c measures it against MPFR, on
 * more points.
 */
#include <math.h>
#include <stdbool.h>

#include "bench_joints.h"
#include "bench_rivals.h"
#include "quad.h"

/* y with v + Z Phi(v) = x, y = Phi(v), by Newton's method in a bracket. */
static quad exact(const stiction_phi_z *phi_z, double x) {
    const stiction_law_parameters *p = &phi_z->parameters;
    const quad F_C = (quad)p->coulomb_torque, F_SC = (quad)p->static_torque - F_C;
    const quad v_S = (quad)p->stribeck_velocity, D = (quad)p->viscous, Z = (quad)phi_z->Z;
    quad lower = 0, upper = (quad)x, v = upper / 2, y = 0;
    for (int k = 0; k < 400; k++) {
        const quad decay = quad_exp(-v / v_S);
        y = F_C + F_SC * decay + D * v;
        const quad residual = v + Z * y - (quad)x;
        if (residual == 0) break;
        *(residual > 0 ? &upper : &lower) = v;
        const quad slope = 1 + Z * (D - F_SC / v_S * decay);
        quad next = v - residual / slope;
        if (!(next > lower && next < upper)) next = (lower + upper) / 2;
        const quad change = next > v ? next - v : v - next;
        if (change <= v * (quad)0x1p-108 || next == lower || next == upper) break;
        v = next;
    }
    return y;
}

static double decade(size_t k, size_t sequence, double lower, double upper) {
    return pow(10, lower + (upper - lower) * bench_spread(k, sequence));
}

/* Every third of them within 10^-1 to 10^-14 of the limit of (14). */
static bool set_of(size_t k, stiction_phi_z *phi_z) {
    const stiction_law *law = stiction_law_find("stribeck");
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = decade(k, 0, -3, 3);
    p.coulomb_torque = p.static_torque * decade(k, 1, -3, 0);
    p.stribeck_velocity = decade(k, 2, -5, 1);
    p.viscous = k % 8 ? decade(k, 3, -4, 3) : 0;
    const double limit = 1 / law->steepest_descent(&p);
    double Z = decade(k, 4, -6, 2);
    if (limit > 0) Z = limit * (k % 3 ? decade(k, 4, -6, 0) : 1 - decade(k, 4, -14, -1));
    return stiction_phi_z_prepare(phi_z, law, &p, Z) == STICTION_LAW_OK;
}

/* Next to the threshold, or some way above it. */
static double argument_of(size_t k, const stiction_phi_z *phi_z) {
    const stiction_law_parameters *p = &phi_z->parameters;
    const double threshold = phi_z->Z * phi_z->breakaway;
    /* over which the exponential of the law halves */
    const double width = M_LN2 * p->stribeck_velocity * fma(phi_z->Z, p->viscous, 1);
    return k % 2 ? threshold * (1 + decade(k, 5, -16, -1))
                 : threshold + decade(k, 5, -4, 2) * width;
}

double bench_largest_error(size_t sets) {
    double worst = 0;
    for (size_t k = 0; k < sets; k++) {
        stiction_phi_z phi_z;
        if (!set_of(k, &phi_z)) continue;
        const double x = argument_of(k, &phi_z);
        if (stiction_phi_z_sticks(&phi_z, x)) continue;
        const quad y = exact(&phi_z, x);
        const quad difference = (quad)stiction_phi_z_at(&phi_z, x) - y;
        const double error = fabs((double)(difference / y));
        if (!(error <= worst)) worst = error; /* a NaN counts */
    }
    return worst;
}
