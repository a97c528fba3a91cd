/* SPDX-License-Identifier: MIT
 * The targets of the user for any controller: "RWRR:90,RWRP:-10" in degrees (m for a prismatic
 * joint), a CSV file like the motions of the posture controller, in SI units, or one of its YAML
 * files.
 */
#ifndef STICTION_CONTROLLERS_HOST_TARGETS_H
#define STICTION_CONTROLLERS_HOST_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

STICTION_BEGIN_C

typedef struct targets targets;

/* Whether a text looks like one of these. */
bool targets_is_text(const char *text);

/* Names may be patterns in a list. NULL: see *error. */
targets *targets_create(const char *text, const char *const *joints, const bool *prismatic,
                        size_t count, stiction_error *error);
void targets_destroy(targets *t);

/* At a time, s, one entry per joint; NaN: none. */
void targets_at(const targets *t, double time, double *target);

STICTION_END_C

#endif
