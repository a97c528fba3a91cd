/*
 * From what a host tells a controller to what its options say: joints with the robot's own limits,
 * and the lines of options with what files they may name.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_SETUP_OPTIONS_H
#define STICTION_CONTROLLERS_POSTURE_SETUP_OPTIONS_H

#include "controllers/compensation/compensation.h"
#include "posture_config.h"
#include "stiction/controller.h"

/* What the robot itself says of its joints; the caller's to free. NULL: no memory. */
posture_joint_def *setup_joints(const stiction_controller_setup *setup);

/*
 * A configuration of all lines of options. A line beats those before it. Files of the first are
 * relative to the project, those of what the user sets on top of it to the working directory.
 * `access` stays with the caller as long as the configuration. Unless OK, *config is NULL.
 */
stiction_status setup_config(const stiction_controller_setup *setup, file_access *access,
                             posture_config **config, stiction_error *error);

/* The friction to compensate, where the definition says so; else *result is NULL. */
stiction_status setup_compensation(const posture_config *config, const posture_def *def,
                                   compensation **result, stiction_error *error);

#endif
