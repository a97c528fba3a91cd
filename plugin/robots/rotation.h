/* SPDX-License-Identifier: MIT */
/* The little geometry that reading a robot needs. Matrices are 3 x 3, row by row. */
#ifndef STICTION_ROBOTS_ROTATION_H
#define STICTION_ROBOTS_ROTATION_H

#include <stdbool.h>

#include "meshes/frame3.h"

/* L A L' */
void frame3_tensor(const frame3 *f, const double tensor[9], double out[9]);

/* Whether R is a rotation to 1e-4, as files write them. */
bool rotation_is_proper(const double R[9]);

/* Principal moments and axes (the columns of a rotation) of a symmetric A, to the last bits: what
 * MuJoCo's own function leaves is up to 1e-6. */
void principal_axes(const double A[9], double moments[3], double axes[9]);

#endif
