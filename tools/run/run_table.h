/* The table of results on the terminal. */
#ifndef STICTION_TOOLS_RUN_RUN_TABLE_H
#define STICTION_TOOLS_RUN_RUN_TABLE_H

#include <stddef.h>

#include "common/table.h"
#include "report/run_data.h"

/* One row a joint of each run; for people, a robot of many joints is one row. */
void run_table_print(const char *const *folders, size_t count, table_format format);

/* One figure for people: its column, and its value, degrees where it is an angle. NULL: it has no
 * column. */
const table_column *run_table_column(const char *figure);
double run_table_value(const run_joint *joint, const char *figure);

#endif
