/* SPDX-License-Identifier: MIT
 * What the script of a comparison reads: the table column by column, and curves of some runs.
 * Numbers are single precision, 7 digits, four bytes each as base64; sweep.csv has all 17.
 */
#ifndef STICTION_TOOLS_REPORT_COMPARISON_DATA_H
#define STICTION_TOOLS_REPORT_COMPARISON_DATA_H

#include "comparison.h"
#include "page.h"

/* ---- one value, wherever it comes from; a text is "" where there is none ---- */

const char *comparison_name(const comparison *c, size_t run);
const char *comparison_folder(const comparison *c, size_t run); /* NULL: there is none */
const char *comparison_setting(const comparison *c, size_t run, size_t parameter);
double comparison_figure(const comparison *c, size_t run, size_t figure); /* NaN: none */
const char *comparison_unit(const comparison *c, size_t figure);

/* `folder` is that of the sweep. */
void comparison_print_data(page *p, const comparison *c, const char *folder);
void comparison_print_curves(page *p, const comparison *c, const char *folder);

/* Numbers as a text of base64, in quotes. */
void comparison_print_floats(FILE *out, const float *values, size_t count);

#endif
