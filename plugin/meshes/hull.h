/* SPDX-License-Identifier: MIT */
/* The convex hull of points, by qhull. */
#ifndef STICTION_MESHES_HULL_H
#define STICTION_MESHES_HULL_H

#include <stdbool.h>
#include <stddef.h>

/* How far points spread: their longest distance, the width across that, the thickness across both
 * along `normal` (to within a factor). */
typedef struct spread {
    double length, width, thickness;
    double normal[3];
} spread;
spread spread_of(const double *points, size_t count);

/* Moves the corners of the hull to the front of `points`, says how many they are, and the volume
 * that they enclose. 0: there is no hull. The points must not lie in a plane. */
size_t hull_corners(double *points, size_t count, double *volume);

/* Leaves at most `most` of the corners of a hull: those that stand out in directions evenly spread.
 * What is lost is a fraction 4/most or so of the size. */
size_t hull_thin_out(double *points, size_t count, size_t most);

#endif
