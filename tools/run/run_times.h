/* SPDX-License-Identifier: MIT
 * Where the time of a run went, as a table.
 */
#ifndef STICTION_TOOLS_RUN_RUN_TIMES_H
#define STICTION_TOOLS_RUN_RUN_TIMES_H

#include "common/table.h"
#include "times/times.h"

/* project, part, ms, of all (%), a step (us) */
enum { RUN_TIMES_COLUMNS = 5 };
extern const table_column run_times_columns[RUN_TIMES_COLUMNS];

/* A row for each part that took any time, and one for the sum: what passed by the clock. */
void run_times_add(table *t, const char *name, const times *of);

#endif
