/* SPDX-License-Identifier: MIT */
/* The configuration that stiction init writes, for stiction new. */
#ifndef STICTION_TOOLS_COMMAND_INIT_H
#define STICTION_TOOLS_COMMAND_INIT_H

#include "robots/robot.h"

/* The text of a configuration to start from; NULL: *error says why. *note explains the coupling, or
 * is NULL. The caller frees both. */
char *init_write(const robot *r, double timestep, char **note, stiction_error *error);

#endif
