/* SPDX-License-Identifier: MIT */
/* The table of results on the terminal. */
#ifndef STICTION_TOOLS_RUN_RUN_TABLE_H
#define STICTION_TOOLS_RUN_RUN_TABLE_H

#include <stdio.h>

#include "common/table.h"
#include "report/run_data.h"

/* Writes one row per joint of each run, with all figures, its type and the run's warnings; for
 * people, a robot of many joints is one row, only figures that have a head and that some joint has
 * are shown, and the warnings follow. Runs that cannot be read are left out, with an error each. */
void run_table_write(FILE *out, const char *const *folders, size_t count, table_format format,
                     stiction_errors *errors);

/* Which joints a table shows: angles have another unit than lengths. */
typedef struct joint_kinds {
    bool revolute, prismatic;
} joint_kinds;

/* "stops at (deg)" or "stops at (deg, m)": the head of a column for people; the caller frees it. */
char *figure_head(const joint_figure *f, joint_kinds kinds);

/* The cell of a figure for people, degrees where it is an angle. */
void figure_cell(table *t, const joint_figure *f, bool prismatic, double value);

#endif
