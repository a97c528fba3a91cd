/*
 * The report of one run: report.html, one file to look at, and PNGs for documents where they are
 * asked for.
 */
#ifndef STICTION_TOOLS_REPORT_REPORT_H
#define STICTION_TOOLS_REPORT_REPORT_H

#include <stdbool.h>

#include "page.h"
#include "run_data.h"

/* Writes report.html of the folder of a run into a folder, its own or another. False after a
 * sentence on stderr. */
bool report_write(const char *run_folder, const char *into);
bool report_write_run(const run_data *run, const char *into);

/*
 * Writes position.png, torque.png (command and friction) and law.png of the joint that moves the
 * most, and the same with -JOINT before the dot for up to three more that move. False after a
 * sentence on stderr, such as where there is no gnuplot to draw them.
 */
#define REPORT_NO_PNGS                                                                             \
    "no PNGs, since gnuplot is not there (Debian package gnuplot-nox); report.html needs none"
bool report_pngs_run(const run_data *run, const char *into);

/* All of that out of a folder, where it could not all be written. */
void report_remove(const char *folder);

/* ---- what other pages share ---- */

/* A box for all that went wrong in a run, and what was run. */
void report_warnings(page *p, const run_data *run);
void report_facts(FILE *out, const run_data *run);
/* The plots of a joint, as a choice of an open block (see page_choice). True: they leave samples
 * out.
 */
bool report_joint(page *p, const run_data *run, const run_joint *joint, const char *layer,
                  size_t most);

#endif
