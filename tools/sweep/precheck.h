/* SPDX-License-Identifier: MIT
 * Whether the runs of a sweep can start, before the first of them does: the project, the bodies,
 * the configuration and the settings of each are read as `stiction run` reads them. It also finds
 * the files that they read.
 */
#ifndef STICTION_TOOLS_SWEEP_PRECHECK_H
#define STICTION_TOOLS_SWEEP_PRECHECK_H

#include "sweep/inputs.h"

/* Writes nothing. False: some runs cannot start, and *errors has an error for every reason, with
 * the place in the sweep file; or the user stopped it. */
bool sweep_precheck(const sweep_runner *r, sweep_inputs *inputs, stiction_errors *errors);

#endif
