/* SPDX-License-Identifier: MIT
 * Which controllers a user gives which bodies: "SPEC" or "BODY=SPEC", on every engine alike.
 */
#ifndef STICTION_CONTROLLERS_HOST_CONTROLLER_CHOICE_H
#define STICTION_CONTROLLERS_HOST_CONTROLLER_CHOICE_H

#include <stddef.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/*
 * Without bodies in them, one specification is for all bodies, or there is one for each; BODY=SPEC
 * beats those. `bodies` are the names of those that have joints. Writes the specification of each,
 * without its BODY=; NULL: it is given none.
 */
stiction_status controller_choose(const char *const *specifications, size_t specification_count,
                                  const char *const *bodies, size_t body_count, const char **chosen,
                                  stiction_error *error);

STICTION_END_C

#endif
