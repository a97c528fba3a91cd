/* SPDX-License-Identifier: MIT
 * Joints and inputs from the edges of what is legal, and from beyond: 0, subnormal numbers, bounds,
 * their neighbours, the largest double, and any power of ten between.
 */
#ifndef STICTION_TESTS_EDGES_H
#define STICTION_TESTS_EDGES_H

#include <float.h>
#include <string.h>

#include "random.h"
#include "stiction/stiction.h"

static inline size_t edge_below(random_source *r, size_t count) {
    return (size_t)(random_bits(r) % count);
}

/* In [least, most], least >= 0; mostly what machines have. */
static inline double edge_within(random_source *r, double least, double most) {
    const double low = least > 0 ? log10(least) : -40, high = log10(most);
    double value;
    switch (edge_below(r, 12)) {
    case 0:
        return least;
    case 1:
        return most;
    case 2:
        return nextafter(least, most);
    case 3:
        return nextafter(most, least);
    case 4:
        return fmax(least, fmin(1, most));
    case 5:
    case 6:
        value = random_decade(r, low, high);
        break;
    default:
        value = random_decade(r, fmax(low, -4), fmin(high, 4));
    }
    return fmax(least, fmin(value, most));
}

/* Outside of it, or no number. */
static inline double edge_outside(random_source *r, double least, double most) {
    const double values[] = {-1,
                             -DBL_MAX,
                             -0x1p-1074,
                             nextafter(least, -DBL_MAX),
                             nextafter(most, DBL_MAX),
                             DBL_MAX,
                             1e300,
                             (double)INFINITY,
                             least > 0 ? 0 : -DBL_MIN,
                             least > 0 ? 0x1p-1074 : DBL_MAX,
                             least > 0 ? DBL_MIN : -(double)INFINITY,
                             10 * most};
    double value;
    do value = values[edge_below(r, sizeof values / sizeof values[0])];
    while (value >= least && value <= most); /* -1 is a number as others for some */
    return value;
}

static inline double *edge_field(stiction_joint_def *def, size_t parameter) {
    stiction_parameter_info info;
    (void)stiction_parameter_at(parameter, &info);
    return (double *)(void *)((char *)def + info.offset);
}

static inline double edge_timestep(random_source *r) {
    return edge_below(r, 3) ? random_decade(r, -5, -1)
                            : edge_within(r, STICTION_LEAST, STICTION_MOST);
}

static inline double edge_velocity(random_source *r) {
    static const double values[] = {0,        -0.0,  0x1p-1074, -DBL_MIN, 0x1p300,
                                    -0x1p300, 1e48,  -1e48,     1e90,     DBL_MAX,
                                    -DBL_MAX, 1e300, 1,         -1e-30,   1e30};
    if (edge_below(r, 2)) return random_uniform(r, -1, 1) * random_decade(r, -5, 2);
    const size_t k = edge_below(r, 30);
    if (k < sizeof values / sizeof values[0]) return values[k];
    return random_uniform(r, -1, 1) * random_decade(r, -90, 90);
}

/* A drive that needs no input but the velocity, or mostly none. */
static inline void edge_drive(random_source *r, const stiction_law_info *law,
                              stiction_joint_def *def) {
    stiction_parameter_info info;
    size_t first = 0;
    while (stiction_parameter_at(first, &info) && strcmp(info.key, "load_motor") != 0) first++;
    for (size_t k = first; k < stiction_parameter_count(); k++) *edge_field(def, k) = (double)NAN;
    if (!(law->parameters >> first & 1) || edge_below(r, 3)) return;
    def->reverse_factor = random_decade(r, -2, 2);
    if (edge_below(r, 2)) def->reverse_viscous_factor = random_decade(r, -2, 2);
    def->temperature_level = random_uniform(r, -0.0075, 0.012);
    def->temperature_viscous = random_uniform(r, -1, 1);
    def->temperature = random_uniform(r, -50, 150);
    if (edge_below(r, 2)) def->lag = random_decade(r, -30, 30);
    if (edge_below(r, 2)) def->thermal_resistance = random_decade(r, -3, 6);
    if (def->thermal_resistance > 0) def->thermal_time = random_decade(r, -30, 30);
}

/* What needs positions and torques as well: for those who give them. */
static inline void edge_load(random_source *r, const stiction_law_info *law,
                             stiction_joint_def *def) {
    if (strcmp(law->name, "coulomb") != 0 && strcmp(law->name, "stribeck") != 0 &&
        strcmp(law->name, "rational") != 0)
        return;
    if (edge_below(r, 2)) def->load_motor = edge_within(r, 0, 0.5);
    if (edge_below(r, 2)) def->load_external = edge_within(r, 0, 1000);
    if (edge_below(r, 3) == 0) {
        def->load_limit = edge_within(r, STICTION_LEAST, STICTION_MOST);
        def->load_motor_static = edge_within(r, 0, 0.49);
        def->load_external_static = edge_within(r, 0, 1000);
    }
    if (edge_below(r, 2)) {
        def->ripple = edge_within(r, 0, 0.99);
        def->ripple_count = edge_within(r, 1e-6, 1e6);
        def->ripple_phase = random_uniform(r, -1000, 1000);
    }
    const size_t elements = edge_below(r, 2) ? 0 : edge_below(r, STICTION_PRESLIDING_MOST + 1);
    for (size_t k = 0; k < elements; k++) {
        def->presliding_torque[k] = fmax(def->coulomb_torque / 9, STICTION_LEAST);
        def->presliding_stiffness[k] = edge_within(r, STICTION_LEAST, STICTION_MOST);
    }
}

/* A joint of a law with all parameters in their bounds, and in the orders that are asked for;
 * it may be illegal at a time step all the same, but mostly is not at this one. */
static inline stiction_joint_def edge_joint(random_source *r, const stiction_law_info *law,
                                            double timestep) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = law->name;
    for (size_t k = 0; k < stiction_parameter_count(); k++) {
        double least, most;
        (void)stiction_parameter_range(k, &least, &most);
        if (law->parameters >> k & 1) *edge_field(&def, k) = edge_within(r, least, most);
    }
    edge_drive(r, law, &def);
    if (edge_below(r, 2)) def.stribeck_exponent = 1;
    if (edge_below(r, 2)) def.viscous_exponent = 1;
    const double high = fmax(def.static_torque, def.coulomb_torque);
    def.coulomb_torque = fmin(def.static_torque, def.coulomb_torque);
    if (!isnan(def.static_torque)) def.static_torque = edge_below(r, 8) ? high : def.coulomb_torque;
    const double angle = fmax(def.min_angle, def.max_angle);
    def.min_angle = fmin(def.min_angle, def.max_angle);
    def.max_angle = angle;
    /* mostly a few bristles, of a body that is long enough */
    if (!isnan(def.bristle_length)) {
        def.bristle_height = fmin(def.bristle_height, 1e26);
        def.bristle_length = def.bristle_height * random_uniform(r, 1.001, 10);
        const double reach = sqrt((def.bristle_length - def.bristle_height) *
                                  (def.bristle_length + def.bristle_height));
        def.bristle_spacing = reach / (edge_below(r, 50) ? random_uniform(r, 1.01, 8) : 9999);
        def.body_length = (reach + 2 * def.bristle_spacing) * random_uniform(r, 1.01, 10);
    }
    /* what the falling part of a law needs, where a bound does not forbid it */
    if (!isnan(def.stribeck_velocity) && !isnan(def.damping) && edge_below(r, 8)) {
        const double alpha = fmax(1, isnan(def.stribeck_exponent) ? 1 : def.stribeck_exponent);
        const double needed = (isnan(def.reverse_factor) ? 1 : 3 * fmax(1, def.reverse_factor)) *
                              alpha * (def.static_torque - def.coulomb_torque) /
                              def.stribeck_velocity;
        def.damping = fmin(fmax(def.damping, 1.5 * needed), STICTION_MOST);
    }
    if (!isnan(def.viscous) && !isnan(def.damping) && edge_below(r, 8))
        def.viscous = fmin(def.viscous, 1e14 * (def.stiffness * timestep + def.damping));
    if (!isnan(def.elastic_limit) && edge_below(r, 8))
        def.elastic_limit =
            fmin(fmax(def.coulomb_torque / def.stiffness * random_uniform(r, 0.01, 0.99),
                      STICTION_LEAST),
                 STICTION_MOST);
    return def;
}

#endif
