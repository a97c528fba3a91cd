/* SPDX-License-Identifier: MIT
 * Reports: the page of one run, of several, and over all runs of a folder, and pictures.
 */
#ifndef STICTION_TOOLS_REPORT_REPORT_H
#define STICTION_TOOLS_REPORT_REPORT_H

#include <stdbool.h>

#include "common/options.h"
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

/* ---- several runs ---- */

/* Writes a page that overlays the runs in these folders joint by joint, labelled by report_label.
 * At most as many runs as there are colours. */
enum { OVERLAY_MOST_RUNS = 7 };
bool overlay_write(const char *const *folders, size_t count, const char *path,
                   stiction_error *error);

/* Writes index.html of a folder whose subfolders `names` are runs into a folder, this or another: a
 * row for each run and for each joint, with links. The row of a run that cannot be read says why.
 */
bool report_index(const char *out_folder, const char *into, const char *const *names, size_t count,
                  stiction_error *error);

/* The label of a run: the part of its path that differs from the others. The caller frees it. */
char *report_label(const char *const *folders, size_t count, size_t k);

/* Draws columns of the series of some runs over time, into a path that ends in .svg or .png. All
 * columns must have the same unit, and there are at most as many lines as colours. */
bool column_picture_write(const char *const *folders, size_t count, const text_list *columns,
                          const char *path, stiction_error *error);

#endif
