/* SPDX-License-Identifier: MIT
 * Selection of samples for plots, since a run has more samples than a screen has pixels. Results
 * are indices, so that a value on a page is a value of the run.
 */
#ifndef STICTION_TOOLS_REPORT_REDUCE_H
#define STICTION_TOOLS_REPORT_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Samples of some series: all if there are at most `most`, else the first, the last, and the
 * minimum and maximum of each series in equal intervals of samples. The indices increase; there are
 * at most `most` + 2, and the array has room for `count`.
 */
size_t reduce_series(const double *const *series, size_t series_count, size_t count, size_t most,
                     size_t *indices);

/*
 * Points of a scatter plot: the first in each cell of a grid of `cells` by `cells` over all finite
 * points, in the order of x.
 */
size_t reduce_cloud(const double *x, const double *y, size_t count, size_t cells, size_t *indices);

#endif
