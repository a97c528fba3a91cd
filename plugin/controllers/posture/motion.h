/* SPDX-License-Identifier: MIT
 * Trajectories from a CSV file: `time` (s) and a column a joint, in SI units as in joints.csv.
 * Knows no simulator; the file is read once, before a run.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_MOTION_H
#define STICTION_CONTROLLERS_POSTURE_MOTION_H

#include "posture_settings.h"

/*
 * Gives the joints that the file has a column for their trajectories, in *samples, which is the
 * caller's to free. `named_at` is where the file is named. Unless OK, *samples is NULL and the
 * joints are as they were.
 */
stiction_status motion_put(const char *path, setting_place named_at, posture_mode mode,
                           posture_joint_def *joints, size_t count, posture_sample **samples,
                           stiction_error *error);

#endif
