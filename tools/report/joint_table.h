/*
 * A table of joints to sort, a row each: law, target, all figures, the parameters of the friction.
 * The report of a run has one over its joints; pages over several runs have one over all of theirs.
 */
#ifndef STICTION_TOOLS_REPORT_JOINT_TABLE_H
#define STICTION_TOOLS_REPORT_JOINT_TABLE_H

#include <stdio.h>

#include "run_data.h"

/* `with_runs`: the first column names the run; `with_sliding`: a joint may be prismatic, so that
 * the heads have two units. */
void joint_table_begin(FILE *out, bool with_runs, bool with_sliding);
/* `name` of the run, NULL where the table has no such column; `report` is the address of its
 * report, beside the page ("": this page). */
void joint_table_rows(FILE *out, const run_data *run, const char *name, const char *report);
/* Ends it, with what the figures mean. */
void joint_table_end(FILE *out);

/* A link to a page, or to a joint on it. */
void joint_table_link(FILE *out, const char *address, const char *joint, const char *text);
/* A cell with a number to read (and to sort by); degrees beside radians. */
void joint_table_number(FILE *out, double value, const char *unit);
/* The head of a column of this figure. */
void joint_table_head(FILE *out, const joint_figure *f, bool with_sliding);
/* A cell with a figure, or what its table says where there is none. */
void joint_table_figure(FILE *out, const run_joint *joint, const joint_figure *f);
/* One with text. */
void joint_table_text(FILE *out, const char *text);

/* Whether a joint of the run is prismatic. */
bool joint_table_has_sliding(const run_data *run);
/* The last target that is known; NaN: none ever was. */
double joint_table_target(const run_data *run, const run_joint *joint);

#endif
