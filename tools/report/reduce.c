/* SPDX-License-Identifier: MIT
 * Selection of samples for plots.
 */
#include "reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

/* ---- series ---- */

/* Marks the minimum and maximum of a series within [from, to). */
static void mark_extremes(const double *y, size_t from, size_t to, bool *kept) {
    size_t lowest = from, highest = from;
    for (size_t k = from; k < to; k++) {
        if (!(y[k] >= y[lowest])) lowest = isnan(y[k]) ? lowest : k;
        if (!(y[k] <= y[highest])) highest = isnan(y[k]) ? highest : k;
    }
    kept[lowest] = kept[highest] = true;
}

size_t reduce_series(const double *const *series, size_t series_count, size_t count, size_t most,
                     size_t *indices) {
    size_t kept_count = 0;
    if (count <= most) {
        for (size_t k = 0; k < count; k++) indices[kept_count++] = k;
        return kept_count;
    }
    AUTO_FREE bool *kept = allocate(count, sizeof *kept);
    memset(kept, 0, count * sizeof *kept);
    const size_t each = 2 * (series_count ? series_count : 1);
    const size_t stretches = most / each ? most / each : 1;
    for (size_t n = 0; n < stretches; n++)
        for (size_t s = 0; s < series_count; s++)
            mark_extremes(series[s], count * n / stretches, count * (n + 1) / stretches, kept);
    kept[0] = kept[count - 1] = true;
    for (size_t k = 0; k < count; k++)
        if (kept[k]) indices[kept_count++] = k;
    return kept_count;
}

/* ---- scatter plots ---- */

typedef struct range {
    double low, high;
} range;

static range range_of(const double *values, size_t count) {
    range r = {(double)INFINITY, -(double)INFINITY};
    for (size_t k = 0; k < count; k++)
        if (isfinite(values[k])) r = (range){fmin(r.low, values[k]), fmax(r.high, values[k])};
    return r;
}

static size_t cell_of(const range *r, double value, size_t cells) {
    const double place = (value - r->low) / (r->high - r->low) * (double)cells;
    return !(place > 0) ? 0 : place >= (double)cells ? cells - 1 : (size_t)place;
}

typedef struct indexed {
    double x;
    size_t index;
} indexed;

static int by_x(const void *a, const void *b) {
    const indexed *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x ? 1 : (p->index > q->index) - (p->index < q->index);
}

size_t reduce_cloud(const double *x, const double *y, size_t count, size_t cells, size_t *indices) {
    const range across = range_of(x, count), up = range_of(y, count);
    AUTO_FREE bool *taken = allocate(cells * cells, sizeof *taken);
    AUTO_FREE indexed *points = allocate(count + 1, sizeof *points);
    size_t kept = 0;
    memset(taken, 0, cells * cells * sizeof *taken);
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(x[k]) || !isfinite(y[k])) continue;
        bool *cell = &taken[cell_of(&across, x[k], cells) * cells + cell_of(&up, y[k], cells)];
        if (!*cell) points[kept++] = (indexed){x[k], k};
        *cell = true;
    }
    qsort(points, kept, sizeof *points, by_x);
    for (size_t k = 0; k < kept; k++) indices[k] = points[k].index;
    return kept;
}
