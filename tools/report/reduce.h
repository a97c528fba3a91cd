/*
 * Fewer points that look the same: a run has more samples than a screen has pixels. Indices come
 * out, so that a value on a page is a value of the run.
 */
#ifndef STICTION_TOOLS_REPORT_REDUCE_H
#define STICTION_TOOLS_REPORT_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Which samples of some series to keep: all where there are at most `most`, else the first, the
 * last, and of every stretch of samples where each series is lowest and highest. The indices rise;
 * there is room for `count` of them, and never more than `most` + 2 come.
 */
size_t reduce_series(const double *const *series, size_t series_count, size_t count, size_t most,
                     size_t *indices);

/*
 * Which points of a cloud to keep: the first in each cell of a grid of `cells` by `cells` over all
 * finite ones. The indices come in the order of x.
 */
size_t reduce_cloud(const double *x, const double *y, size_t count, size_t cells, size_t *indices);

#endif
