/* SPDX-License-Identifier: MIT
 * The two-link arm of Kikuuwe and Yamamoto, simulations II and III: motors, rods, and the network
 * of a serial link with friction in each joint.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_ARM_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_ARM_H

#include "../experiment.h"
#include "networks.h"

/* Rows of a parameter list, which arm_read reads. */
/* clang-format off */
#define ARM_PARAMETERS                                                                             \
    {"F", 0.5, "N m", PRINTED, NULL},                                                              \
    {"K", 5000, "N m/rad", PRINTED, NULL},                                                         \
    {"B", 1, "N m s/rad", PRINTED, NULL},                                                          \
    {"motor slope", 0.3, "N m/s", PRINTED, "(28c), (28d)"},                                        \
    {"motor limit", 0.52, "N m", PRINTED, NULL},                                                   \
    {"motor switches at", 4, "s", PRINTED, NULL},                                                  \
    {"motor level", 0.336, "N m", PRINTED, NULL},                                                  \
    {"motor amplitude", 0.144, "N m", PRINTED, "a sine in joint 0, a cosine in joint 1"},          \
    {"motor frequency", 100, "rad/s", PRINTED, NULL},                                              \
    {"m l^2", 0.0475, "kg m^2", INFERRED,                                                          \
     "equal uniform rods, straight start, no gravity: fits the axes of Fig 7"},                    \
    {"l", 0.5, "m", CHOSEN, "only m l^2 matters"},                                                 \
    {"T", 1e-4, "s", INFERRED, "the exponent is lost in print; half of it moves an angle by 4e-5 rad"}
/* clang-format on */

/* Both run for as long as Fig 7 shows; its panels start at 3 s. */
static const double arm_duration = 8, arm_drawn_from = 3;
enum { arm_draw_every = 10 }; /* steps */

typedef struct arm {
    double F, K, B, T;
    double slope, limit, switches, level, amplitude, frequency; /* of the motors */
    double length, mass, inertia[3][3];                         /* of a rod, about its centre */
} arm;

arm arm_read(const experiment *self);

/* (28c), (28d) */
void arm_torques(const arm *a, double t, double torque[2]);

/* Simulation II with any friction of one component and one state; state: theta[2], omega[2], e[2].
 * False where the friction is not legal. */
bool arm_simulate(const arm *a, const stiction_impedance *friction, network_observer observe,
                  void *context);

#endif
