/* SPDX-License-Identifier: MIT
 * What is shown of a sweep: sweep.csv with everything, sweep.html to compare, and a short table.
 */
#ifndef STICTION_TOOLS_SWEEP_TABLES_H
#define STICTION_TOOLS_SWEEP_TABLES_H

#include <stdio.h>

#include "sweep/rows.h"

/* Into a folder. */
bool sweep_write_csv(const sweep_rows *rows, const char *into, stiction_error *error);
bool sweep_write_page(const sweep_rows *rows, const char *into, stiction_error *error);

/* For people: the settings that vary and the most interesting figures of one joint. As wide as the
 * terminal. */
void sweep_print(const sweep_rows *rows, FILE *out);

/* All three, the last on stdout, the others into the folder of the sweep, and where they are.
 * False: the tables that are there stay. */
bool sweep_show(const sweep_states *states, FILE *out, stiction_error *error);

/* The line below the title of the page: what all runs have in common, the result of a search, and
 * the smallest or largest values that work. The caller frees it. */
char *sweep_note(const sweep_rows *rows);

#endif
