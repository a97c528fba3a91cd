/* SPDX-License-Identifier: MIT
 * A chain of revolute links on a fixed base, as an admittance component.
 * Kikuuwe and Yamamoto, (8); Featherstone's articulated-body algorithm.
 * Nothing is allocated: a chain has at most STICTION_LINKS_MAX links.
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_SERIAL_LINK_H
#define STICTION_JOINT_MODELS_COMPARISON_SERIAL_LINK_H

#include "joint_models/comparison/network.h"

STICTION_BEGIN_C

enum { STICTION_LINKS_MAX = 32 };

/* One link and the joint on its base side. With all angles 0, all frames are parallel. */
typedef struct stiction_link {
    double axis[3];       /* of the joint, unit vector */
    double offset[3];     /* m, of the joint from the parent's joint, in the parent's frame */
    double com[3];        /* m, of the centre of mass from the joint, in the link's frame */
    double mass;          /* kg, > 0 */
    double inertia[3][3]; /* kg m^2, about the centre of mass, in the link's frame */
} stiction_link;

typedef struct stiction_serial_link {
    const stiction_link *links;
    size_t count;      /* 1 to STICTION_LINKS_MAX */
    double gravity[3]; /* m/s^2, such as (0, 0, -9.8) */
} stiction_serial_link;

/* A_robo (8): state theta[n], omega[n]; input the joint torques tau[n]. */
stiction_admittance stiction_serial_link_admittance(const stiction_serial_link *chain);

/* The torques that give the joint accelerations `omega_rate`: the inverse of (8). */
void stiction_serial_link_torque(const stiction_serial_link *chain, const double *state,
                                 const double *omega_rate, double *torque);

/* Kinetic plus potential energy, J; the potential is 0 at the base. */
double stiction_serial_link_energy(const stiction_serial_link *chain, const double *state);

STICTION_END_C

#endif
