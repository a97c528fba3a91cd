/* A robot for a verb. */
#ifndef STICTION_TOOLS_ROBOT_FILE_H
#define STICTION_TOOLS_ROBOT_FILE_H

#include "robot.h"

/* A robot, its warnings on stderr, or NULL after a complaint. */
robot *load_robot(const char *path, bool fixed_base);

#endif
