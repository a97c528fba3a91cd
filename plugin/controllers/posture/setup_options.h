/* SPDX-License-Identifier: MIT
 * The setup that a host gives a controller, read as options of the posture controller: joints with
 * the limits of the robot, and the lines of options.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_SETUP_OPTIONS_H
#define STICTION_CONTROLLERS_POSTURE_SETUP_OPTIONS_H

#include "controllers/compensation/compensation.h"
#include "posture_config.h"
#include "stiction/controller.h"

/* The joints with the limits of the robot; the caller frees them. NULL: no memory. */
posture_joint_def *setup_joints(const stiction_controller_setup *setup);

/*
 * A configuration of all lines of options. A line overrides those before it. Files of the first are
 * relative to the project, and of an untrusted project (else NULL) in its folder; files of the
 * others, which the user sets, are relative to the working directory. `untrusted` must outlive the
 * configuration, which the caller destroys in any case.
 */
stiction_status setup_config(const stiction_controller_setup *setup, const char *untrusted,
                             posture_config **config, stiction_error *error);

/* The friction to compensate; *result is NULL if the definition has no compensation. */
stiction_status setup_compensation(const posture_def *def, compensation **result,
                                   stiction_error *error);

stiction_status setup_out_of_memory(stiction_error *error);

#endif
