/* SPDX-License-Identifier: MIT
 * Friction in MuJoCo 3: a step in which friction, contacts, limits and loops are solved together,
 * for programs that can call it instead of mj_step. docs/mujoco.md has the elements that give
 * joints of a model their friction; without this function they act in mj_step.
 */
#ifndef STICTION_MUJOCO_H
#define STICTION_MUJOCO_H

#include <mujoco/mujoco.h>

#include "stiction/joint.h"

STICTION_BEGIN_C

/*
 * One step of the model's time step, instead of mj_step. Joints with friction do not move while
 * they stick, at any time step and for any inertia, also under contacts. The coupling of the
 * elements is not read. The rest is mj_step: callbacks, actuators, sensors, other plugins.
 *
 * The integrator is semi-implicit Euler; dampers of joints, and those of position and velocity
 * servos on joints where the model's integrator is implicit or implicitfast, act at the end of the
 * step. On failure (no element of stiction.friction, a law without a potential, the integrator RK4,
 * a mass matrix that is not positive definite) the bristles and the time do not change.
 */
STICTION_API stiction_status stiction_mujoco_step(const mjModel *model, mjData *data,
                                                  stiction_error *error);

/*
 * The friction of a hinge or slide in this mjData, and a change of it from the next step on; copies
 * of mjData include the change, and a reset keeps it. The bristle keeps its torque
 * (stiction_state_set_joint). The joint must belong to an element of stiction.friction.
 */
STICTION_API stiction_status stiction_mujoco_joint(const mjModel *model, const mjData *data,
                                                   const char *joint, stiction_joint_def *def,
                                                   stiction_error *error);
STICTION_API stiction_status stiction_mujoco_set_joint(const mjModel *model, mjData *data,
                                                       const char *joint,
                                                       const stiction_joint_def *def,
                                                       stiction_error *error);

STICTION_END_C

#endif
