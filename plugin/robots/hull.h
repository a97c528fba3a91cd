/* SPDX-License-Identifier: MIT
 * The faces of a convex hull, for files that have meshes as faces.
 */
#ifndef STICTION_ROBOTS_HULL_H
#define STICTION_ROBOTS_HULL_H

#include "mujoco_compile/fence.h"

typedef struct hull_faces {
    const double *points; /* its corners, three numbers each */
    size_t point_count;
    const unsigned (*triangles)[3]; /* of corners, counterclockwise from outside */
    size_t triangle_count;
} hull_faces;

/* Of points, three numbers each; no triangles if they lie in a plane. */
hull_faces hull_of_points(reader *r, const double *points, size_t count);

#endif
