/* The posture controller as any other one, see stiction/controller.h. */
#ifndef STICTION_CONTROLLERS_POSTURE_POSTURE_CONTROLLER_H
#define STICTION_CONTROLLERS_POSTURE_POSTURE_CONTROLLER_H

#include "stiction/controller.h"

STICTION_BEGIN_C

extern const stiction_controller_api posture_controller_api;

STICTION_END_C

#endif
