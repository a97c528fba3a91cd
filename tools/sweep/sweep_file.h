/*
 * A sweep file: YAML with projects, a grid of settings and a few values for all runs. All of its
 * mistakes are told with their places before anything runs.
 */
#ifndef STICTION_TOOLS_SWEEP_SWEEP_FILE_H
#define STICTION_TOOLS_SWEEP_SWEEP_FILE_H

#include "sweep/plan.h"

/* False after a sentence on stderr for each mistake. Free the plan either way. */
bool sweep_file_read(const char *path, sweep_plan *plan);

/* The path of a file that the sweep file names; the caller frees it. */
char *sweep_file_beside(const char *path, const char *name);

#endif
