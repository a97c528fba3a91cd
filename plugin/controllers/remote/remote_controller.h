/* SPDX-License-Identifier: MIT
 * A controller in another process, as a table of functions like any other one. The first line of
 * the options is its address (the path of a socket, or of a Python file); the others are for the
 * controller, except timeout=S.
 */
#ifndef STICTION_CONTROLLERS_REMOTE_REMOTE_CONTROLLER_H
#define STICTION_CONTROLLERS_REMOTE_REMOTE_CONTROLLER_H

#include "stiction/controller.h"

STICTION_BEGIN_C

extern const stiction_controller_api remote_unix_api, remote_python_api;

STICTION_END_C

#endif
