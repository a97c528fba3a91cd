/* SPDX-License-Identifier: MIT */
/* Characteristic curves of friction laws. */
#include "law_curve.h"

#include <math.h>

#include "wrist.h"

law_curve law_curve_of(const stiction_joint_def *friction, double timestep) {
    law_curve c = {.law = stiction_law_find(friction->law),
                   .parameters = stiction_joint_law_parameters(friction)};
    const double inverse_Z = friction->stiffness * timestep + friction->damping;
    (void)stiction_phi_z_prepare_inverse(&c.phi_z, c.law, &c.parameters, inverse_Z);
    return c;
}

double law_curve_phi(const law_curve *c, double v) {
    return stiction_phi(c->law, &c->parameters, v);
}

double law_curve_phi_z(const law_curve *c, double v_star) {
    return stiction_phi_z_at(&c->phi_z, v_star);
}

void law_curve_draw(const law_curve *c, double (*y)(const law_curve *c, double x), double range,
                    int points, experiment_curve *on) {
    for (int k = -points; k <= 0; k++)
        add_point(on, range * k / points, y(c, k ? range * k / points : -0.0));
    for (int k = 0; k <= points; k++) add_point(on, range * k / points, y(c, range * k / points));
}

double law_curve_minimum(const law_curve *c, double (*y)(const law_curve *c, double x), double low,
                         double high) {
    static const double ratio = 0.6180339887498949;
    for (int k = 0; k < 60; k++) {
        const double left = high - ratio * (high - low), right = low + ratio * (high - low);
        if (y(c, left) < y(c, right))
            high = right;
        else
            low = left;
    }
    return (low + high) / 2;
}

double law_curve_distance(const law_curve *a, const law_curve *b,
                          double (*y)(const law_curve *c, double x), double range) {
    enum { steps = 100000 };
    double largest = 0;
    for (int k = 1; k <= steps; k++) {
        const double x = range * k / steps;
        largest = fmax(largest, fabs(y(a, x) - y(b, x)));
    }
    return largest;
}
