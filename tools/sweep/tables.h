/* What is shown of a sweep: sweep.csv with everything, sweep.html to compare, a table to glance at.
 */
#ifndef STICTION_TOOLS_SWEEP_TABLES_H
#define STICTION_TOOLS_SWEEP_TABLES_H

#include <stdio.h>

#include "sweep/rows.h"

/* Into the folder of the sweep. False after a sentence on stderr. */
bool sweep_write_csv(const sweep_rows *rows);
bool sweep_write_page(const sweep_rows *rows);

/* For people: what varies, and the chief figures of the joint that is worst at following, or, where
 * none follows anything, of the one that gave friction the most work. As wide as the terminal. */
void sweep_print(const sweep_rows *rows, FILE *out);

/* All three, the last on stdout, and where the others are. */
bool sweep_show(const char *folder, const sweep_plan *plan);

#endif
