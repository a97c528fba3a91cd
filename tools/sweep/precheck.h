/*
 * Whether the runs of a sweep could begin, before the first of them does: the project, the bodies,
 * the configuration and the settings of each are read as `stiction run` reads them.
 */
#ifndef STICTION_TOOLS_SWEEP_PRECHECK_H
#define STICTION_TOOLS_SWEEP_PRECHECK_H

#include "sweep/runner.h"

/* Writes nothing. False after a sentence on stderr for every reason for which some could not, or
 * where the user stopped it. */
bool sweep_precheck(const sweep_runner *r);

#endif
