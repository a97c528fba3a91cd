/* What is shown of a sweep: sweep.csv with everything, sweep.html to compare, a table to glance at.
 */
#ifndef STICTION_TOOLS_SWEEP_TABLES_H
#define STICTION_TOOLS_SWEEP_TABLES_H

#include <stdio.h>

#include "sweep/rows.h"

/* Into a folder. False after a sentence on stderr. */
bool sweep_write_csv(const sweep_rows *rows, const char *into);
bool sweep_write_page(const sweep_rows *rows, const char *into);

/* For people: what varies, and the chief figures of the joint that is worst at following, or, where
 * none follows anything, of the one that gave friction the most work. As wide as the terminal. */
void sweep_print(const sweep_rows *rows, FILE *out);

/* "a/wrist.cnoid" -> "wrist", or "a/wrist" where another is called so; the caller frees it. */
char *sweep_project_name(const sweep_plan *plan, const char *project);

/* All three, the last on stdout, the others into the folder of the sweep, and where they are. False
 * after a sentence on stderr: the tables that are there stay. */
bool sweep_show(const sweep_states *states);

#endif
