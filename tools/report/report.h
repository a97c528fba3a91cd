/* SPDX-License-Identifier: MIT
 * The report of one run: report.html, and PNGs for documents.
 */
#ifndef STICTION_TOOLS_REPORT_REPORT_H
#define STICTION_TOOLS_REPORT_REPORT_H

#include <stdbool.h>

#include "page.h"
#include "run_data.h"

/* Writes report.html into a folder. */
bool report_write_run(const run_data *run, const char *into, stiction_error *error);
bool report_write(const char *run_folder, const char *into, stiction_error *error);

/*
 * Writes position.png, torque.png (command and friction) and law.png of the joint that moves the
 * most, and the same with -JOINT before the dot for up to three more that move.
 */
#define REPORT_NO_PNGS "PNGs need gnuplot (Debian package gnuplot-nox); report.html does not"
bool report_pngs_run(const run_data *run, const char *into, stiction_error *error);

/* Removes these files from a folder, after an error. */
void report_remove(const char *folder);

/* ---- shared with other pages ---- */

/* The warnings of a run, and its settings. */
void report_warnings(page *p, const run_data *run);
void report_facts(FILE *out, const run_data *run);
/* The plots of a joint, as a choice of an open block (see page_choice). Returns whether samples
 * were left out. */
bool report_joint(page *p, const run_data *run, const run_joint *joint, const char *layer,
                  size_t most);

#endif
