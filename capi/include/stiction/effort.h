/* SPDX-License-Identifier: MIT
 * Keeps commanded efforts and friction apart. If no controller rewrites a joint's effort,
 * simulators keep it from step to step: it still contains the friction of the last step, and a host
 * that subtracts friction again accumulates it without bound. This object remembers what was found
 * and what was written, and recovers the command.
 */
#ifndef STICTION_EFFORT_H
#define STICTION_EFFORT_H

#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

typedef struct stiction_effort stiction_effort;

/* For `count` joints at the start of a run; NULL if memory runs out. */
STICTION_API stiction_effort *stiction_effort_create(size_t count);
STICTION_API void stiction_effort_destroy(stiction_effort *effort);

/*
 * What the controllers command, one entry per joint. found[] is the effort in the simulator; it is
 * a new command unless it is what stiction_effort_apply returned. The result is valid until the
 * next call; NULL if an argument is NULL.
 */
STICTION_API const double *stiction_effort_command(stiction_effort *effort, const double *found);

/* The effort to write to the simulator: the last command minus friction[]. Valid until the next
 * call.
 */
STICTION_API const double *stiction_effort_apply(stiction_effort *effort, const double *friction);

STICTION_END_C

#endif
