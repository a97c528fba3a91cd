/* SPDX-License-Identifier: MIT */
/* The whole-body controller as any other one, see stiction/controller.h. */
#ifndef STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_CONTROLLER_H
#define STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_CONTROLLER_H

#include "stiction/controller.h"

STICTION_BEGIN_C

extern const stiction_controller_api whole_body_controller_api;

/* As its `create`; `untrusted`: the project whose folder all files must be in, or NULL. */
stiction_status whole_body_controller_create(const stiction_controller_setup *setup,
                                             const char *untrusted,
                                             stiction_controller_needs *needs, void **self,
                                             stiction_error *error);

STICTION_END_C

#endif
