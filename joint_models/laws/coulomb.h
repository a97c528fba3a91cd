/* SPDX-License-Identifier: MIT
 * The closed form of Coulomb friction, for its law and its fast step.
 */
#ifndef STICTION_JOINT_MODELS_LAWS_COULOMB_H
#define STICTION_JOINT_MODELS_LAWS_COULOMB_H

#include "joint_models/sliding.h"

/* `c` has its numbers `stride` apart. */
static inline stiction_line coulomb_line(const double *c, size_t stride) {
    return (stiction_line){.offset = c[0], .gain = c[stride]};
}

/* (25): of the line of sticking and that of sliding the lower one. */
static inline double coulomb_magnitude(double inverse_Z, stiction_line line, double x) {
    const double sticks = fabs(x) * inverse_Z, slides = stiction_line_at(line, x);
    return sticks < slides ? sticks : slides;
}

#endif
