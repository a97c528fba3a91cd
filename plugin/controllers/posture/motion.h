/* SPDX-License-Identifier: MIT
 * Trajectories from a CSV file: `time` (s) and one column per joint, in SI units as in joints.csv.
 * Knows no simulator; the file is read once, before a run.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_MOTION_H
#define STICTION_CONTROLLERS_POSTURE_MOTION_H

#include "posture_settings.h"

/*
 * Gives the joints that have a column in the file their trajectories, whose samples are in the
 * memory of the reader. `named_at` is where the file is named.
 */
void motion_apply(reader *r, const char *path, setting_place named_at, posture_mode mode,
                  posture_joint_def *joints, size_t count);

#endif
