/* SPDX-License-Identifier: MIT */
/* The friction of one joint through the C ABI, as a simulator uses it. */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_ONE_JOINT_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_ONE_JOINT_H

#include "stiction/stiction.h"

typedef struct one_joint one_joint;

/* At rest. NULL where the friction is not legal at this time step. */
one_joint *one_joint_create(const stiction_joint_def *friction, double timestep);
void one_joint_destroy(one_joint *j);

/* The torque to subtract; the effort is the sum of all other torques. NaN where the step failed;
 * slipping may be NULL. */
double one_joint_step(one_joint *j, double velocity, double effort, bool *slipping);

/* The same without memory: what a joint whose bristle is at rest would begin with, Phi_Z. */
double one_joint_law(const one_joint *j, double velocity);

#endif
