/*
 * The effort of a simulator's joints around friction. Where no controller rewrites a joint's
 * effort, simulators keep it from step to step: it then still holds what friction left there, and a
 * host that subtracts once more adds friction up without bound. This remembers what was found and
 * what was written, so that the command stays the command.
 */
#ifndef STICTION_EFFORT_H
#define STICTION_EFFORT_H

#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

typedef struct stiction_effort stiction_effort;

/* For `count` joints at the start of a run; NULL where there is no memory. */
STICTION_API stiction_effort *stiction_effort_create(size_t count);
STICTION_API void stiction_effort_destroy(stiction_effort *effort);

/*
 * What the controllers command, an entry a joint: found[] is the effort that stands in the
 * simulator, which counts unless it is what stiction_effort_apply left there. Valid until the next
 * call; NULL for a NULL, as below.
 */
STICTION_API const double *stiction_effort_command(stiction_effort *effort, const double *found);

/* What is to stand in the simulator: the last command less friction[]. Valid until the next call.
 */
STICTION_API const double *stiction_effort_apply(stiction_effort *effort, const double *friction);

STICTION_END_C

#endif
