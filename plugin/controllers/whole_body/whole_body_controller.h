/* The whole-body controller as any other one, see stiction/controller.h. */
#ifndef STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_CONTROLLER_H
#define STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_CONTROLLER_H

#include "stiction/controller.h"

STICTION_BEGIN_C

extern const stiction_controller_api whole_body_controller_api;

STICTION_END_C

#endif
