/* SPDX-License-Identifier: MIT
 * What the script of a comparison reads: the table column by column, and curves of some runs.
 * Numbers are single precision, 7 digits, four bytes each as base64; sweep.csv has all 17.
 */
#ifndef STICTION_TOOLS_REPORT_COMPARISON_DATA_H
#define STICTION_TOOLS_REPORT_COMPARISON_DATA_H

#include "comparison.h"
#include "page.h"

bool comparison_failed(const comparison *c, size_t run);
double comparison_figure(const comparison *c, size_t run, size_t figure); /* NaN: none */

/* `folder` is that of the sweep. */
void comparison_print_data(page *p, const comparison *c, const char *folder);
void comparison_print_curves(page *p, const comparison *c, const char *folder);

/* Numbers as a text of base64, in quotes. */
void comparison_print_floats(FILE *out, const float *values, size_t count);

#endif
