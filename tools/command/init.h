/* SPDX-License-Identifier: MIT */
/* What stiction init writes, for others. */
#ifndef STICTION_TOOLS_COMMAND_INIT_H
#define STICTION_TOOLS_COMMAND_INIT_H

#include "robots/robot.h"

/* A configuration to start from, into a file that is not there yet. */
bool init_write(const robot *r, double timestep, const char *path, stiction_error *error);

#endif
