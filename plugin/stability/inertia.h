/* SPDX-License-Identifier: MIT
 * The poses and the coupling decision for a robot that was read from a file: `check`, `init` and
 * `new`. The mass matrix has all joints and a free root in it, and rotor inertia.
 */
#ifndef STICTION_STABILITY_INERTIA_H
#define STICTION_STABILITY_INERTIA_H

#include "coupling.h"
#include "robots/robot.h"

STICTION_BEGIN_C

/*
 * The joints' block of the inverse mass matrix at one pose, joint_count x joint_count, row by row,
 * 1/(kg m^2): 1 over a diagonal entry is the inertia that the joint alone feels.
 */
stiction_status robot_mobility_at(const robot *r, const double *positions, double *mobility,
                                  stiction_error *error);

/* The same at all poses, see poses.h; of a robot with too many joints at the neutral one. */
stiction_status robot_mobility_compute(const robot *r, robot_mobility *mobility,
                                       stiction_error *error);

/* What hosts without a controller take, and the matrices that it was decided from. Without
 * `friction` only the matrices. */
stiction_status robot_couple(const robot *r, stiction_coupling configured,
                             const stiction_joint_def *friction, double timestep,
                             robot_mobility *mobility, coupling_decision *decision,
                             stiction_error *error);

STICTION_END_C

#endif
