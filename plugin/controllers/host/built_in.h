/* SPDX-License-Identifier: MIT
 * The controllers that are part of this program, and those in other processes, as tables of
 * functions like any other one (stiction/controller.h). The first line of a remote controller's
 * options is its address (the path of a socket, or of a Python file); the others are for the
 * controller, except timeout=S.
 */
#ifndef STICTION_CONTROLLERS_HOST_BUILT_IN_H
#define STICTION_CONTROLLERS_HOST_BUILT_IN_H

#include "stiction/controller.h"

STICTION_BEGIN_C

extern const stiction_controller_api posture_controller_api, whole_body_controller_api,
    remote_unix_api, remote_python_api;

/* As `create`; `untrusted`: the project whose folder all files must be in, or NULL. */
typedef stiction_status built_in_create(const stiction_controller_setup *setup,
                                        const char *untrusted, stiction_controller_needs *needs,
                                        void **self, stiction_error *error);
built_in_create posture_controller_create, whole_body_controller_create;

STICTION_END_C

#endif
