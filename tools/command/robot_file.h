/* SPDX-License-Identifier: MIT */
/* A robot for a verb. */
#ifndef STICTION_TOOLS_COMMAND_ROBOT_FILE_H
#define STICTION_TOOLS_COMMAND_ROBOT_FILE_H

#include "robots/robot.h"

/* A robot, or NULL; its warnings go to stderr. */
robot *load_robot(const char *path, bool fixed_base, bool untrusted, stiction_error *error);

#endif
