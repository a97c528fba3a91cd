/* SPDX-License-Identifier: MIT */
/* Joints at random, legal at 1 ms, made without libm so that they are the same everywhere. */
#ifndef STICTION_TESTS_RANDOM_JOINT_H
#define STICTION_TESTS_RANDOM_JOINT_H

#include "random.h"
#include "stiction/stiction.h"

/* Between 2^lower and 2^upper, without pow. */
static inline double random_magnitude(random_source *r, int lower, int upper) {
    const int exponent = lower + (int)(random_bits(r) % (uint64_t)(upper - lower));
    return ldexp(random_uniform(r, 1, 2), exponent);
}

/* `which`: coulomb, stribeck, stribeck with an exponent above 1, rational; and from 4 on the same
 * with a power of velocity as viscosity. */
static inline stiction_joint_def random_joint(random_source *r, size_t which) {
    static const char *const laws[] = {"coulomb", "stribeck", "stribeck", "rational"};
    stiction_joint_def def = stiction_joint_def_default();
    def.law = laws[which % 4];
    def.coulomb_torque = random_magnitude(r, -6, 4);
    def.static_torque = def.coulomb_torque * random_uniform(r, 1, 8);
    def.stribeck_velocity = random_magnitude(r, -8, 1);
    def.stribeck_exponent = which % 4 == 2 ? random_uniform(r, 1, 4) : 1;
    def.viscous = random_magnitude(r, -6, 4);
    if (which >= 4)
        def.viscous_exponent =
            random_bits(r) % 2 ? random_uniform(r, 0.3, 1) : random_uniform(r, 1, 3);
    def.stiffness = random_magnitude(r, 4, 14);
    def.damping = 2 * (def.static_torque - def.coulomb_torque) / def.stribeck_velocity;
    return def;
}

static inline double random_velocity(random_source *r) {
    return random_uniform(r, -1, 1) * random_magnitude(r, -12, 2);
}

#endif
