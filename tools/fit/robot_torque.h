/* SPDX-License-Identifier: MIT
 * The torque of a joint that the dynamics of its robot explain: inertia, gravity and coupling.
 */
#ifndef STICTION_TOOLS_FIT_ROBOT_TORQUE_H
#define STICTION_TOOLS_FIT_ROBOT_TORQUE_H

#include "joint_fit.h"
#include "robots/robot.h"

typedef struct fit_robot fit_robot;

/* The robot must outlive it. NULL with an error where it has no such joint. */
fit_robot *fit_robot_create(const robot *from, const char *joint, stiction_error *error);
void fit_robot_destroy(fit_robot *r);

/* The other joints with one axis, in the order in which a log has them. */
size_t fit_robot_others(const fit_robot *r, const char *const **names);
/* Whether the file states what the rotor adds to the joint's inertia. */
bool fit_robot_has_rotor(const fit_robot *r);
/* kg m^2, of the joint at the start of a log. */
double fit_robot_inertia(fit_robot *r, const fit_log *log);

/* N m, along the smoothed motion of all joints of a log; joints that the log lacks stand still.
 * False where MuJoCo refuses the model. */
bool fit_robot_torque(fit_robot *r, const fit_log *log, const fit_motion *motion,
                      const fit_smoothing *smoothing, double *torque);

#endif
