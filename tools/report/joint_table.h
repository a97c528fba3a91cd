/* SPDX-License-Identifier: MIT
 * Sortable HTML tables: joints of one or several runs, with law, target, all figures and friction
 * parameters; and floating robots with their figures.
 */
#ifndef STICTION_TOOLS_REPORT_JOINT_TABLE_H
#define STICTION_TOOLS_REPORT_JOINT_TABLE_H

#include <stdio.h>

#include "run_data.h"

/* `with_runs`: the first column is the name of the run; `with_sliding`: some joint is prismatic, so
 * that the headers have two units. */
void joint_table_begin(FILE *out, bool with_runs, bool with_sliding);
/* `name` of the run, NULL without such a column; `report` is the relative address of its report
 * ("": this page). */
void joint_table_rows(FILE *out, const run_data *run, const char *name, const char *report);
/* Ends the table, with an explanation of the figures. */
void joint_table_end(FILE *out);

/* A link to a page, or to a joint on it. */
void joint_table_link(FILE *out, const char *address, const char *joint, const char *text);
/* A cell with a number as people write it: angles in degrees, four digits, 0 for rounding noise. The
 * exact value is its data-value. */
void joint_table_number(FILE *out, double value, const char *unit);
/* The header of the column of a figure. */
void joint_table_head(FILE *out, const joint_figure *f, bool with_sliding);
/* A cell with a figure, or the text for a missing one. */
void joint_table_figure(FILE *out, const run_joint *joint, const joint_figure *f);
/* A cell with text. */
void joint_table_text(FILE *out, const char *text);

/* Whether a joint of the run is prismatic. */
bool joint_table_has_sliding(const run_data *run);
/* The last target, rounded to 1e-6; NaN: none. */
double joint_table_target(const run_data *run, const run_joint *joint);

/* The floating robots of a run; nothing if there are none. */
void body_table_print(FILE *out, const run_data *run);
/* Whether some floating robot of a run has a figure. */
bool body_table_has(const run_data *run, const joint_figure *f);

#endif
