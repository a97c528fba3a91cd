/* SPDX-License-Identifier: MIT
 * The ranges of arguments over which the error of Lambert's W is measured (lambert_accuracy.c).
 * Together they span all arguments.
 */
#ifndef STICTION_TESTS_LAMBERT_RANGES_H
#define STICTION_TESTS_LAMBERT_RANGES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum lambert_spread {
    LAMBERT_EVENLY,
    LAMBERT_BY_DECADES,             /* logarithms of |z| evenly */
    LAMBERT_BY_DECADES_FROM_BRANCH, /* those of z + 1/e */
} lambert_spread;

typedef struct lambert_range {
    bool minus_one; /* W-1, else W0 */
    lambert_spread spread;
    double from, to; /* of z, or of z + 1/e */
} lambert_range;

static const lambert_range lambert_ranges[] = {
    {false, LAMBERT_BY_DECADES_FROM_BRANCH, 1e-16, 1e-3},
    {false, LAMBERT_BY_DECADES_FROM_BRANCH, 1e-3, 0.25},
    {false, LAMBERT_EVENLY, -0.12, 0.12},
    {false, LAMBERT_BY_DECADES, -0.12, -5e-324},
    {false, LAMBERT_BY_DECADES, 5e-324, 0.12},
    {false, LAMBERT_EVENLY, 0.12, 1},
    {false, LAMBERT_BY_DECADES, 1, 10},
    {false, LAMBERT_BY_DECADES, 10, 1e3},
    {false, LAMBERT_BY_DECADES, 1e3, 1e6},
    {false, LAMBERT_BY_DECADES, 1e6, 1e20},
    {false, LAMBERT_BY_DECADES, 1e20, 1.797e308},
    {true, LAMBERT_BY_DECADES_FROM_BRANCH, 1e-16, 1e-3},
    {true, LAMBERT_BY_DECADES_FROM_BRANCH, 1e-3, 0.25},
    {true, LAMBERT_BY_DECADES, -0.12, -1e-3},
    {true, LAMBERT_BY_DECADES, -1e-3, -1e-10},
    {true, LAMBERT_BY_DECADES, -1e-10, -1e-100},
    {true, LAMBERT_BY_DECADES, -1e-100, -3e-308},
    {true, LAMBERT_BY_DECADES, -2e-308, -5e-324}, /* subnormal numbers */
};
enum { lambert_range_count = sizeof lambert_ranges / sizeof lambert_ranges[0] };

static const double lambert_branch_point = -0x1.78b56362cef37p-2; /* the first double above -1/e */

/* At a share from 0 to 1 of a range. */
static inline double lambert_argument(const lambert_range *r, double share) {
    if (r->spread == LAMBERT_EVENLY) return r->from + (r->to - r->from) * share;
    const double from = log(fabs(r->from)), to = log(fabs(r->to));
    const double size = exp(from + (to - from) * share);
    if (r->spread == LAMBERT_BY_DECADES) return copysign(size, r->from);
    return fmax(lambert_branch_point + size, lambert_branch_point);
}

/* Such as "W0, z = -0.12 .. 0.12". */
static inline const char *lambert_range_name(const lambert_range *r, char *text, size_t size) {
    (void)snprintf(text, size, "W%s, %s = %.4g .. %.4g", r->minus_one ? "-1" : "0",
                   r->spread == LAMBERT_BY_DECADES_FROM_BRANCH ? "z + 1/e" : "z", r->from, r->to);
    return text;
}

#endif
