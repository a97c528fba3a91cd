/* SPDX-License-Identifier: MIT
 * One element of presliding hysteresis: a spring that bends with the joint and slips at a torque,
 * element C of Coulomb's law without damping and viscosity. Kept as a deflection, so that a motion
 * there and back leaves no rounding.
 */
#ifndef STICTION_JOINT_MODELS_DRIVE_PRESLIDING_H
#define STICTION_JOINT_MODELS_DRIVE_PRESLIDING_H

#include "joint_models/drive/levels.h"

typedef struct presliding {
    double deflection, torque;
    double limit; /* N m, in the direction that it is bent */
    double power; /* W, of its slip */
} presliding;

static inline presliding presliding_step(const stiction_drive_parameters *p, double limit, double K,
                                         double T, double u, double e) {
    const double bent = fma(T, u, e), most = limit * drive_direction(p, bent < 0);
    const double deflection = drive_clamp(bent, -most / K, most / K), torque = K * deflection;
    return (presliding){deflection, torque, most, torque * ((bent - deflection) / T)};
}

/* What the spring has more than before, J. */
static inline double presliding_stored(double K, double before, double after) {
    return 0.5 * K * (after - before) * (after + before);
}

#endif
