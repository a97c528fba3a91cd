/*
 * A table of the robots of a run that float: a row each, with the figures that they have.
 */
#ifndef STICTION_TOOLS_REPORT_BODY_TABLE_H
#define STICTION_TOOLS_REPORT_BODY_TABLE_H

#include <stdio.h>

#include "run_data.h"

/* Nothing where there are none. */
void body_table_print(FILE *out, const run_data *run);
/* Whether some body of a run has a figure. */
bool body_table_has(const run_data *run, const joint_figure *f);

#endif
