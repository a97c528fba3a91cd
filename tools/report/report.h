/*
 * The report of one run: report.html, one file to look at, and PNGs for documents.
 */
#ifndef STICTION_TOOLS_REPORT_REPORT_H
#define STICTION_TOOLS_REPORT_REPORT_H

#include <stdbool.h>

#include "page.h"
#include "run_data.h"

/* Writes report.html into the folder of a run. False after a sentence on stderr. */
bool report_write(const char *run_folder);
bool report_write_run(const run_data *run);

/*
 * Writes position.png, torque.png (command and friction) and law.png of the joint that moves the
 * most, and the same with -JOINT before the dot for up to three more that move. Says so in a line,
 * and is fine, where gnuplot is missing. False after a sentence on stderr.
 */
bool report_pngs(const char *run_folder);
bool report_pngs_run(const run_data *run);

/* ---- what other pages share ---- */

/* A cell of a table with a number to read (and to sort by); degrees beside radians. */
void report_cell(FILE *out, double value, const char *unit);

#endif
