/* The poses at which a robot is looked at before the search for worse ones. */
#ifndef STICTION_STABILITY_POSES_H
#define STICTION_STABILITY_POSES_H

#include "robots/robot.h"

/* The range of a joint; one without limits turns once around, or moves by a metre. */
void pose_range(const robot_joint *joint, double *lower, double *upper);

size_t pose_count(const robot *r);
void pose_at(const robot *r, size_t index, double *positions);

#endif
